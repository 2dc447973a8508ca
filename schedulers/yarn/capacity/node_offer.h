// Handles a node's heartbeat: the queues, in the order of their turns, down to the applications and
// asks, are offered the node until none takes anything
// (scheduler.capacity.CapacityScheduler.allocateContainersToNode, AbstractParentQueue,
// AbstractLeafQueue.assignContainers, allocator.RegularContainerAllocator).
//
// Deviations, each on purpose:
// - [capacity-every-dimension] What a queue has left is compared in all dimensions that the
//   calculator counts; YARN compares the dominant one first and fails at the commit.
// - [capacity-further-resources] With the memory calculator YARN does not start if there are other
//   resources than memory and vcores. Here such a resource limits what is placed on a node, as
//   memory does, and nothing else.
// - [capacity-one-size] A request for nodes, racks and anywhere has one size. In YARN each of the
// three
//   may have its own, which no master of Hadoop's makes use of.
// - [capacity-gangs] YARN has no gangs. A gang takes its turn as one container of all its
//   units: it must fit in what the queues have left, and is placed over the partition's
//   unreserved nodes in id order, or not at all. If it is larger than what is left, it
//   blocks that for others, as a container would, so what preemption frees for it adds up;
//   if only the nodes' free pieces are too small, the next application has its turn. No
//   node is reserved for it, and it gets no nodes of a shared label that it did not ask
//   for.
// - [capacity-nodes-without-rack] An ask that names nodes but no
//   rack is served by its nodes; YARN's clients name their racks
//   too.
#pragma once

#include <vector>

#include "core/decisions.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/yarn/capacity/capacity_state.h"

namespace tracebed {

// A unit, or a gang's piece, that was proposed and is counted as used.
struct Proposal {
  ApplicationId application;
  AskId ask;
  NodeId node;
  PartitionIndex partition = default_partition;
  Resources amount;
  bool is_gang = false;
};

class NodeOffer {
 public:
  // For one call of the scheduler, which has the number `call`.
  NodeOffer(CapacityState& state, FreeTable& free, const SchedulerInput& input, std::uint64_t call,
            std::vector<Proposal>& proposals, Decisions& decisions);

  void offer(NodeId node);

 private:
  enum class Outcome : std::uint8_t {
    nothing,
    queue_limit,  // what is next does not fit in what the queue has left
    allocated,
    reserved,
  };
  struct Assignment {
    Outcome outcome = Outcome::nothing;
    bool is_off_switch = false;
    bool took() const { return outcome >= Outcome::allocated; }
  };
  // What a queue may use now within its ancestors' limits (ResourceLimits).
  struct Limits {
    Resources limit;
    Resources headroom;      // limit − used
    Resources blocked;       // kept free for children that could not take their turn
    Resources to_unreserve;  // what an application must give up to get anything
  };
  enum class Level : std::uint8_t { node, rack, off_switch };
  enum class Try : std::uint8_t {
    next_ask,
    next_application,
    next_queue,  // Outcome::queue_limit
    allocated,
    reserved,
  };

  // To asks of the node's partition, and to others if its label is shared.
  Assignment assign();
  Assignment assign_root();
  Assignment assign_to_parent(QueueIndex queue, Limits& limits);
  Assignment assign_to_leaf(QueueIndex queue, Limits& limits);
  Assignment assign_in_turn(QueueIndex queue, Limits& limits,
                            const std::vector<RunningApplication*>& strict);
  // Of the leaf's strict applications, those that could take the offer or influence it.
  const std::vector<RunningApplication*>& strict_of(QueueIndex queue, Limits limits);
  std::vector<QueueIndex> children_with_demand(QueueIndex queue) const;
  Limits limits_of(QueueIndex child, QueueIndex parent, const Limits& limits) const;
  bool has_room(QueueIndex queue, Limits& limits, const Resources& unreservable) const;
  bool may_use_more(const RunningApplication& application, Limits& limits);
  bool is_shared_offer() const { return asked_ != partition_; }
  bool looks_at_other_nodes() const {
    return configuration_.reservations_look_at_all_nodes && partition_ == default_partition;
  }

  Assignment assign_to_application(RunningApplication& application, const Limits& limits);
  Try try_ask(RunningApplication& application, OpenAsk& ask, const Limits& limits);
  Try try_places(RunningApplication& application, OpenAsk& ask, const Limits& limits);
  Try try_gang(RunningApplication& application, OpenAsk& ask, const Limits& limits);
  // None: the ask can have no unit here at this level.
  std::optional<Try> try_level(RunningApplication& application, OpenAsk& ask, Level level,
                               const Limits& limits);
  NodeId node_to_unreserve(const OpenAsk& ask, const Resources& needed) const;
  bool needs_another(const OpenAsk& ask) const;

  // True if the delays allow the level.
  bool may_go_to(const OpenAsk& ask, Level level) const;
  bool is_wanted_on_node(const OpenAsk& ask) const;

  void serve_reservation();
  void allocate(RunningApplication& application, OpenAsk& ask, Level level);
  void count_level(OpenAsk& ask, Level level);
  void propose(RunningApplication& application, OpenAsk& ask, NodeId node, std::uint32_t units);
  // Resets the ask's per-call data for this call.
  void open(OpenAsk& ask) const;
  bool has_minimum() const;
  bool is_wanted_by_nobody() const;

  CapacityState& state_;
  const CapacityConfiguration& configuration_;
  const ResourceCalculator calculator_;
  FreeTable& free_;
  const ClusterModel& cluster_;
  const TraceTime now_;
  std::uint64_t call_;
  std::vector<Proposal>& proposals_;
  Decisions& decisions_;
  // Of the node that is offered.
  const Node* node_ = nullptr;
  PartitionIndex partition_ = default_partition;
  bool is_shared_ = false;                    // its label is
  PartitionIndex asked_ = default_partition;  // whose asks are served now
  std::vector<RunningApplication*> strict_;
  Resources shared_limit_;
  Level level_ = Level::off_switch;  // of the unit that was placed or reserved last
  std::vector<GangPiece> pieces_;
};

}  // namespace tracebed
