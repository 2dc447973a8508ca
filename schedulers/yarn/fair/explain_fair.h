// What the Fair Scheduler's allocation file means on a given cluster, figure by figure, with the
// names of the file's elements.
#pragma once

#include <vector>

#include "core/scheduler_view.h"
#include "schedulers/yarn/fair/fair_allocations.h"

namespace tracebed {

std::string policy_name(SharePolicy policy);
// Amounts as the file has them: the largest there is stands for no limit.
ResourceLimit limit_of(const Resources& amounts);

// In the order of the file's queues.
std::vector<ExplainedQueue> explain(const FairAllocations& allocations, const Resources& cluster,
                                    const ResourceDimensions& dimensions = {});

}  // namespace tracebed
