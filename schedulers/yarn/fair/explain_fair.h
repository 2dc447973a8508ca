// What the Fair Scheduler's allocation file means on a given cluster, figure by figure, with the
// names of the file's elements.
#pragma once

#include <vector>

#include "schedulers/yarn/explained.h"
#include "schedulers/yarn/fair/fair_allocations.h"

namespace tracebed {

std::string policy_name(SharePolicy policy);
// "memory: 4096, vCores: unlimited", with the cluster's further resources: "gpu: unlimited".
std::string limit_text(const Resources& resources, const ResourceDimensions& dimensions);

// In the order of the file's queues.
std::vector<ExplainedQueue> explain(const FairAllocations& allocations, const Resources& cluster,
                                    const ResourceDimensions& dimensions = {});

}  // namespace tracebed
