// Maps a trace's places (names of machines, labels) to the run's nodes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "applications/parts/stage_places.h"
#include "core/cluster_model.h"
#include "core/workload.h"

namespace tracebed {

// Nodes by name. Of several with one name, the first.
class NodeNames {
 public:
  // Adds the nodes that are new since the last call; known ones keep their names.
  void learn(std::span<const Node> nodes);
  std::optional<NodeId> find(std::string_view name) const;

 private:
  std::unordered_map<std::string, NodeId> nodes_;  // looked up, never iterated
  std::size_t known_ = 0;
};

// The places whose machine is in the run; a task may be left without any. Empty (replication 0) if
// there are none at all.
StagePlaces recorded_places(const InputPlaces& places, const NodeNames& names,
                            std::span<const Node> nodes);

// The nodes, alive or not, that have one of `labels`, ascending.
std::vector<NodeId> nodes_with_label(std::span<const std::string> labels,
                                     std::span<const Node> nodes);

}  // namespace tracebed
