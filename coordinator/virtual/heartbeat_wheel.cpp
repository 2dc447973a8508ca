#include "coordinator/virtual/heartbeat_wheel.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/check.h"

namespace tracebed {

HeartbeatWheel::HeartbeatWheel(std::size_t nodes, Duration period, Random random,
                               const HeartbeatJitter& jitter)
    : period_(period), slot_of_(nodes), marks_((nodes + 63) / 64) {
  TRACEBED_CHECK(period > Duration::zero(), "heartbeats have a positive period");
  std::vector<Duration> phase_by_node(nodes);
  for (Duration& phase : phase_by_node) {
    phase = Duration(
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(period.count()))));
  }
  if (jitter.delay.median > Duration::zero()) {
    late_.emplace(std::move(phase_by_node), period, jitter);
    return;
  }
  std::vector<std::size_t> order(nodes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(phase_by_node[a], a) < std::tie(phase_by_node[b], b);
  });
  for (std::size_t slot = 0; slot < nodes; ++slot) {
    phase_.push_back(phase_by_node[order[slot]]);
    node_of_.push_back(NodeId(order[slot]));
    slot_of_[order[slot]] = slot;
  }
}

void HeartbeatWheel::mark(NodeId node, bool matters) {
  if (late_) return late_->mark(node, matters);
  if (is_marked(node) == matters) return;
  const std::size_t slot = slot_of_[node.index()];
  marks_[slot / 64] ^= std::uint64_t{1} << (slot % 64);
  marked_count_ += matters ? std::size_t{1} : static_cast<std::size_t>(-1);
}

bool HeartbeatWheel::is_marked(NodeId node) const {
  if (late_) return late_->is_marked(node);
  const std::size_t slot = slot_of_[node.index()];
  return ((marks_[slot / 64] >> (slot % 64)) & 1u) != 0;
}

std::size_t HeartbeatWheel::next_marked(std::size_t from) const {
  for (std::size_t word = from / 64; word < marks_.size(); ++word) {
    std::uint64_t bits = marks_[word];
    if (word == from / 64) bits &= ~std::uint64_t{0} << (from % 64);
    if (bits != 0) return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return none;
}

TraceTime HeartbeatWheel::next_time(TraceTime now) {
  if (late_) return late_->next_time(now);
  if (marked_count_ == 0) return never;
  // Beats that nobody waited for lie in the past: go on with the first that does not.
  const std::int64_t turn_now = to_microseconds(now) / period_.count();
  const Duration into_turn = Duration(to_microseconds(now) % period_.count());
  const auto slot_now = static_cast<std::size_t>(
      std::lower_bound(phase_.begin(), phase_.end(), into_turn) - phase_.begin());
  std::tie(turn_, slot_) = std::max(std::pair(turn_, slot_), std::pair(turn_now, slot_now));
  // The cursor stays where it is: a node between it and the beat found may be marked before then.
  found_turn_ = turn_;
  found_slot_ = slot_ < phase_.size() ? next_marked(slot_) : none;
  if (found_slot_ == none) {
    ++found_turn_;
    found_slot_ = next_marked(0);
  }
  return TraceTime(found_turn_ * period_ + phase_[found_slot_]);
}

NodeId HeartbeatWheel::take() {
  if (late_) return late_->take();
  turn_ = found_turn_;
  slot_ = found_slot_ + 1;
  return node_of_[found_slot_];
}

}  // namespace tracebed
