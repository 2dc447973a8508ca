#include "coordinator/storage/lease_recovery.h"

#include <algorithm>

#include "coordinator/storage/block_lifecycle.h"
#include "coordinator/storage/file_lookup.h"
#include "core/check.h"

namespace tracebed {
namespace {

using enum StorageFailureKind;

void reassign_lease(NamenodeState& state, InodeId file, const std::string& holder, TraceTime now) {
  FileContents& contents = state.tree.change(file).file;
  state.leases.remove(contents.lease_holder, file);
  contents.lease_holder = holder;
  state.leases.add(holder, file, now);
}

bool is_recovery_under_way(const NamenodeState& state, BlockIndex block, TraceTime now) {
  if (state.blocks.block(block).state != BlockState::under_recovery) return false;
  const Duration timeout =
      state.options.recovery_timeout_heartbeats * state.options.intervals.heartbeat;
  return now - state.constructions.find(block)->recovery_since < timeout;
}

// Only the last block may be unfinished, and the one before it may lack replicas.
StorageStatus check_blocks_before_last(NamenodeState& state, InodeId file, TraceTime now) {
  const std::vector<BlockIndex> blocks = state.tree.inode(file).file.blocks;
  const std::string path = state.tree.path_of(file);
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
    if (complete_if_replicated(state, blocks[i], now)) continue;
    const bool is_penultimate = i + 2 == blocks.size();
    TRACEBED_CHECK(is_penultimate && state.blocks.block(blocks[i]).state == BlockState::committed,
                   "a block is added when all but the last are complete");
    return storage_failure(already_being_created,
                           "Failed to release lease for file " + path +
                               ". Committed blocks are waiting to be minimally replicated.");
  }
  return storage_success();
}

// FSNamesystem.internalReleaseLease. True if the file is closed; false if its last block is
// recovered, by `holder` unless that is empty.
StorageResult<bool> release_lease(NamenodeState& state, InodeId file, const std::string& holder,
                                  TraceTime now) {
  const StorageStatus before_last = check_blocks_before_last(state, file, now);
  const auto last = last_block_of(state.tree.inode(file).file);
  if (!last || state.blocks.block(*last).has_final_length()) {
    if (!before_last) return before_last.error();
    if (last && !complete_if_replicated(state, *last, now)) {
      return storage_failure(already_being_created,
                             "Failed to release lease for file " + state.tree.path_of(file) +
                                 ". Committed blocks are waiting to be minimally replicated.");
    }
    close_file(state, file, now);
    return true;
  }
  const bool was_never_written =
      state.constructions.find(*last)->replicas.empty() && state.blocks.block(*last).length == 0;
  if (was_never_written) {
    if (!before_last) return before_last.error();
    remove_last_block(state, file);
    close_file(state, file, now);
    return true;
  }
  const std::string current = state.tree.inode(file).file.lease_holder;
  if (is_recovery_under_way(state, *last, now)) {
    state.leases.renew(current, now);
    return false;
  }
  // Also renews it.
  reassign_lease(state, file, holder.empty() ? current : holder, now);
  begin_block_recovery(state, *last, now);
  return false;
}

StorageFailure refused(const StorageCaller& caller, const LeaseRequest& request,
                       StorageFailureKind kind, const std::string& reason) {
  return storage_failure(kind, "Failed to " + std::string(request.operation) + " " + request.path +
                                   " for " + caller.client + " on " + caller.address + " because " +
                                   reason);
}

}  // namespace

void close_file(NamenodeState& state, InodeId file, TraceTime now) {
  Inode& inode = state.tree.change(file);
  for (const BlockIndex block : inode.file.blocks) {
    TRACEBED_CHECK(state.blocks.block(block).is_complete(),
                   "all blocks of a closed file are complete");
  }
  state.leases.remove(inode.file.lease_holder, file);
  inode.file.lease_holder.clear();
  inode.modified = now;
}

void begin_block_recovery(NamenodeState& state, BlockIndex block, TraceTime now) {
  state.blocks.set_state(block, BlockState::under_recovery);
  const NodeId primary = state.constructions.begin_recovery(block, state.next_stamp(), now);
  for (auto& [node, blocks] : state.recoveries) blocks.erase(block);
  if (primary.is_valid()) state.recoveries[primary].insert(block);
}

StorageResult<bool> take_lease_over(NamenodeState& state, const StorageCaller& caller,
                                    const LeaseRequest& request, TraceTime now) {
  const FileContents file = state.tree.inode(request.file).file;
  if (!file.is_under_construction()) return true;
  if (request.is_forced) return release_lease(state, request.file, caller.client, now);
  if (file.lease_holder == caller.client) {
    return refused(caller, request, already_being_created,
                   caller.client + " is already the current lease holder.");
  }
  const Leases::Lease* lease = state.leases.find(file.lease_holder);
  if (state.leases.has_passed_soft_limit(*lease, now)) {
    const auto is_closed = release_lease(state, request.file, "", now);
    if (!is_closed || *is_closed) return is_closed;
    return refused(caller, request, recovery_in_progress,
                   "lease recovery is in progress. Try again later.");
  }
  const auto last = last_block_of(file);
  if (last && state.blocks.block(*last).state == BlockState::under_recovery) {
    return refused(caller, request, recovery_in_progress,
                   "another recovery is in progress by " + file.lease_holder);
  }
  return refused(caller, request, already_being_created,
                 "this file lease is currently owned by " + file.lease_holder);
}

StorageReply recover_lease(NamenodeState& state, const StorageCaller& caller,
                           const RecoverLease& call, TraceTime now) {
  if (auto status = check_client(state, caller); !status) return status.error();
  const auto file = existing_file(state, call.path);
  if (!file) return file.error();
  const auto is_closed =
      take_lease_over(state, caller, {*file, call.path, "RECOVER_LEASE", /*is_forced=*/true}, now);
  if (!is_closed) return is_closed.error();
  return Answer{*is_closed};
}

StorageReply commit_block_synchronization(NamenodeState& state,
                                          const CommitBlockSynchronization& call, TraceTime now) {
  if (auto status = check_list(state, call.nodes.size()); !status) return status.error();
  const std::string text = "blk_" + std::to_string(call.block.id);
  const auto block = state.blocks.find(call.block.id);
  if (!block || !state.blocks.block(*block).file.is_valid()) {
    // A block that is to be deleted, and is.
    if (call.deletes_block) return Done{};
    return storage_failure(io, "Block (=" + text + ") not found");
  }
  const Block recovered = state.blocks.block(*block);
  const FileContents file = state.tree.inode(recovered.file).file;
  // It was recovered in the meantime, and the file is closed or written again.
  if (recovered.state != BlockState::under_recovery || last_block_of(file) != *block) return Done{};
  const std::uint32_t recovery_stamp = state.constructions.find(*block)->recovery_stamp;
  if (call.new_generation_stamp != recovery_stamp) {
    return storage_failure(io, "The recovery id " + std::to_string(call.new_generation_stamp) +
                                   " does not match current recovery id " +
                                   std::to_string(recovery_stamp) + " for block " + text);
  }
  if (call.closes_file) {
    if (auto status = check_blocks_before_last(state, recovered.file, now); !status) {
      return status.error();
    }
  }
  if (call.deletes_block) {
    remove_last_block(state, recovered.file);
  } else {
    std::vector<NodeId> nodes = call.nodes;
    std::erase_if(nodes, [&](NodeId node) {
      const Datanode* datanode = state.datanodes.find(node);
      return datanode == nullptr || !datanode->is_alive;
    });
    if (nodes.empty() || call.new_length < 0 || call.new_length > file.block_size) {
      return storage_failure(io, "Block " + text + " is recovered on no live datanode, or to a" +
                                     " length of " + std::to_string(call.new_length));
    }
    state.blocks.set_length(*block, call.new_length, recovery_stamp);
    state.blocks.set_state(*block, BlockState::under_construction);
    state.constructions.change(*block).truncated_length.reset();
    state.constructions.set_nodes(*block, nodes, recovery_stamp,
                                  std::max<std::int64_t>(0, file.block_size - call.new_length));
    for (const NodeId node : nodes) {
      state.constructions.put_replica(*block, node,
                                      {call.block.id, recovery_stamp, call.new_length});
    }
  }
  if (!call.closes_file) return Done{};
  if (!call.deletes_block) {
    const auto status =
        commit_block(state, *block, {call.block.id, recovery_stamp, call.new_length}, now);
    TRACEBED_CHECK(status.has_value(), "a recovered block is committed as it was recovered");
    // With fewer replicas than the minimum the file is closed by a later attempt.
    if (!state.blocks.block(*block).is_complete()) return Done{};
  }
  close_file(state, recovered.file, now);
  return Done{};
}

void recover_expired_leases(NamenodeState& state, TraceTime now) {
  for (const auto& [holder, file] : state.leases.expired(now)) {
    const auto is_closed = release_lease(state, file, std::string(namenode_lease_holder), now);
    // HDFS takes the file out of the lease then, after which nobody can close it. Here it is tried
    // again after another hard limit.
    if (!is_closed) state.leases.renew(holder, now);
  }
}

}  // namespace tracebed
