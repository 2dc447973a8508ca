#include "coordinator/storage/preloading.h"

#include <algorithm>

#include "coordinator/storage/block_lifecycle.h"
#include "coordinator/storage/block_reports.h"
#include "coordinator/storage/file_lookup.h"
#include "core/check.h"

namespace tracebed {
namespace {

using enum StorageFailureKind;

std::size_t blocks_of(const PreloadedFile& file) {
  const std::int64_t whole = file.size / file.block_size;
  return static_cast<std::size_t>(whole + (file.size % file.block_size == 0 ? 0 : 1));
}

StorageStatus check_preloaded(const NamenodeState& state, const PreloadedFile& file) {
  if (file.size < 0 || file.block_size <= 0) {
    return storage_failure(illegal_argument,
                           "expected a size of at least 0 and a block size of at least 1, got " +
                               std::to_string(file.size) + " and " +
                               std::to_string(file.block_size));
  }
  const std::int64_t block_size_max = state.options.limits.block_size_max;
  if (file.block_size > block_size_max) {
    return storage_failure(illegal_argument, "expected a block size of at most " +
                                                 std::to_string(block_size_max) + ", got " +
                                                 std::to_string(file.block_size));
  }
  if (auto status = check_replication(state, file.path, file.replication); !status) return status;
  if (auto status = check_room_in_directory(state, file.path); !status) return status;
  const std::size_t most = state.options.limits.blocks_per_file_max;
  if (file.size / file.block_size > static_cast<std::int64_t>(most)) {
    return storage_failure(io, file.path + " has more than " + std::to_string(most) + " blocks");
  }
  const auto levels = static_cast<std::size_t>(std::count(file.path.begin(), file.path.end(), '/'));
  if (auto status = check_object_limit(state, levels + blocks_of(file)); !status) return status;
  const auto there = state.tree.find(file.path);
  if (!there) return there.error();
  if (!*there) return storage_success();
  return storage_failure(file_already_exists, file.path + " already exists");
}

StorageResult<std::vector<NodeId>> nodes_for(NamenodeState& state, const PreloadedFile& file,
                                             std::size_t block, std::int64_t length,
                                             TraceTime now) {
  if (block < file.nodes.size() && !file.nodes[block].empty()) {
    std::vector<NodeId> nodes;
    for (const NodeId node : file.nodes[block]) {
      const Datanode* datanode = state.datanodes.find(node);
      if (datanode == nullptr || !datanode->is_alive) {
        return storage_failure(illegal_argument, "block " + std::to_string(block) + " of " +
                                                     file.path +
                                                     " is to be on a node that has no datanode");
      }
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    }
    return nodes;
  }
  const ReplicaRequest request{.writer = file.writer, .count = file.replication, .bytes = length};
  const PlacementView view{state.topology, state.datanodes, state.options.placement, now};
  auto nodes = state.placement->choose(view, request, state.placement_random);
  if (!nodes.empty()) return nodes;
  return storage_failure(
      io, "there is no datanode with room for block " + std::to_string(block) + " of " + file.path);
}

}  // namespace

StorageResult<std::vector<LocatedBlock>> preload_file(NamenodeState& state,
                                                      const PreloadedFile& file, TraceTime now) {
  if (auto status = check_preloaded(state, file); !status) return status.error();
  std::vector<LocatedBlock> placed;
  for (std::size_t i = 0; i < blocks_of(file); ++i) {
    LocatedBlock& block = placed.emplace_back();
    block.offset = static_cast<std::int64_t>(i) * file.block_size;
    block.block.length = std::min(file.block_size, file.size - block.offset);
    auto nodes = nodes_for(state, file, i, block.block.length, now);
    if (!nodes) return nodes.error();
    block.nodes = std::move(*nodes);
  }
  const auto owner = owner_of(state, file.user);
  if (!owner) return owner.error();
  FreedContents none;
  const NewFile made{.inode = {file.permission, *owner, GroupId(), now},
                     .replication = file.replication,
                     .block_size = file.block_size,
                     .client = "preload"};
  const auto id = state.tree.create_file(file.path, made, none);
  if (!id) return id.error();
  FileContents& contents = state.tree.change(*id).file;
  contents.lease_holder.clear();
  contents.blocks.reserve(placed.size());
  for (LocatedBlock& located : placed) {
    const BlockIndex block = state.blocks.allocate(*id, state.next_stamp());
    contents.blocks.push_back(block);
    ++state.live_blocks;
    state.blocks.set_length(block, located.block.length, state.last_stamp);
    state.blocks.complete(block);
    located.block = name_of(state, block);
    if (file.is_stored) {
      for (const NodeId node : located.nodes) {
        state.blocks.put_replica(block, node, ReplicaState::finalized);
      }
      const bool is_safe = located.nodes.size() >= state.options.replication_min;
      if (state.safe_mode.is_at_startup() && is_safe) ++state.safe_blocks;
    }
    // In safe mode nothing is done about those that are missing anyway.
    const bool are_coming = !file.is_stored && !state.safe_mode.is_at_startup();
    state.manager.expect(block, file.replication, now,
                         are_coming ? located.nodes : std::vector<NodeId>());
  }
  return placed;
}

}  // namespace tracebed
