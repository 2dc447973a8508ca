// Where new replicas go. Each policy chooses by rules of its own among datanodes that are good: in
// service, not stale if those are avoided, not twice as loaded as the average, with enough room,
// and not on a rack that has its share (org.apache.hadoop.hdfs.server.blockmanagement.
// BlockPlacementPolicyDefault.isGoodDatanode, getMaxNodesPerRack).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "coordinator/storage/datanode_topology.h"
#include "coordinator/storage/datanodes.h"
#include "core/ids.h"
#include "core/random.h"
#include "core/result.h"

namespace tracebed {

struct ReplicaRequest {
  NodeId writer;                 // invalid if the writer is not on a datanode
  std::uint32_t count = 0;       // of replicas to be placed
  std::vector<NodeId> existing;  // have one, the first of them first; empty for a new block
  std::vector<NodeId> excluded;  // are not to get one: those that failed the writer
  std::int64_t bytes = 0;        // that there must be room for
};

struct PlacementOptions {
  bool considers_load = true;            // dfs.namenode.redundancy.considerLoad
  double load_factor = 2;                // dfs.namenode.redundancy.considerLoad.factor
  bool avoids_stale_for_writes = false;  // as long as enough others are there
};

// What a policy sees.
struct PlacementView {
  const DatanodeTopology& topology;  // has those of `datanodes` that are alive
  const Datanodes& datanodes;
  const PlacementOptions& options;
  TraceTime now;
};

class ReplicaPlacement {
 public:
  virtual ~ReplicaPlacement() = default;
  // At most `count` nodes, fewer where there are not enough good ones, in the order of a pipeline
  // that begins near the writer. Draws from `random` alone.
  virtual std::vector<NodeId> choose(const PlacementView& view, const ReplicaRequest& request,
                                     Random& random) const = 0;
};

// "default": BlockPlacementPolicyDefault; "rack_fault_tolerant": BlockPlacementPolicyRackFault-
// Tolerant; "same_rack_second": the second replica on another node of the first's rack, the third
// on another rack. Fails with a sentence that lists these names.
Result<std::unique_ptr<ReplicaPlacement>> make_replica_placement(std::string_view name);

}  // namespace tracebed
