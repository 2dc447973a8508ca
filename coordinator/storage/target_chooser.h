// Chooses one target of a block after the other, each time among those that were not looked at yet
// (org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault: chooseRandom,
// chooseLocalStorage, chooseLocalRack, chooseRemoteRack). A datanode that was looked at is not
// looked at again, good or not.
#pragma once

#include <cstddef>
#include <vector>

#include "coordinator/storage/replica_placement.h"

namespace tracebed {

class TargetChooser {
 public:
  // All outlive it. Begins with the request's existing replicas as chosen.
  TargetChooser(const PlacementView& view, const ReplicaRequest& request, Random& random);

  // Those that had a replica, then those that were chosen.
  const std::vector<NodeId>& targets() const { return targets_; }
  // How many of the datanodes there could be in all, with those that have a replica.
  std::size_t total_max() const;

  void set_rack_max(std::size_t targets) { rack_max_ = targets; }
  void set_avoids_stale(bool avoids) { avoids_stale_ = avoids; }
  // Looks again at all but the request's excluded nodes and the targets.
  void look_again();

  // Each adds one target, or returns false if there is no good one.
  bool choose(const DatanodeTopology::Scope& scope);
  // The writer's own node, whatever its load; if it is not good another of its rack, else any.
  bool choose_local(NodeId writer);
  // Of the node's rack; else of the rack of the first target that is another node; else any.
  bool choose_near(NodeId node);
  // Of another rack than the node's; else of the node's.
  bool choose_remote(NodeId node);

 private:
  bool is_good(NodeId node, bool considers_load) const;
  bool is_seen(NodeId node) const;
  void see(NodeId node);

  const PlacementView& view_;
  const ReplicaRequest& request_;
  Random& random_;
  std::vector<NodeId> targets_;
  std::vector<NodeId> seen_;  // ascending
  std::size_t rack_max_ = 0;
  bool avoids_stale_ = false;
  double load_max_ = 0;  // 0: none
};

// What BlockPlacementPolicyRackFaultTolerant allows on one rack of `total` replicas in all.
std::size_t fault_tolerant_rack_max(std::size_t total, std::size_t racks);

// Each next to the nearest of those left, from the writer, or else from the first (getPipeline).
std::vector<NodeId> pipeline_of(const DatanodeTopology& topology, NodeId writer,
                                std::vector<NodeId> targets);

}  // namespace tracebed
