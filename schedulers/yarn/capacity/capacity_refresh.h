// Which changes of the queues a refresh may make (scheduler.capacity.
// CapacitySchedulerConfigValidator.validateQueueHierarchy, AbstractLeafQueue.reinitialize).
#pragma once

#include "schedulers/yarn/capacity/capacity_state.h"

namespace tracebed {

// Refuses, with a sentence that names the queue,
// - to remove a queue that is not stopped, neither now nor in the new file, or that still has
//   applications; with queues that are kept for ever, any;
// - to give a leaf queues of its own under the same condition;
// - to take applications' queue away by making a queue that has them something else;
// - to lower the maximum allocation of a leaf, which was reported to masters. That of the
// scheduler,
//   in yarn-site.xml or in the file, may be lowered as long as it is that of no leaf.
Status check_refresh(const CapacityState& state, const CapacitySettings& settings);

}  // namespace tracebed
