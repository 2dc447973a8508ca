// How many containers of each application are on each node, including those that were proposed. The
// model has no such count, so it follows events and proposals.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/scheduler.h"

namespace tracebed {

class ApplicationContainers {
 public:
  // To be called first in every decide(). After a refusal everything is counted anew.
  void follow(const SchedulerInput& input);
  // A container was proposed, or a proposal of the same call is taken back.
  void add(ApplicationId application, NodeId node) { ++counts_[{application, node}]; }
  void take(ApplicationId application, NodeId node);

  // Fills in the counts by node, for all nodes of the cluster. Returns the largest.
  std::uint32_t counts_of(ApplicationId application, std::size_t nodes,
                          std::vector<std::uint32_t>& counts) const;

  // True if it agrees with the model, as it must after follow().
  bool agrees_with(const ClusterModel& cluster) const { return counts_ == counted(cluster); }

 private:
  using Counts = std::map<std::pair<ApplicationId, NodeId>, std::uint32_t>;
  static Counts counted(const ClusterModel& cluster);

  Counts counts_;  // none is zero
};

}  // namespace tracebed
