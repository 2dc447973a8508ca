// What predicates and priorities are asked about: a unit of an ask, and a node for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cluster_model.h"
#include "core/names.h"
#include "core/time.h"
#include "schedulers/parts/allowed_places.h"
#include "schedulers/placement/nodes_by_use.h"

namespace tracebed {

// How many blocks of an application's input are on each node and rack.
struct InputPresence {
  std::uint32_t blocks = 0;
  std::vector<std::uint32_t> on_nodes;  // by node; shorter if further nodes have none
  std::vector<bool> in_racks;           // by rack, likewise

  std::uint32_t on(NodeId node) const {
    return node.index() < on_nodes.size() ? on_nodes[node.index()] : 0;
  }
  bool is_in(RackId rack) const { return rack.index() < in_racks.size() && in_racks[rack.index()]; }
};

// When a node counts as one that is not well.
struct NodeConditionLimits {
  double memory_pressure = 0.95;       // from this measured part of its memory on
  std::int32_t io_pressure = 500;      // from this NodeReport::io_pressure on
  Duration stale_after = seconds(30);  // without a heartbeat for longer
};

struct UnitRequest {
  AskId id;
  const Ask& ask;
  std::size_t dimensions = 2;  // of the run's resources
  UsedShare share = UsedShare::sum;
  const AllowedPlaces& allowed;
  const Names* names = nullptr;  // null: labels have no names
  // Of the ask's application; null if its units read no file, or if no priority is about it.
  const InputPresence* input = nullptr;
  // Containers of the ask's application, and of its user, on the node that has the most of them.
  std::uint32_t most_of_application = 0;
  std::uint32_t most_of_user = 0;
  NodeConditionLimits conditions = {};
  TraceTime now{};
};

// A node that is alive, with what was proposed in this call.
struct CandidateNode {
  const Node& node;
  const NodeReport& report;
  const Resources& free;
  bool has_room = false;  // for a unit of the ask
  std::uint32_t containers = 0;
  std::uint32_t of_application = 0;  // containers of the ask's application
  std::uint32_t of_user = 0;         // of all applications of its user
  // Units of the ask that were placed there in this call since the ask prefers the node.
  std::uint32_t placed_as_preferred = 0;
};

}  // namespace tracebed
