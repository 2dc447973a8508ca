#include "applications/parts/recorded_places.h"

#include <algorithm>

namespace tracebed {

void NodeNames::learn(std::span<const Node> nodes) {
  for (; known_ < nodes.size(); ++known_) nodes_.emplace(nodes[known_].name, nodes[known_].id);
}

std::optional<NodeId> NodeNames::find(std::string_view name) const {
  const auto found = nodes_.find(std::string(name));
  return found == nodes_.end() ? std::nullopt : std::optional(found->second);
}

StagePlaces recorded_places(const InputPlaces& places, const NodeNames& names,
                            std::span<const Node> nodes) {
  std::vector<NodeId> node_of;  // by host; invalid: not in this run
  node_of.reserve(places.hosts.size());
  for (const std::string& host : places.hosts) {
    node_of.push_back(names.find(host).value_or(NodeId()));
  }
  const auto tasks = static_cast<std::uint32_t>(places.ends.size());
  std::vector<std::vector<Replica>> known(tasks);
  StagePlaces result;
  for (std::uint32_t task = 0; task < tasks; ++task) {
    for (const std::uint32_t host : places.of(task)) {
      if (!node_of[host].is_valid()) continue;
      const Replica replica{node_of[host], nodes[node_of[host].index()].rack};
      std::vector<Replica>& of_task = known[task];
      if (std::find(of_task.begin(), of_task.end(), replica) == of_task.end()) {
        of_task.push_back(replica);
      }
    }
    result.replication =
        std::max(result.replication, static_cast<std::uint32_t>(known[task].size()));
  }
  result.replicas.reserve(std::size_t{tasks} * result.replication);
  for (std::vector<Replica>& of_task : known) {
    of_task.resize(result.replication);
    result.replicas.insert(result.replicas.end(), of_task.begin(), of_task.end());
  }
  return result;
}

std::vector<NodeId> nodes_with_label(std::span<const std::string> labels,
                                     std::span<const Node> nodes) {
  std::vector<NodeId> found;
  for (const Node& node : nodes) {
    const bool has_one = std::any_of(node.labels.begin(), node.labels.end(), [&](const auto& own) {
      return std::find(labels.begin(), labels.end(), own) != labels.end();
    });
    if (has_one) found.push_back(node.id);
  }
  return found;
}

}  // namespace tracebed
