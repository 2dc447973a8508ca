// All blocks, whose they are and which datanodes have a replica (org.apache.hadoop.hdfs.server.
// blockmanagement.BlocksMap, BlockInfo). Memory: about 90 bytes a block of three replicas.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coordinator/storage/inode.h"
#include "core/ids.h"

namespace tracebed {

// As clients and datanodes name them. The first ids that HDFS gives (SequentialBlockIdGenerator.
// LAST_RESERVED_BLOCK_ID, HdfsServerConstants.LAST_RESERVED_STAMP).
inline constexpr std::uint64_t first_block_id = 1'073'741'825;
inline constexpr std::uint32_t first_generation_stamp = 1'001;
constexpr std::uint64_t id_of(BlockIndex block) {
  return first_block_id + block.value();
}

enum class ReplicaState : std::uint8_t { being_written, finalized, corrupt };

struct StoredReplica {
  NodeId node;
  ReplicaState state = ReplicaState::finalized;
  bool operator==(const StoredReplica&) const = default;
};

struct Block {
  InodeId file;  // invalid: the block was freed, and its replicas are to be deleted
  std::uint32_t generation_stamp = first_generation_stamp;
  bool is_complete = false;             // its length is known and at least one replica is finalized
  std::int64_t length = 0;              // so far, unless it is complete
  std::vector<StoredReplica> replicas;  // in the order in which they were added; no node twice
};

// A replica that a datanode reports.
struct ReportedReplica {
  std::uint64_t block_id = 0;
  std::uint32_t generation_stamp = 0;
  std::int64_t length = 0;
  bool is_finalized = true;
};

// What a full block report changes (BlockManager.reportDiff), each ascending by block.
struct ReportDifference {
  std::vector<BlockIndex> added;       // reported and good, and new here
  std::vector<BlockIndex> removed;     // known here, and not reported any more
  std::vector<BlockIndex> corrupt;     // of another generation stamp or length than the block has
  std::vector<std::uint64_t> deleted;  // of no block, or of one that was freed: to be deleted there
};

class BlockMap {
 public:
  BlockIndex allocate(InodeId file, std::uint32_t generation_stamp);
  // None for an id that was never given.
  std::optional<BlockIndex> find(std::uint64_t block_id) const;
  const Block& block(BlockIndex block) const;
  std::size_t size() const { return blocks_.size(); }

  // The length that its writer has told, and its stamp when a broken pipeline was recovered.
  void set_length(BlockIndex block, std::int64_t length, std::uint32_t generation_stamp);
  void complete(BlockIndex block);
  // Its file is gone. The replicas stay until their datanodes have deleted them.
  void free(BlockIndex block);

  // The state replaces that of a replica that the node has already.
  void put_replica(BlockIndex block, NodeId node, ReplicaState state);
  // False if the node has none.
  bool remove_replica(BlockIndex block, NodeId node);
  // Those of which the node has a replica, ascending.
  std::span<const BlockIndex> blocks_on(NodeId node) const;

  // `reported` is ascending by block id, each once. Changes nothing. Replicas that are being
  // written are left out: they are reported by themselves.
  ReportDifference compare(NodeId node, std::span<const ReportedReplica> reported) const;

 private:
  Block& change(BlockIndex block);

  std::vector<Block> blocks_;
  std::vector<std::vector<BlockIndex>> on_nodes_;
};

}  // namespace tracebed
