// Which sizes of containers YARN allocates (scheduler.SchedulerUtils: validateResourceRequest, then
// getNormalizedResource; AbstractYarnScheduler, FairScheduler.normalizeResource). A request above
// the maximum is refused. Others are raised to the minimum and to a multiple of the step, but not
// beyond the largest node: with 512 MiB and 2048 MiB, the analysis' table 6.1, 600 MiB become 1024
// and 2049 are refused.
//
// With the memory calculator only memory is raised. YARN then records one vcore for each container,
// whatever it asked for (Resources.createResource).
//
// Deviations, each on purpose:
// - [container-vcores] With the memory calculator a container keeps the vcores that it asks for,
//   which are recorded and decide nothing: they are what its task takes of its machine's CPUs,
//   where it is modelled and where it is limited. YARN records one and leaves the rest to the
//   machine.
#pragma once

#include <string>

#include "core/cluster_model.h"
#include "core/result.h"
#include "core/scheduler_events.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {

struct ContainerLimits {
  ResourceCalculator calculator{ResourceCalculator::Kind::memory};
  Resources minimum;
  Resources step;     // zero in a dimension: the minimum is
  Resources maximum;  // zero in a dimension: no limit but the nodes' size
};

// As FairScheduler.validateConf and CapacityScheduler.validateConf have it. `subject` begins the
// sentence of a failure.
Status check_allocation_range(const std::string& subject, const Resources& minimum,
                              const Resources& maximum);

class ContainerSizes {
 public:
  explicit ContainerSizes(const ContainerLimits& limits) : limits_(limits) {}

  // Nodes that were seen keep counting: a request does not shrink because a node is lost.
  void set_limits(const ContainerLimits& limits) { limits_ = limits; }
  // To be called for every event of every decide().
  void see(const ClusterModel& cluster, const SchedulerEvent& event);

  // The container for a request of `demand`. `queue_maximum`, of the queue that it is from, may be
  // null; if given, zero in a dimension allows nothing. Fails with a sentence.
  Result<Resources> size_for(const Resources& demand, const Resources* queue_maximum) const;

 private:
  ContainerLimits limits_;
  Resources largest_;  // of all nodes that were seen, dimension by dimension
};

}  // namespace tracebed
