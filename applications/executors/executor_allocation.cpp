#include "applications/executors/executor_allocation.h"

#include <algorithm>

namespace tracebed {

std::uint32_t ExecutorAllocation::update(TraceTime now, std::uint32_t pending,
                                         std::uint32_t running, std::uint32_t placed) {
  if (pending == 0) {
    add_at_ = never;
    to_add_ = 1;
  } else if (add_at_ == never) {
    add_at_ = now + options_.backlog;
  }
  const std::uint32_t needed = pending + running;
  if (needed < target_) {
    target_ = needed;
    to_add_ = 1;
  } else if (now >= add_at_) {
    add(needed, placed);
    add_at_ += options_.backlog;
  }
  return target_;
}

void ExecutorAllocation::add(std::uint32_t needed, std::uint32_t placed) {
  const std::uint32_t before = target_;
  target_ = std::max(target_, placed) + to_add_;
  target_ = std::min({target_, needed, most_});
  to_add_ = target_ - before == to_add_ ? to_add_ * 2 : 1;
}

void LocalTasks::add(const LocalTasks& other) {
  tasks += other.tasks;
  for (const auto& [node, on_node] : other.nodes) {
    OnNode& sum = nodes[node];
    sum.rack = on_node.rack;
    sum.tasks += on_node.tasks;
  }
}

WantedPlaces wanted_places(std::uint32_t wanted, const LocalTasks& local,
                           const std::map<NodeId, std::uint32_t>& placed) {
  std::uint64_t all = 0;  // a task counts on each node with its input
  for (const auto& [node, on_node] : local.nodes) all += on_node.tasks;
  std::map<NodeId, std::uint64_t> missing;  // executors (expectedHostToContainerCount)
  std::uint64_t missing_in_all = 0;
  std::uint64_t most = 0;
  for (const auto& [node, on_node] : local.nodes) {
    const auto here = placed.find(node);
    const std::uint64_t has = here == placed.end() ? 0 : here->second;
    // Rounded up, as what is there already is a whole number.
    const std::uint64_t expected = (std::uint64_t{on_node.tasks} * local.tasks + all - 1) / all;
    missing[node] = expected > has ? expected - has : 0;
    missing_in_all += missing[node];
    most = std::max(most, missing[node]);
  }
  WantedPlaces places;
  const std::uint64_t near = std::min<std::uint64_t>(wanted, missing_in_all);
  if (near == 0) return places;
  std::map<RackId, std::uint32_t> racks;
  for (const auto& [node, executors] : missing) {
    // The first so many of the executors name the node, and its rack.
    const auto naming = static_cast<std::uint32_t>((executors * near + most - 1) / most);
    if (naming == 0) continue;
    places.nodes.push_back({node, naming});
    std::uint32_t& in_rack = racks[local.nodes.at(node).rack];
    in_rack = std::max(in_rack, naming);
  }
  for (const auto& [rack, naming] : racks) places.racks.push_back({rack, naming});
  return places;
}

}  // namespace tracebed
