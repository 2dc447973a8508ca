#include "schedulers/hadoop1/node_turns.h"

#include <algorithm>
#include <utility>

#include "schedulers/parts/measured_load.h"

namespace tracebed {

bool NodeTurns::has_news(const Node& node, const FreeTable& free) const {
  if (node.id.index() >= served_.size()) return true;
  const Served& last = served_[node.id.index()];
  return last.changes != changes_ || last.unloaded != unloaded_part(node, free.free(node.id));
}

std::span<const NodeId> NodeTurns::follow(const SchedulerInput& input, const FreeTable& free) {
  turns_.clear();
  const bool is_by_arrival = order_.by == TurnOrder::By::arrival;
  if (!is_by_arrival) {
    if (others_wake_at_ <= input.now) ++changes_;
    for (const SchedulerEvent& event : input.events) {
      const bool is_of_time =
          std::holds_alternative<NodeUpdated>(event) || std::holds_alternative<Tick>(event);
      if (!is_of_time) ++changes_;
    }
  }
  for (const SchedulerEvent& event : input.events) {
    const auto* const updated = std::get_if<NodeUpdated>(&event);
    if (updated == nullptr || !free.is_alive(updated->node)) continue;
    if (is_by_arrival) {
      turns_.push_back(updated->node);
    } else if (has_news(input.cluster.node(updated->node), free)) {
      gathered_.insert(updated->node);
    }
  }
  if (gathered_.empty()) return turns_;
  if (serve_at_ == never) serve_at_ = input.now + order_.gather;
  if (serve_at_ <= input.now) serve_gathered(input, free);
  return turns_;
}

void NodeTurns::serve_gathered(const SchedulerInput& input, const FreeTable& free) {
  std::vector<std::pair<std::int64_t, NodeId>> ranked;  // nodes of equal load by id
  for (const NodeId node : gathered_) {
    if (!free.is_alive(node)) continue;
    const std::int64_t unloaded = unloaded_part(input.cluster.node(node), free.free(node));
    if (served_.size() <= node.index()) served_.resize(node.index() + 1);
    served_[node.index()] = {changes_, unloaded};
    ranked.emplace_back(order_.by == TurnOrder::By::most_loaded ? unloaded : -unloaded, node);
  }
  std::sort(ranked.begin(), ranked.end());
  for (const auto& [rank, node] : ranked) turns_.push_back(node);
  gathered_.clear();
  serve_at_ = never;
}

void NodeTurns::wake(TraceTime now, Decisions& decisions) {
  if (order_.by == TurnOrder::By::arrival) return;
  if (wake_at_ <= now) wake_at_ = never;
  for (const Decision& decision : decisions.list()) {
    const auto* const asked = std::get_if<WakeAt>(&decision);
    if (asked == nullptr) {
      ++changes_;
      continue;
    }
    others_wake_at_ = asked->at;
    wake_at_ = asked->at;
  }
  if (others_wake_at_ <= now) others_wake_at_ = never;
  const TraceTime due = std::min(others_wake_at_, serve_at_);
  if (due == never || due == wake_at_) return;
  wake_at_ = due;
  decisions.wake_at(due);
}

HeartbeatInterest NodeTurns::interest(HeartbeatInterest interest) const {
  if (order_.by == TurnOrder::By::arrival) return interest;
  return {.any = true, .minimum = {}, .after_wake_ups = interest.after_wake_ups};
}

}  // namespace tracebed
