#include "coordinator/storage/block_lifecycle.h"

#include <algorithm>
#include <string>

#include "core/check.h"

namespace tracebed {

BlockName name_of(const NamenodeState& state, BlockIndex block) {
  const Block& named = state.blocks.block(block);
  return {id_of(block), named.generation_stamp, named.length};
}

BlockIndex allocate_block(NamenodeState& state, InodeId file, const std::vector<NodeId>& nodes) {
  const BlockIndex block = state.blocks.allocate(file, state.next_stamp());
  FileContents& contents = state.tree.change(file).file;
  contents.blocks.push_back(block);
  ++state.live_blocks;
  state.constructions.set_nodes(block, nodes, state.last_stamp, contents.block_size);
  return block;
}

void reopen_block(NamenodeState& state, BlockIndex block) {
  const Block reopened = state.blocks.block(block);
  TRACEBED_CHECK(reopened.is_complete(), "a block is written again once it is complete");
  const std::vector<NodeId> nodes = state.manager.withdraw(block);
  const std::int64_t block_size = state.tree.inode(reopened.file).file.block_size;
  state.blocks.set_state(block, BlockState::under_construction);
  state.constructions.set_nodes(block, nodes, reopened.generation_stamp,
                                std::max<std::int64_t>(0, block_size - reopened.length));
  for (const NodeId node : nodes) {
    state.constructions.put_replica(block, node,
                                    {id_of(block), reopened.generation_stamp, reopened.length});
  }
}

bool complete_if_replicated(NamenodeState& state, BlockIndex block, TraceTime now) {
  const Block& committed = state.blocks.block(block);
  if (committed.is_complete()) return true;
  if (committed.state != BlockState::committed) return false;
  const ReplicaCounts counts = state.manager.counts(block);
  if (counts.live + counts.decommissioning < state.options.replication_min) return false;
  std::vector<NodeId> coming;
  for (const NodeId node : state.constructions.change(block).nodes()) {
    const auto& stored = committed.replicas;
    const bool has_come = std::any_of(stored.begin(), stored.end(),
                                      [&](const auto& replica) { return replica.node == node; });
    if (!has_come && state.datanodes.find(node)->is_alive) coming.push_back(node);
  }
  state.constructions.end(block);
  state.blocks.complete(block);
  const std::uint32_t replication = state.tree.inode(committed.file).file.replication;
  state.manager.expect(block, replication, now, coming);
  return true;
}

StorageStatus commit_block(NamenodeState& state, BlockIndex block, const BlockName& reported,
                           TraceTime now) {
  const Block& last = state.blocks.block(block);
  const std::string text = "blk_" + std::to_string(id_of(block));
  if (last.has_final_length()) {
    complete_if_replicated(state, block, now);
    return storage_success();
  }
  if (last.state == BlockState::under_recovery) {
    return StorageFailure{StorageFailureKind::io,
                          "Commit or complete block " + text + ", whereas it is under recovery."};
  }
  if (reported.generation_stamp != last.generation_stamp) {
    return StorageFailure{StorageFailureKind::io, "Commit block with mismatching GS. NN has " +
                                                      std::to_string(last.generation_stamp) +
                                                      ", client submits " +
                                                      std::to_string(reported.generation_stamp)};
  }
  const std::int64_t block_size = state.tree.inode(last.file).file.block_size;
  if (reported.length < last.length || reported.length > block_size) {
    return StorageFailure{StorageFailureKind::io,
                          "Commit block " + text + " with a length from " +
                              std::to_string(last.length) + " to " + std::to_string(block_size) +
                              ", client submits " + std::to_string(reported.length)};
  }
  state.blocks.set_length(block, reported.length, reported.generation_stamp);
  state.blocks.set_state(block, BlockState::committed);
  for (const auto& replica : state.constructions.change(block).replicas) {
    if (replica.state != ReportedState::finalized) continue;
    const bool is_good =
        replica.generation_stamp == reported.generation_stamp && replica.length == reported.length;
    if (!state.datanodes.find(replica.node)->is_alive) continue;
    if (is_good) {
      state.manager.replica_stored(block, replica.node, now);
    } else {
      state.manager.replica_corrupt(block, replica.node, now);
    }
  }
  complete_if_replicated(state, block, now);
  return storage_success();
}

void release_block(NamenodeState& state, BlockIndex block) {
  // Replicas of a pipeline are to be deleted, too.
  if (const BlockConstruction* construction = state.constructions.find(block)) {
    for (const NodeId node : construction->nodes()) state.manager.queue_deletion(block, node);
  }
  state.constructions.end(block);
  state.manager.release(block);
  --state.live_blocks;
}

void remove_last_block(NamenodeState& state, InodeId file) {
  std::vector<BlockIndex>& blocks = state.tree.change(file).file.blocks;
  TRACEBED_CHECK(!blocks.empty() && !state.blocks.block(blocks.back()).is_complete(),
                 "only a block that is not complete is given up");
  release_block(state, blocks.back());
  blocks.pop_back();
}

void release_contents(NamenodeState& state, const FreedContents& freed) {
  for (const BlockIndex block : freed.blocks) release_block(state, block);
  for (const auto& file : freed.open_files) state.leases.remove(file.lease_holder, file.id);
}

}  // namespace tracebed
