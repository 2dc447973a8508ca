// All blocks, whose they are and which datanodes have a replica (org.apache.hadoop.hdfs.server.
// blockmanagement.BlocksMap, BlockInfo). Memory: about 90 bytes a block of three replicas.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coordinator/storage/inode.h"
#include "core/datanode_messages.h"
#include "core/ids.h"

namespace tracebed {

// As clients and datanodes name them. The first ids that HDFS gives (SequentialBlockIdGenerator.
// LAST_RESERVED_BLOCK_ID, HdfsServerConstants.LAST_RESERVED_STAMP).
inline constexpr std::uint64_t first_block_id = 1'073'741'825;
inline constexpr std::uint32_t first_generation_stamp = 1'001;
constexpr std::uint64_t id_of(BlockIndex block) {
  return first_block_id + block.value();
}

enum class ReplicaState : std::uint8_t { finalized, corrupt };

struct StoredReplica {
  NodeId node;
  ReplicaState state = ReplicaState::finalized;
  bool operator==(const StoredReplica&) const = default;
};

// HdfsServerConstants.BlockUCState. Each is reached from the one before; recovery of a lease may
// skip to any, and an append returns to the first.
enum class BlockState : std::uint8_t {
  under_construction,  // written by a client
  under_recovery,      // a datanode is to bring its replicas to the same length
  committed,           // its length is known, and too few datanodes have reported it
  complete,
};

struct Block {
  InodeId file;  // invalid: the block was freed, and its replicas are to be deleted
  std::uint32_t generation_stamp = first_generation_stamp;
  BlockState state = BlockState::under_construction;
  std::int64_t length = 0;  // so far, unless it is committed or complete
  // In the order in which they were added; no node twice. Until it is committed, only corrupt ones:
  // the others are in its BlockConstruction.
  std::vector<StoredReplica> replicas;

  bool is_complete() const { return state == BlockState::complete; }
  bool has_final_length() const { return state >= BlockState::committed; }
};

// What a reported replica is (BlockManager.checkReplicaCorrupt, isBlockUnderConstruction).
enum class ReplicaVerdict : std::uint8_t {
  unknown,             // of an id that was never given
  freed,               // of a block whose file is gone
  corrupt,             // of another generation stamp, length or state than the block has
  under_construction,  // of a block that is written or recovered
  good,
  late,  // still being written, although its block is complete: it will be reported again
};

// What a full block report changes (BlockManager.reportDiff), each ascending by block.
struct ReportDifference {
  std::vector<BlockIndex> added;    // reported and good, and new here
  std::vector<BlockIndex> removed;  // known here, and not reported any more
  std::vector<BlockIndex> corrupt;  // by ReplicaVerdict
  std::vector<ReportedReplica> under_construction;
  std::vector<std::uint64_t> deleted;  // of no block, or of one that was freed: to be deleted there
};

class BlockMap {
 public:
  BlockIndex allocate(InodeId file, std::uint32_t generation_stamp);
  // None for an id that was never given.
  std::optional<BlockIndex> find(std::uint64_t block_id) const;
  const Block& block(BlockIndex block) const;
  std::size_t size() const { return blocks_.size(); }

  // The length that the writer reported; with a later stamp after recovery of a broken pipeline.
  void set_length(BlockIndex block, std::int64_t length, std::uint32_t generation_stamp);
  void set_state(BlockIndex block, BlockState state);
  void set_file(BlockIndex block, InodeId file);
  void complete(BlockIndex block) { set_state(block, BlockState::complete); }
  // Its file is gone. The replicas stay until their datanodes have deleted them.
  void free(BlockIndex block);

  // The state replaces that of a replica that the node has already.
  void put_replica(BlockIndex block, NodeId node, ReplicaState state);
  // False if the node has none.
  bool remove_replica(BlockIndex block, NodeId node);
  // Those of which the node has a replica, ascending.
  std::span<const BlockIndex> blocks_on(NodeId node) const;

  ReplicaVerdict judge(const ReportedReplica& reported) const;
  // `reported` is ascending by block id, each once. Changes nothing.
  ReportDifference compare(NodeId node, std::span<const ReportedReplica> reported) const;

 private:
  Block& change(BlockIndex block);

  std::vector<Block> blocks_;
  std::vector<std::vector<BlockIndex>> on_nodes_;
};

}  // namespace tracebed
