#include "applications/preemption/moved_tasks.h"

#include <algorithm>
#include <utility>

namespace tracebed {

std::optional<MovedTasks::Order> MovedTasks::ended(ContainerId container) {
  const auto found = ordered_.find(container);
  if (found == ordered_.end()) return std::nullopt;
  const Order order = found->second;
  ordered_.erase(found);
  return order;
}

bool MovedTasks::wait(const Order& order, TaskRef task, SetAsk ask, MasterActions& actions) {
  const std::optional<AskSlot> slot = free_slot();
  if (!slot) return false;
  ask.pending = 1;
  const auto added =
      waiting_.emplace(*slot, Waiting{.task = task, .order = order, .ask = std::move(ask)}).first;
  open(*slot, added->second, actions);
  return true;
}

std::optional<AskSlot> MovedTasks::free_slot() const {
  for (AskSlot slot = first_slot_; slot < first_slot_ + moved_asks_max; ++slot) {
    if (!waiting_.contains(slot)) return slot;
  }
  return std::nullopt;
}

void MovedTasks::open(AskSlot slot, const Waiting& waiting, MasterActions& actions) const {
  SetAsk ask = waiting.ask;
  ask.slot = slot;
  const NodeId destination = waiting.order.destination;
  const bool may_go_there =
      destination.is_valid() && (ask.relax_locality || preferred_at(ask.nodes, destination) > 0);
  if (may_go_there) {
    ask.relax_locality = false;
    ask.nodes = {{destination, 1}};
    ask.racks.clear();
  } else {
    ask.avoided = waiting.order.left;
    std::erase_if(ask.nodes, [&](const auto& named) { return named.place == ask.avoided; });
  }
  actions.push_back(std::move(ask));
}

std::optional<TaskRef> MovedTasks::granted(const Grant& grant, MasterActions& actions) {
  const auto found = waiting_.find(grant.slot);
  if (found == waiting_.end()) return std::nullopt;
  const TaskRef task = found->second.task;
  waiting_.erase(found);
  actions.push_back(CloseAsk{grant.slot});
  return task;
}

void MovedTasks::node_lost(NodeId node, MasterActions& actions) {
  for (auto& [container, order] : ordered_) {
    if (order.destination == node) order.destination = NodeId();
  }
  for (auto& [slot, waiting] : waiting_) {
    if (waiting.order.destination != node) continue;
    waiting.order.destination = NodeId();
    open(slot, waiting, actions);
  }
}

std::uint32_t MovedTasks::waiting(std::uint16_t stage) const {
  return static_cast<std::uint32_t>(
      std::count_if(waiting_.begin(), waiting_.end(),
                    [&](const auto& entry) { return entry.second.task.stage == stage; }));
}

}  // namespace tracebed
