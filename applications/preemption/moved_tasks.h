// The tasks of a job that must run on another node next (by a strict contract: core/preemption.h),
// from the order until their next attempt has a container.
//
// Such a task does not wait among the others of its kind. It has an ask of its own, for one
// container, which avoids the node that the task left, or takes only the task's destination. If
// that node is lost meanwhile, it takes any other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/application_master.h"
#include "core/master_calls.h"

namespace tracebed {

class MovedTasks {
 public:
  struct Order {
    NodeId left;
    NodeId destination;  // invalid: any other
  };

  // Their asks are numbered from `first_slot`; the master's own are all smaller.
  explicit MovedTasks(AskSlot first_slot) : first_slot_(first_slot) {}

  // What runs in the container must continue elsewhere.
  void order(ContainerId container, Order order) { ordered_[container] = order; }
  // To be called at the end of every attempt: the order for it, if any.
  std::optional<Order> ended(ContainerId container);
  // Opens an ask for the task: `ask` says what one of its kind asks for, slot, count and, unless it
  // is confined to them, places excepted. Returns false, and does nothing, if so many wait already
  // that no number is left.
  bool wait(const Order& order, TaskRef task, SetAsk ask, MasterActions& actions);
  // The task that the container is for, whose ask is closed; none if it was not asked for here.
  std::optional<TaskRef> granted(const Grant& grant, MasterActions& actions);
  void node_lost(NodeId node, MasterActions& actions);

  bool is_own(AskSlot slot) const { return slot >= first_slot_; }
  // Tasks of the stage that wait here.
  std::uint32_t waiting(std::uint16_t stage) const;

 private:
  struct Waiting {
    TaskRef task;
    Order order;
    SetAsk ask;  // as it would be without the order
  };
  std::optional<AskSlot> free_slot() const;
  void open(AskSlot slot, const Waiting& waiting, MasterActions& actions) const;

  AskSlot first_slot_;
  std::map<ContainerId, Order> ordered_;
  std::map<AskSlot, Waiting> waiting_;
};

}  // namespace tracebed
