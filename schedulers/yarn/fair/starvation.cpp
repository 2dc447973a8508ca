#include "schedulers/yarn/fair/starvation.h"

#include <algorithm>
#include <tuple>

#include "schedulers/yarn/parts/not_negative.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {
namespace {

// Calls visit(application) for those of the leaf that want something, in the order of the policy,
// until it returns true.
template <class Visitor>
void visit_in_turn(const LiveQueue& leaf, Visitor&& visit) {
  auto next = leaf.offered.begin();
  auto next_master = leaf.offered_masters.begin();
  while (next != leaf.offered.end() || next_master != leaf.offered_masters.end()) {
    const bool is_master_next = next == leaf.offered.end() ||
                                (next_master != leaf.offered_masters.end() && *next_master < *next);
    if (visit(*(is_master_next ? next_master++ : next++)->member)) return;
  }
}

bool lacks_less(const StarvedApplication& a, const StarvedApplication& b) {
  const Resources of_a = a.total();
  const Resources of_b = b.total();
  return std::tuple(of_a.memory_mib(), of_a.milli_vcores(), a.application->id) <
         std::tuple(of_b.memory_mib(), of_b.milli_vcores(), b.application->id);
}

}  // namespace

Resources Starvation::missing_minimum(const LiveQueue& leaf) {
  return not_negative(component_minimum(leaf.minimum, leaf.demand) - leaf.usage);
}

StarvationSight Starvation::look(TraceTime now, TraceTime before) const {
  StarvationSight sight;
  for (const auto& [path, queue] : tree_.queues()) {
    if (queue->is_leaf) look_at(*queue, now, before, sight);
  }
  for (const StarvedApplication& seen : sight.seen) {
    if (!seen.total().is_zero()) sight.starved.push_back(seen);
  }
  std::sort(sight.starved.begin(), sight.starved.end(), lacks_less);
  return sight;
}

void Starvation::look_at(LiveQueue& leaf, TraceTime now, TraceTime before,
                         StarvationSight& sight) const {
  sight.leaves.push_back({.leaf = &leaf, .content = {}, .is_at_minimum = true});
  const std::size_t first = sight.seen.size();
  visit_in_turn(leaf, [&](LiveApplication& application) {
    if (application.next_starvation_check > now) {
      sight.next = std::min(sight.next, application.next_starvation_check);
      return false;
    }
    const double threshold = static_cast<double>(leaf.rules.fair_share_threshold);
    const Resources due =
        component_minimum(multiply_and_cut(application.share, threshold), application.demand);
    StarvedApplication& seen = sight.seen.emplace_back(
        StarvedApplication{.application = &application, .by_share = {}, .by_minimum = {}});
    if (!order_.is_below(leaf, application.usage, due)) {
      sight.leaves.back().content = application.id;
      return true;
    }
    if (!leaf.rules.fair_share_timeout_s) return true;
    TraceTime since = application.last_at_share;
    if (leaf.content == application.id) since = std::max(since, before);
    const TraceTime until = since + seconds(*leaf.rules.fair_share_timeout_s);
    if (now < until) {
      sight.next = std::min(sight.next, until);
      return true;
    }
    seen.by_share = not_negative(due - application.usage);
    return false;
  });
  look_at_minimum(leaf, now, before, first, sight);
}

void Starvation::look_at_minimum(LiveQueue& leaf, TraceTime now, TraceTime before,
                                 std::size_t first, StarvationSight& sight) const {
  if (leaf.minimum.is_zero()) return;
  Resources missing = missing_minimum(leaf);
  sight.leaves.back().is_at_minimum = missing.is_zero();
  if (missing.is_zero() || !leaf.rules.minimum_share_timeout_s) {
    return spread(leaf, Resources(), now, first, sight);
  }
  const TraceTime since =
      leaf.is_at_minimum ? std::max(leaf.last_at_minimum, before) : leaf.last_at_minimum;
  const TraceTime until = since + seconds(*leaf.rules.minimum_share_timeout_s);
  if (now < until) {
    sight.next = std::min(sight.next, until);
    missing = Resources();
  }
  for (std::size_t i = first; i < sight.seen.size(); ++i) missing -= sight.seen[i].by_share;
  spread(leaf, not_negative(missing), now, first, sight);
}

void Starvation::spread(const LiveQueue& leaf, Resources missing, TraceTime now, std::size_t first,
                        StarvationSight& sight) const {
  std::size_t place = first;  // those that were seen already come first here too
  visit_in_turn(leaf, [&](LiveApplication& application) {
    if (application.next_starvation_check > now) {
      sight.next = std::min(sight.next, application.next_starvation_check);
      return false;
    }
    if (place == sight.seen.size()) {
      sight.seen.push_back({.application = &application, .by_share = {}, .by_minimum = {}});
    }
    StarvedApplication& seen = sight.seen[place++];
    if (missing.is_zero()) return false;
    const Resources wanted = not_negative(application.demand - application.usage - seen.by_share);
    const bool wants_more = order_.is_below(leaf, missing, wanted);
    seen.by_minimum = wants_more ? missing : wanted;
    missing = wants_more ? Resources() : not_negative(missing - wanted);
    return false;
  });
}

void Starvation::forward(LiveQueue& leaf, TraceTime before) {
  LiveApplication* content = applications_.find(leaf.content);
  if (leaf.content.is_valid() && content != nullptr) {
    content->last_at_share = std::max(content->last_at_share, before);
  }
  leaf.content = ApplicationId();
  if (leaf.is_at_minimum) leaf.last_at_minimum = std::max(leaf.last_at_minimum, before);
}

void Starvation::note(const StarvationSight& sight, TraceTime before) {
  for (const StarvationSight::Leaf& seen : sight.leaves) {
    forward(*seen.leaf, before);
    seen.leaf->content = seen.content;
    seen.leaf->is_at_minimum = seen.is_at_minimum;
  }
  for (const StarvedApplication& seen : sight.seen) {
    seen.application->lacks_of_share = seen.by_share;
    seen.application->lacks_of_minimum = seen.by_minimum;
  }
}

void Starvation::rest(TraceTime before) {
  for (const auto& [path, queue] : tree_.queues()) {
    if (!queue->is_leaf) continue;
    forward(*queue, before);
    queue->is_at_minimum = false;
  }
}

}  // namespace tracebed
