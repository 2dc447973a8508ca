// Steady fair shares: what each queue is entitled to if all queues, active or not, claim their part
// (FSQueue.recomputeSteadyShares). From the root down, by the parent's policy: fair shares memory
// only, drf every dimension.
#pragma once

#include <vector>

#include "schedulers/yarn/fair/fair_allocations.h"

namespace tracebed {

// In the order of the queues. A dimension that a queue's parent does not share is 0.
std::vector<Resources> steady_shares(const FairAllocations& allocations, const Resources& cluster);

}  // namespace tracebed
