#include "schedulers/concurrent/decision_snapshot.h"

namespace tracebed {

void DecisionSnapshot::follow(const ClusterModel& cluster, std::span<const NodeId> changed) {
  for (std::size_t i = cluster_.nodes.size(); i < cluster.nodes.size(); ++i) {
    cluster_.nodes.push_back(cluster.nodes[i]);
  }
  for (const NodeId node : changed) cluster_.nodes[node.index()] = cluster.node(node);
  cluster_.racks = cluster.racks;
  cluster_.capacity = cluster.capacity;
  cluster_.free = cluster.free;
  cluster_.limits = cluster.limits;
  if (source_ == nullptr) return;
  for (std::size_t i = names_.labels.size(); i < source_->labels.size(); ++i) {
    names_.labels.intern(source_->labels.name(LabelId(i)));
  }
}

void DecisionSnapshot::add(const ClusterModel& cluster, ApplicationId job) {
  const Application* const application = cluster.applications.find(job);
  if (application == nullptr) return;
  cluster_.applications.emplace_at(job, *application);
  for (const AskId ask : application->asks) cluster_.asks.emplace_at(ask, cluster.asks[ask]);
  jobs_.push_back(job);
  const InputBlocks* const input = cluster.input_of(job);
  if (input != nullptr) cluster_.inputs.try_emplace(job, *input);
}

void DecisionSnapshot::remove_jobs() {
  for (const ApplicationId job : jobs_) {
    for (const AskId ask : cluster_.applications[job].asks) cluster_.asks.erase(ask);
    cluster_.applications.erase(job);
  }
  jobs_.clear();
}

}  // namespace tracebed
