// Keeps each block at the replication of its file: makes more where there are too few,
// deletes where there are too many, and gives up what is corrupt as soon as there are enough good
// ones (org.apache.hadoop.hdfs.server.blockmanagement.BlockManager, RedundancyMonitor,
// PendingReconstructionBlocks, InvalidateBlocks). It decides; datanodes get its commands with the
// answers to their heartbeats.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "coordinator/storage/block_map.h"
#include "coordinator/storage/datanode_topology.h"
#include "coordinator/storage/datanodes.h"
#include "coordinator/storage/redundancy_queues.h"
#include "coordinator/storage/replica_counts.h"
#include "coordinator/storage/replica_placement.h"

namespace tracebed {

struct RedundancyOptions {
  // dfs.namenode.redundancy.interval.seconds
  Duration interval = seconds(3);
  // Blocks for each live datanode in one pass (dfs.namenode.replication.work.multiplier.per.
  // iteration).
  std::uint32_t work_multiplier = 2;
  // Transfers that a datanode is the source of (dfs.namenode.replication.max-streams), and of
  // blocks of the highest priority (…max-streams-hard-limit).
  std::uint32_t streams_max = 2;
  std::uint32_t streams_hard_max = 4;
  // A transfer that has not come by then is made again (dfs.namenode.reconstruction.pending.
  // timeout-sec).
  Duration transfer_timeout = seconds(300);
  // Deletions with one answer (dfs.block.invalidate.limit).
  std::size_t deletions_max = 1'000;
};

// A datanode is to send its replica to others, which pass it on in this order.
struct TransferReplica {
  NodeId source;
  BlockIndex block;
  std::vector<NodeId> targets;
  bool operator==(const TransferReplica&) const = default;
};

class BlockManager {
 public:
  // All but the options outlive it. Datanodes with replicas have registered.
  BlockManager(BlockMap& blocks, const Datanodes& datanodes, const DatanodeTopology& topology,
               const ReplicaPlacement& placement, const PlacementOptions& placement_options,
               const RedundancyOptions& options, std::uint64_t seed);

  // ---- what happened ----
  // The block is complete, and the replication of its file is this from now on. `coming`: nodes
  // that have been written to and will report it (BlockManager.addExpectedReplicasToPending).
  void expect(BlockIndex block, std::uint32_t replicas, TraceTime now,
              const std::vector<NodeId>& coming = {});
  // It is written again: nothing is done about its replicas until the next expect(). All but the
  // corrupt ones are returned, and no longer kept here.
  std::vector<NodeId> withdraw(BlockIndex block);
  // Off while the namenode is in safe mode at startup: too few replicas are no reason for transfers
  // then, as most have not been reported yet. All blocks are looked at when it is turned on.
  void set_reviewing(bool is_reviewing, TraceTime now);
  // A datanode has a good replica, by its report.
  void replica_stored(BlockIndex block, NodeId node, TraceTime now);
  // A replica is gone: its datanode has not got it any more.
  void replica_missing(BlockIndex block, NodeId node, TraceTime now);
  // A reader or the datanode itself found it wrong. It is deleted once enough good ones exist.
  void replica_corrupt(BlockIndex block, NodeId node, TraceTime now);
  // Its replicas no longer count, and it receives nothing more. Transfers that it was the source of
  // are repeated after their timeout, as in HDFS.
  void datanode_died(NodeId node, TraceTime now);
  // It is in service, or leaves it: what it has counts otherwise now.
  void datanode_changed(NodeId node, TraceTime now);
  // Its file is gone: all replicas are to be deleted.
  void release(BlockIndex block);
  // A datanode has a replica that is of no use.
  void queue_deletion(BlockIndex block, NodeId node);

  // ---- what is to be done ----
  // To be called every `interval`, not in safe mode.
  std::vector<TransferReplica> plan_transfers(TraceTime now);
  // Replicas that the datanode must delete now. Each is returned once, unless the datanode reports
  // it again.
  std::vector<BlockIndex> take_deletions(NodeId node);

  // ---- looking ----
  ReplicaCounts counts(BlockIndex block) const;
  std::uint32_t expected(BlockIndex block) const;
  const RedundancyQueues& queues() const { return queues_; }
  std::size_t pending_transfers() const { return pending_.size(); }
  std::size_t deletions() const;
  // Those for which take_deletions() has any, ascending.
  std::vector<NodeId> nodes_with_deletions() const;
  bool is_excess(BlockIndex block, NodeId node) const;

 private:
  struct Pending {
    NodeId source;                // invalid: they were written by a client
    std::vector<NodeId> targets;  // that have not got it yet
    TraceTime since{};
  };

  bool counts_as_live(const StoredReplica& replica, BlockIndex block) const;
  std::vector<NodeId> live_nodes(BlockIndex block) const;
  bool is_on_enough_racks(BlockIndex block) const;
  std::uint32_t pending_of(BlockIndex block) const;
  // Puts the block into the queue that it belongs to now, or out of all, and marks replicas that
  // are too many.
  void review(BlockIndex block, TraceTime now);
  void mark_excess(BlockIndex block, std::uint32_t too_many, TraceTime now);
  NodeId excess_candidate(const std::vector<NodeId>& nodes, TraceTime now) const;
  void delete_corrupt(BlockIndex block);
  void cancel_deletion(BlockIndex block, NodeId node);
  void end_transfer(BlockIndex block, NodeId target);
  void forget_transfer(BlockIndex block);
  void forget_transfer(std::map<BlockIndex, Pending>::iterator pending);
  void retry_late_transfers(TraceTime now);
  NodeId source_of(BlockIndex block, RedundancyPriority priority);
  std::optional<TransferReplica> plan(BlockIndex block, TraceTime now);

  BlockMap& blocks_;
  const Datanodes& datanodes_;
  const DatanodeTopology& topology_;
  const ReplicaPlacement& placement_;
  PlacementOptions placement_options_;
  RedundancyOptions options_;
  Random random_;
  bool is_reviewing_ = true;
  std::vector<std::uint16_t> expected_;  // by block; 0: not complete, or released
  RedundancyQueues queues_;
  std::map<BlockIndex, Pending> pending_;
  std::map<NodeId, std::uint32_t> streams_;  // transfers that begin at it
  std::map<NodeId, std::set<BlockIndex>> deletions_;
  std::set<std::pair<BlockIndex, NodeId>> excess_;
};

}  // namespace tracebed
