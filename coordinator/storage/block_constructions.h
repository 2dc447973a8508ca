// Blocks that are written or recovered, with the datanodes of their pipelines (org.apache.hadoop.
// hdfs.server.blockmanagement.BlockUnderConstructionFeature). A block is here until it is complete.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "coordinator/storage/block_map.h"
#include "coordinator/storage/datanodes.h"

namespace tracebed {

struct BlockConstruction {
  struct Replica {
    NodeId node;
    std::uint32_t generation_stamp = 0;
    std::int64_t length = 0;  // as reported
    ReportedState state = ReportedState::being_written;
    bool was_primary = false;  // of a recovery
  };
  std::vector<Replica> replicas;     // in the order of the pipeline; no node twice
  std::int64_t scheduled_bytes = 0;  // on each of `scheduled`
  std::vector<NodeId> scheduled;

  std::uint32_t recovery_stamp = 0;  // 0: there was no recovery
  TraceTime recovery_since{};
  std::optional<std::int64_t> truncated_length;  // that recovery is to bring it to

  std::vector<NodeId> nodes() const;
};

// The primary of a recovery brings the replicas of a block to the same length and the new stamp,
// and reports that by CommitBlockSynchronization (BlockRecoveryCommand.RecoveringBlock).
struct RecoverBlock {
  NodeId primary;
  BlockIndex block;
};

class BlockConstructions {
 public:
  explicit BlockConstructions(Datanodes& datanodes) : datanodes_(datanodes) {}

  // The nodes that it is to be written to, instead of those before; room for `bytes` is reserved on
  // each until it is complete. Nodes that are not registered are left out.
  void set_nodes(BlockIndex block, const std::vector<NodeId>& nodes, std::uint32_t generation_stamp,
                 std::int64_t bytes);
  // A datanode's replica: a further one, or its state now.
  void put_replica(BlockIndex block, NodeId node, const ReportedReplica& reported);
  void remove_replica(BlockIndex block, NodeId node);
  void end(BlockIndex block);

  // Null for a block that is complete.
  const BlockConstruction* find(BlockIndex block) const;
  BlockConstruction& change(BlockIndex block);
  const std::map<BlockIndex, BlockConstruction>& all() const { return constructions_; }

  // Chooses the primary: the one whose last heartbeat is the latest of those that were not it yet,
  // then of all (initializeBlockRecovery). Invalid if none of the datanodes is alive.
  NodeId begin_recovery(BlockIndex block, std::uint32_t recovery_stamp, TraceTime now);

 private:
  void unschedule(BlockConstruction& construction);

  Datanodes& datanodes_;
  std::map<BlockIndex, BlockConstruction> constructions_;
};

}  // namespace tracebed
