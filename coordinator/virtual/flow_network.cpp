#include "coordinator/virtual/flow_network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"

namespace tracebed {
namespace {

constexpr double microseconds_of_a_second = 1e6;
// Below this, relative differences of rates are those of rounding.
constexpr double rounding = 1e-12;
constexpr std::uint32_t no_link = std::numeric_limits<std::uint32_t>::max();
// A link's level is computed a few times until all are settled: this many show that it never ends.
constexpr std::uint64_t computations_of_a_link_max = 10'000;

bool differ(double a, double b) {
  return std::abs(a - b) > rounding * std::max(a, b);
}

double per_microsecond(std::int64_t bytes_per_second) {
  return static_cast<double>(bytes_per_second) / microseconds_of_a_second;
}

void prefetch(const auto& flow) {
  constexpr std::size_t cache_line = 64;
  const auto* const begin = reinterpret_cast<const std::byte*>(&flow);
  for (std::size_t at = 0; at < sizeof(flow); at += cache_line) __builtin_prefetch(begin + at);
}

// The lowest level comes first, of equal ones the least link.
bool comes_later(const auto& a, const auto& b) {
  return a.level != b.level ? a.level > b.level : a.link > b.link;
}

}  // namespace

LinkId FlowNetwork::add_link(std::optional<std::int64_t> rate) {
  TRACEBED_CHECK(!rate || *rate >= 1, "a link transfers at least a byte per second");
  Link& link = links_.emplace_back();
  levels_.push_back(unlimited);
  if (rate) link.rate = per_microsecond(*rate);
  return LinkId(links_.size() - 1);
}

void FlowNetwork::watch(LinkId link) {
  links_[link.index()].saturation.emplace();
}

double FlowNetwork::saturation(LinkId link, TraceTime now) {
  settle();
  return links_[link.index()].saturation->part(now);
}

// ---- flows ----

FlowId FlowNetwork::begin(std::span<const LinkId> path, const FlowDemand& demand, TraceTime now) {
  TRACEBED_CHECK(path.size() <= path_max, "a path has few links");
  TRACEBED_CHECK(demand.weight > 0, "a flow has a weight");
  move_to(now);
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(flows_.size()));
    flows_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  Flow& flow = flows_[slot];
  flow.tag = demand.tag;
  flow.bytes = demand.bytes;
  flow.due = demand.due;
  flow.rate_max = demand.rate_max ? per_microsecond(*demand.rate_max) : unlimited;
  flow.weight = demand.weight;
  flow.left = static_cast<double>(demand.bytes);
  flow.rate = 0;
  flow.since = now;
  flow.steps = 0;
  for (const LinkId id : path) {
    Link& link = links_[id.index()];
    if (link.rate == unlimited) continue;
    flow.path[flow.steps] = {id.value(), static_cast<std::uint32_t>(link.members.size())};
    link.members.push_back({slot, flow.steps++});
  }
  ends_.insert(slot, demand.bytes == 0 ? now : never);
  begun_.push_back(slot);
  return {slot, flow.instance};
}

void FlowNetwork::pace(FlowId id, TraceTime due, TraceTime now) {
  if (!has(id)) return;
  move_to(now);
  flows_[id.slot].due = due;
  begun_.push_back(id.slot);
}

std::int64_t FlowNetwork::cancel(FlowId id, TraceTime now) {
  if (!has(id)) return 0;
  move_to(now);
  settle();
  const std::int64_t bytes = transferred(id, now);
  remove(id.slot);
  return bytes;
}

std::int64_t FlowNetwork::transferred(FlowId id, TraceTime now) const {
  if (!has(id)) return 0;
  const Flow& flow = flows_[id.slot];
  const auto left = static_cast<std::int64_t>(std::ceil(left_of(flow, now)));
  return flow.bytes - std::clamp<std::int64_t>(left, 0, flow.bytes);
}

void FlowNetwork::take_ended(TraceTime now, std::vector<std::uint64_t>& ended) {
  // One that ends leaves more for the others from then on.
  for (TraceTime next = next_end(); next <= now; next = next_end()) {
    move_to(next);
    while (ends_.next_time() == next) {
      const std::uint32_t slot = ends_.next_flow();
      ended.push_back(flows_[slot].tag);
      remove(slot);
    }
  }
  move_to(now);
}

TraceTime FlowNetwork::next_end() {
  settle();
  return ends_.next_time();
}

double FlowNetwork::rate_of(FlowId flow) {
  settle();
  return flows_[flow.slot].rate * microseconds_of_a_second;
}

void FlowNetwork::remove(std::uint32_t slot) {
  Flow& flow = flows_[slot];
  for (std::uint32_t i = 0; i < flow.steps; ++i) {
    Link& link = links_[flow.path[i].link];
    const Member last = link.members.back();
    link.members[flow.path[i].member] = last;
    flows_[last.slot].path[last.step].member = flow.path[i].member;
    link.members.pop_back();
    link.load = link.members.empty() ? 0 : link.load - flow.rate;
    mark_if_load_matters(flow.path[i].link);
  }
  ++flow.instance;
  ends_.erase(slot);
  free_slots_.push_back(slot);
}

// ---- rates ----

void FlowNetwork::move_to(TraceTime now) {
  TRACEBED_CHECK(now >= now_, "the time of flows ascends");
  if (now == now_) return;
  settle();
  now_ = now;
}

void FlowNetwork::mark(std::uint32_t index) {
  Link& link = links_[index];
  if (link.is_dirty) return;
  link.is_dirty = true;
  dirty_.push_back({levels_[index], index});
  std::push_heap(dirty_.begin(), dirty_.end(), comes_later<DirtyLink, DirtyLink>);
}

void FlowNetwork::mark_if_load_matters(std::uint32_t index) {
  const Link& link = links_[index];
  const double allowed = tolerance_ * link.rate;
  const bool matters = levels_[index] == unlimited
                           ? link.load > link.rate + allowed
                           : std::abs(link.load - link.settled_load) > allowed;
  if (matters) mark(index);
}

void FlowNetwork::settle() {
  for (const std::uint32_t slot : begun_) {
    const Flow& flow = flows_[slot];
    const double limit = limit_of(flow, path_max);
    if (limit < unlimited || flow.steps == 0) {
      set_rate(slot, limit, no_link);
    } else {
      for (std::uint32_t i = 0; i < flow.steps; ++i) mark(flow.path[i].link);
    }
  }
  begun_.clear();
  const std::uint64_t most = levels_computed_ + computations_of_a_link_max * links_.size();
  while (!dirty_.empty()) {
    std::pop_heap(dirty_.begin(), dirty_.end(), comes_later<DirtyLink, DirtyLink>);
    const std::uint32_t link = dirty_.back().link;
    dirty_.pop_back();
    links_[link].is_dirty = false;
    compute_level(link);
    TRACEBED_CHECK(levels_computed_ < most, "the levels of links settle");
  }
}

void FlowNetwork::compute_level(std::uint32_t index) {
  ++levels_computed_;
  Link& link = links_[index];
  limits_.clear();
  double wanted = 0;
  double weights = 0;
  for (std::size_t i = 0; i < link.members.size(); ++i) {
    // Flows of a link lie anywhere in memory.
    constexpr std::size_t ahead = 8;
    if (i + ahead < link.members.size()) prefetch(flows_[link.members[i + ahead].slot]);
    const Flow& flow = flows_[link.members[i].slot];
    limits_.push_back({limit_of(flow, link.members[i].step), flow.weight});
    wanted += limits_.back().rate;
    weights += flow.weight;
  }
  const double level = level_for(link.rate, wanted, weights);
  levels_[index] = level;
  if (link.saturation) link.saturation->set(level != unlimited, now_);
  link.load = 0;
  for (std::size_t i = 0; i < link.members.size(); ++i) {
    const std::uint32_t slot = link.members[i].slot;
    const double rate = std::min(limits_[i].rate, level * limits_[i].weight);
    link.load += rate;
    if (differ(rate, flows_[slot].rate)) set_rate(slot, rate, index);
  }
  link.settled_load = link.load;
}

// Of a link whose flows, with `weights` in all, would take `limits_`, all together `wanted`: those
// that want less than their part of the level get that, and all others their part.
double FlowNetwork::level_for(double rate, double wanted, double weights) const {
  if (wanted <= rate * (1 + rounding)) return unlimited;
  double level = rate / weights;
  for (std::size_t below = 0;;) {
    double left = rate;
    double weights_left = weights;
    std::size_t count = 0;
    for (const Limit& limit : limits_) {
      if (limit.rate > level * limit.weight) continue;
      left -= limit.rate;
      weights_left -= limit.weight;
      ++count;
    }
    // By rounding alone: they want the rate, to the last bit.
    if (count == limits_.size()) return unlimited;
    if (count == below) return level;
    below = count;
    level = std::max(level, left / weights_left);
  }
}

double FlowNetwork::limit_of(const Flow& flow, std::uint32_t except_step) const {
  double limit = std::min(flow.rate_max, need_of(flow));
  for (std::uint32_t i = 0; i < flow.steps; ++i) {
    if (i != except_step) limit = std::min(limit, levels_[flow.path[i].link] * flow.weight);
  }
  return limit;
}

double FlowNetwork::left_of(const Flow& flow, TraceTime at) const {
  if (at == flow.since) return flow.left;
  if (flow.rate == unlimited) return 0;
  return std::max(0.0, flow.left - flow.rate * static_cast<double>((at - flow.since).count()));
}

double FlowNetwork::need_of(const Flow& flow) const {
  if (flow.due <= now_) return unlimited;
  return left_of(flow, now_) / static_cast<double>((flow.due - now_).count());
}

void FlowNetwork::set_rate(std::uint32_t slot, double rate, std::uint32_t except_link) {
  Flow& flow = flows_[slot];
  const double need = need_of(flow);
  const double change = rate - flow.rate;
  flow.left = left_of(flow, now_);
  flow.since = now_;
  flow.rate = rate;
  ends_.change(slot, end_of(flow, need));
  for (std::uint32_t i = 0; i < flow.steps; ++i) {
    const std::uint32_t other = flow.path[i].link;
    if (other == except_link) continue;
    links_[other].load += change;
    mark_if_load_matters(other);
  }
}

TraceTime FlowNetwork::end_of(const Flow& flow, double need) const {
  if (flow.left == 0 || flow.rate == unlimited) return now_;
  if (need != unlimited && !differ(flow.rate, need)) return flow.due;
  if (flow.rate <= 0) return never;
  const double time = std::ceil(flow.left / flow.rate);
  const auto until_never = static_cast<double>((never - now_).count());
  if (time >= until_never / 2) return never;
  return now_ + microseconds(static_cast<std::int64_t>(time));
}

}  // namespace tracebed
