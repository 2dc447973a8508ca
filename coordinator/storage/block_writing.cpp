#include "coordinator/storage/block_writing.h"

#include <algorithm>

#include "coordinator/storage/block_lifecycle.h"
#include "coordinator/storage/file_lookup.h"

namespace tracebed {
namespace {

using enum StorageFailureKind;

std::string text_of(const BlockName& block) {
  return "blk_" + std::to_string(block.id) + "_" + std::to_string(block.generation_stamp);
}

// Both none, or of the same id and stamp (Block.matchingIdAndGenStamp).
bool is_same_block(const NamenodeState& state, std::optional<BlockIndex> block,
                   const std::optional<BlockName>& name) {
  if (!block || !name) return !block && !name;
  return id_of(*block) == name->id &&
         state.blocks.block(*block).generation_stamp == name->generation_stamp;
}

// True if the call repeats one whose block is the last of the file.
StorageResult<bool> is_repeated(const NamenodeState& state, const FileContents& file,
                                const AddBlock& call) {
  const auto last = last_block_of(file);
  if (is_same_block(state, last, call.previous)) return false;
  const bool begins_after_full_block = !call.previous && last &&
                                       state.blocks.block(*last).is_complete() &&
                                       state.blocks.block(*last).length >= file.block_size;
  if (begins_after_full_block) return false;
  const std::size_t count = file.blocks.size();
  const auto penultimate = count < 2 ? std::nullopt : std::optional(file.blocks[count - 2]);
  if (!is_same_block(state, penultimate, call.previous)) {
    return storage_failure(io, "Cannot allocate block in " + call.file.path +
                                   ": passed 'previous' block " +
                                   (call.previous ? text_of(*call.previous) : "null") +
                                   " does not match actual last block in file " +
                                   (last ? text_of(name_of(state, *last)) : "null"));
  }
  const Block& block = state.blocks.block(*last);
  if (block.length != 0 || block.is_complete()) {
    return storage_failure(io, "Request looked like a retry to allocate block " +
                                   text_of(name_of(state, *last)) + " but it already contains " +
                                   std::to_string(block.length) + " bytes");
  }
  return true;
}

StorageResult<std::vector<NodeId>> choose_nodes(NamenodeState& state, const StorageCaller& caller,
                                                const AddBlock& call, const FileContents& file,
                                                TraceTime now) {
  ReplicaRequest request{.count = file.replication, .excluded = call.excluded};
  if (!call.ignores_client_locality) request.writer = caller.node;
  request.bytes = file.block_size;
  const PlacementView view{state.topology, state.datanodes, state.options.placement, now};
  auto nodes = state.placement->choose(view, request, state.placement_random);
  if (nodes.size() >= state.options.replication_min) return nodes;
  const std::string excluded = call.excluded.empty() ? "no" : std::to_string(call.excluded.size());
  return storage_failure(
      io, "File " + call.file.path + " could only be written to " + std::to_string(nodes.size()) +
              " of the " + std::to_string(state.options.replication_min) +
              " minReplication nodes. There are " + std::to_string(state.datanodes.live()) +
              " datanode(s) running and " + excluded + " node(s) are excluded in this operation.");
}

StorageStatus check_next_block(const NamenodeState& state, const AddBlock& call,
                               const FileContents& file) {
  const std::size_t count = file.blocks.size();
  if (count >= 2 && !state.blocks.block(file.blocks[count - 2]).is_complete()) {
    return storage_failure(not_replicated_yet, "Not replicated yet: " + call.file.path);
  }
  const std::size_t most = state.options.limits.blocks_per_file_max;
  if (count >= most) {
    return storage_failure(io,
                           "File has reached the limit on maximum number of blocks "
                           "(dfs.namenode.fs-limits.max-blocks-per-file): " +
                               std::to_string(count) + " >= " + std::to_string(most));
  }
  return check_object_limit(state, 1);
}

LocatedBlock located_for_writing(const NamenodeState& state, const FileContents& file) {
  const BlockIndex last = file.blocks.back();
  return {name_of(state, last), length_of(state, file) - state.blocks.block(last).length,
          state.constructions.find(last)->nodes()};
}

}  // namespace

StorageReply add_block(NamenodeState& state, const StorageCaller& caller, const AddBlock& call,
                       TraceTime now) {
  if (auto status = check_list(state, call.excluded.size()); !status) return status.error();
  const auto id = leased_file(state, call.file, caller.client);
  if (!id) return id.error();
  const FileContents& file = state.tree.inode(*id).file;
  const auto repeated = is_repeated(state, file, call);
  if (!repeated) return repeated.error();
  if (*repeated && !state.constructions.find(file.blocks.back())->replicas.empty()) {
    return located_for_writing(state, file);
  }
  if (auto status = check_next_block(state, call, file); !status) return status.error();
  const auto nodes = choose_nodes(state, caller, call, file, now);
  if (!nodes) return nodes.error();
  if (*repeated) {
    const BlockIndex last = file.blocks.back();
    state.constructions.set_nodes(last, *nodes, state.blocks.block(last).generation_stamp,
                                  file.block_size);
    return located_for_writing(state, file);
  }
  if (call.previous) {
    const auto status = commit_block(state, file.blocks.back(), *call.previous, now);
    if (!status) return status.error();
  }
  allocate_block(state, *id, *nodes);
  return located_for_writing(state, file);
}

StorageReply abandon_block(NamenodeState& state, const StorageCaller& caller,
                           const AbandonBlock& call) {
  const auto id = leased_file(state, call.file, caller.client);
  if (!id) return id.error();
  const auto last = last_block_of(state.tree.inode(*id).file);
  // A repetition, or of a block that is finished: HDFS answers with success, too.
  if (!last || id_of(*last) != call.block.id) return Done{};
  if (state.blocks.block(*last).has_final_length()) return Done{};
  remove_last_block(state, *id);
  return Done{};
}

StorageResult<BlockIndex> written_block(const NamenodeState& state, const StorageCaller& caller,
                                        const BlockName& name) {
  const auto block = state.blocks.find(name.id);
  const bool is_written = block && state.blocks.block(*block).file.is_valid() &&
                          !state.blocks.block(*block).is_complete();
  if (!is_written) {
    return storage_failure(io, text_of(name) + " does not exist or is not under Construction");
  }
  const FileContents& file = state.tree.inode(state.blocks.block(*block).file).file;
  if (file.lease_holder != caller.client || caller.client.empty()) {
    return storage_failure(
        lease_expired,
        "Lease mismatch: " + text_of(name) + " is accessed by a non lease holder " + caller.client);
  }
  return *block;
}

StorageReply update_block_for_pipeline(NamenodeState& state, const StorageCaller& caller,
                                       const UpdateBlockForPipeline& call) {
  const auto block = written_block(state, caller, call.block);
  if (!block) return block.error();
  LocatedBlock located{name_of(state, *block), 0, state.constructions.find(*block)->nodes()};
  located.block.generation_stamp = state.next_stamp();
  return located;
}

StorageReply update_pipeline(NamenodeState& state, const StorageCaller& caller,
                             const UpdatePipeline& call) {
  if (auto status = check_list(state, call.nodes.size()); !status) return status.error();
  const auto block = written_block(state, caller, call.new_block);
  if (!block) return block.error();
  const Block updated = state.blocks.block(*block);
  const FileContents& file = state.tree.inode(updated.file).file;
  const bool is_fine =
      call.old_block.id == call.new_block.id && updated.state == BlockState::under_construction &&
      last_block_of(file) == *block && call.new_block.generation_stamp > updated.generation_stamp &&
      call.new_block.generation_stamp <= state.last_stamp &&
      call.new_block.length >= updated.length && call.new_block.length <= file.block_size;
  if (!is_fine) {
    return storage_failure(
        io, "Update " + text_of(name_of(state, *block)) +
                " (size=" + std::to_string(updated.length) + ") to " + text_of(call.new_block) +
                " (size=" + std::to_string(call.new_block.length) + ") is not possible");
  }
  const bool has_node = std::any_of(call.nodes.begin(), call.nodes.end(), [&](NodeId node) {
    return state.datanodes.find(node) != nullptr;
  });
  if (!has_node) {
    return storage_failure(io, "Update of " + text_of(call.new_block) + " names no datanode");
  }
  // What these have reported of the new stamp stays valid.
  const auto before = state.constructions.find(*block)->replicas;
  state.blocks.set_length(*block, call.new_block.length, call.new_block.generation_stamp);
  state.constructions.set_nodes(*block, call.nodes, call.new_block.generation_stamp,
                                file.block_size - call.new_block.length);
  for (const auto& replica : before) {
    const bool is_kept =
        replica.generation_stamp == call.new_block.generation_stamp &&
        std::find(call.nodes.begin(), call.nodes.end(), replica.node) != call.nodes.end();
    if (!is_kept) continue;
    state.constructions.put_replica(
        *block, replica.node,
        {call.new_block.id, replica.generation_stamp, replica.length, replica.state});
  }
  return Done{};
}

}  // namespace tracebed
