// The cluster as it was when a decision began, for a scheduler that decides in a thread of its own
// while the engine goes on. The engine's thread changes it between decisions; the
// scheduler's thread reads it during one.
#pragma once

#include <span>
#include <vector>

#include "core/cluster_model.h"
#include "core/names.h"

namespace tracebed {

class DecisionSnapshot {
 public:
  // `names` are the run's, which grow; null: there are none.
  explicit DecisionSnapshot(const Names* names) : source_(names) {}

  // Of the names those of labels, as of the last follow().
  const Names& names() const { return names_; }
  // All nodes, and of applications and asks those that were added.
  const ClusterModel& cluster() const { return cluster_; }

  // Nodes that are new, and those in `changed`, are as they are now. Costs what has changed.
  void follow(const ClusterModel& cluster, std::span<const NodeId> changed);
  // The job with its asks and its input, if it is open.
  void add(const ClusterModel& cluster, ApplicationId job);
  // The jobs that were added. Their input, which does not change, stays until it is forgotten.
  void remove_jobs();
  void forget_input(ApplicationId job) { cluster_.inputs.erase(job); }

 private:
  const Names* source_;
  Names names_;
  ClusterModel cluster_;
  std::vector<ApplicationId> jobs_;
};

}  // namespace tracebed
