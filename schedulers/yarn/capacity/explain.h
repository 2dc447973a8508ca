// What a capacity-scheduler.xml means on a given cluster, figure by figure, each with the formula
// and the numbers that it comes from. The first sixteen carry the names of the queue page of YARN's
// ResourceManager; those that only a running cluster has are shown as before the first application.
#pragma once

#include <vector>

#include "core/scheduler_view.h"
#include "schedulers/yarn/capacity/capacity_configuration.h"

namespace tracebed {

// Which Hadoop's formulas: 3, or 2.0 as the YARN analysis describes it, which counts active
// applications instead of their masters' resources and does not limit a user's applications to the
// queue's.
enum class YarnGeneration : std::uint8_t { hadoop_2, hadoop_3 };

struct ExplainedCluster {
  Resources resources;  // of the default partition
  Resources minimum_allocation{1'000, 1'024};
  ResourceDimensions dimensions = {};
};

// In the order of the configuration's queues; of the default partition.
std::vector<ExplainedQueue> explain(const CapacityConfiguration& configuration,
                                    const ExplainedCluster& cluster, YarnGeneration generation);

}  // namespace tracebed
