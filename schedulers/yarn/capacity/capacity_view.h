// What the Capacity scheduler reports of its state: queues, applications, reservations, and why an
// active application's asks wait.
#pragma once

#include <vector>

#include "schedulers/yarn/capacity/capacity_state.h"
#include "schedulers/yarn/capacity/preemption/queue_balance.h"

namespace tracebed {

SchedulerView view_of(const CapacityState& state);

// What a round of preemption would take from each queue (by partition; the sum is shown).
void add_balances(const std::vector<std::vector<QueueBalance>>& balances, const QueueTree& tree,
                  std::vector<QueueView>& queues);

// min(the user's limit − the user's use, what the queue could use when it was last offered a node −
// what it uses), rounded down to a multiple of the minimum allocation, at most what is free in the
// partition. In dimensions that the calculator does not count, what is free.
Resources headroom_of(const CapacityState& state, const RunningApplication& application,
                      PartitionIndex partition);

// What the leaf's active applications have pending within their users' limits: of each user no more
// than is left of the limit (AbstractLeafQueue.getTotalPendingResourcesConsideringUserLimit).
Resources pending_within_limits(const CapacityState& state, QueueIndex leaf,
                                PartitionIndex partition);

// Of an active application; of all its asks if `ask` is none.
std::vector<WaitingReason> waiting_reasons(const CapacityState& state, const ClusterModel& cluster,
                                           const RunningApplication& application, AskId ask);

}  // namespace tracebed
