// Which containers a round of the Capacity scheduler's preemption chooses: the figures of all
// queues in all partitions, put into the formulas of queue_balance.h and within_queue.h, and the
// resulting amounts taken from applications (monitor.capacity.ProportionalCapacityPreemptionPolicy,
// QueuePriorityContainerCandidateSelector, ReservedContainerCandidatesSelector,
// FifoCandidatesSelector, IntraQueueCandidatesSelector).
//
// It changes nothing, so that what would be chosen can also be shown.
//
// Deviations, each on purpose:
// - [capacity-one-too-many] What one selector chose is deducted in full from what the next one
//   needs; the original omits it if it is no less than what is needed, and then chooses one
//   container too many.
// - [capacity-waiting-gangs] YARN has no gangs. A gang that waits counts with
//   all its units or none: none if its user's limit, or what its queue can be
//   given, is less than the gang, since room that it cannot use would be freed
//   in vain.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "schedulers/yarn/capacity/capacity_state.h"
#include "schedulers/yarn/capacity/preemption/queue_balance.h"

namespace tracebed {

// Priorities of asks that are closed, whose containers may still run.
using ClosedPriorities = std::map<ApplicationId, std::map<AskId, std::int32_t>>;

enum class ChosenFor : std::uint8_t {
  priority,      // to make room for what a more important queue has reserved
  reservation,   // to make room for a reserved container on its node
  guarantee,     // for queues below their guarantee
  evening_out,   // between queues that have their guarantee
  within_queue,  // for more important applications, or users below their limit
};
// In words, for people.
std::string_view reason_text(ChosenFor chosen_for);

struct ChosenContainer {
  ContainerId container;
  ApplicationId application;
  ChosenFor chosen_for = ChosenFor::guarantee;
};

// Between nodes.
struct MovedReservation {
  NodeId from;
  NodeId to;
};

struct RoundChoice {
  std::vector<ChosenContainer> containers;  // in the order in which they were chosen
  // Reservations of applications that have to give something up; these go first.
  std::vector<NodeId> unreserved;
  std::vector<MovedReservation> moved;
};

RoundChoice choose_containers(const CapacityState& state, const ClusterModel& cluster,
                              const ClosedPriorities& closed, TraceTime now);

// The figures by which a round would choose now, by partition: those of its last pass between
// queues (the one for guarantees or, where the round evens out what is above them, that one), with
// what earlier passes take added to to_obtain.
std::vector<std::vector<QueueBalance>> balances_now(const CapacityState& state,
                                                    const ClusterModel& cluster,
                                                    const ClosedPriorities& closed, TraceTime now);

// The figures of all queues in the partition, without results and without what is leaving.
std::vector<QueueBalance> balances_of(const CapacityState& state, PartitionIndex partition,
                                      bool goes_beyond_guarantee);

}  // namespace tracebed
