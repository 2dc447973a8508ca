#include "coordinator/virtual/late_heartbeats.h"

#include <algorithm>

#include "core/mix.h"

namespace tracebed {

LateHeartbeats::LateHeartbeats(std::vector<Duration> phases, Duration period,
                               const HeartbeatJitter& jitter)
    : nodes_(phases.size()),
      period_(period),
      seed_(jitter.seed),
      delay_(jitter.delay, Random(jitter.seed)) {
  for (std::size_t i = 0; i < phases.size(); ++i) nodes_[i].phase = phases[i];
}

TraceTime LateHeartbeats::time_of(NodeId node, std::int64_t turn) const {
  Random random(mix(mix(seed_ + node.value()) + static_cast<std::uint64_t>(turn)));
  const Duration delay = std::min(delay_.draw(random), period_ - microseconds(1));
  return TraceTime(turn * period_ + nodes_[node.index()].phase + delay);
}

void LateHeartbeats::find_next(NodeId id) {
  Node& node = nodes_[id.index()];
  // What is due before this turn is not so late.
  const std::int64_t earliest = (now_.time_since_epoch() - node.phase) / period_ - 1;
  node.turn = std::max({node.taken + 1, earliest, std::int64_t{0}});
  while ((node.next = time_of(id, node.turn)) < now_) ++node.turn;
}

void LateHeartbeats::mark(NodeId id, bool matters) {
  Node& node = nodes_[id.index()];
  if (node.is_marked == matters) return;
  node.is_marked = matters;
  if (!matters) {
    order_.erase({node.next, id});
    return;
  }
  find_next(id);
  order_.emplace(node.next, id);
}

void LateHeartbeats::advance_first() {
  auto first = order_.extract(order_.begin());
  find_next(first.value().second);
  first.value().first = nodes_[first.value().second.index()].next;
  order_.insert(std::move(first));
}

TraceTime LateHeartbeats::next_time(TraceTime now) {
  now_ = now;
  // Those that nobody waited for lie in the past.
  while (!order_.empty() && order_.begin()->first < now) advance_first();
  return order_.empty() ? never : order_.begin()->first;
}

NodeId LateHeartbeats::take() {
  const NodeId id = order_.begin()->second;
  nodes_[id.index()].taken = nodes_[id.index()].turn;
  advance_first();
  return id;
}

}  // namespace tracebed
