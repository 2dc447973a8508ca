// The nodes that hold blocks, grouped by rack.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/cluster_model.h"
#include "core/ids.h"

namespace tracebed {

class RackTopology {
 public:
  RackTopology() = default;
  // All of `nodes`, alive or not: a file that was written before still has replicas on a lost node.
  explicit RackTopology(std::span<const Node> nodes);

  std::size_t nodes() const { return by_rack_.size(); }
  // Racks that have nodes.
  std::size_t racks() const { return racks_; }

  // The nodes ordered by (rack, id), so that a rack's are adjacent. Positions refer to this order.
  NodeId node_at(std::size_t position) const { return by_rack_[position]; }
  RackId rack_of(NodeId node) const { return rack_of_[node.index()]; }
  std::size_t position_of(NodeId node) const { return position_of_[node.index()]; }
  // The positions of a rack's nodes: [first, second).
  std::pair<std::size_t, std::size_t> positions_of(RackId rack) const {
    return {rack_begin_[rack.index()], rack_begin_[rack.index() + 1]};
  }

 private:
  std::vector<NodeId> by_rack_;
  std::vector<RackId> rack_of_;             // by node
  std::vector<std::uint32_t> position_of_;  // by node
  std::vector<std::uint32_t> rack_begin_;   // by rack, and one more
  std::size_t racks_ = 0;
};

}  // namespace tracebed
