// What a capacity-scheduler.xml means on a given cluster, figure by figure, each with the formula
// and the numbers that it comes from. The first sixteen carry the names of the queue page of YARN's
// ResourceManager; those that only a running cluster has are shown as before the first application.
#pragma once

#include <vector>

#include "core/scheduler_view.h"
#include "schedulers/yarn/capacity/capacity_configuration.h"

namespace tracebed {

struct ExplainedCluster {
  Resources resources;  // of the default partition
  Resources minimum_allocation{1'000, 1'024};
  ResourceDimensions dimensions = {};
};

// In the order of the configuration's queues; of the default partition.
std::vector<ExplainedQueue> explain(const CapacityConfiguration& configuration,
                                    const ExplainedCluster& cluster, YarnGeneration generation);

}  // namespace tracebed
