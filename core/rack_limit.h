// How many of a block's replicas one rack may have (org.apache.hadoop.hdfs.server.blockmanagement.
// BlockPlacementPolicyDefault.getMaxNodesPerRack).
#pragma once

#include <cstddef>

namespace tracebed {

// Of `total` replicas on a cluster of `racks` racks that have nodes.
constexpr std::size_t default_rack_max(std::size_t total, std::size_t racks) {
  if (racks <= 1 || total <= 1) return total;
  const std::size_t most = (total - 1) / racks + 2;
  return most == total ? most - 1 : most;
}

}  // namespace tracebed
