#include "coordinator/storage/file_writing.h"

#include <algorithm>

#include "coordinator/storage/block_lifecycle.h"
#include "coordinator/storage/file_lookup.h"
#include "coordinator/storage/lease_recovery.h"

namespace tracebed {
namespace {

using enum StorageFailureKind;

StorageStatus check_new_file(const NamenodeState& state, const StorageCaller& caller,
                             const CreateFile& call) {
  if (auto status = check_client(state, caller); !status) return status;
  if (auto status = check_replication(state, call.path, call.replication); !status) return status;
  const StorageLimits& limits = state.options.limits;
  if (call.block_size < limits.block_size_min) {
    return storage_failure(io,
                           "Specified block size is less than configured minimum value "
                           "(dfs.namenode.fs-limits.min-block-size): " +
                               std::to_string(call.block_size) + " < " +
                               std::to_string(limits.block_size_min));
  }
  if (call.block_size > limits.block_size_max) {
    return storage_failure(io, "expected a block size of at most " +
                                   std::to_string(limits.block_size_max) + ", got " +
                                   std::to_string(call.block_size));
  }
  if (auto status = check_open_files(state, caller); !status) return status;
  if (auto status = check_room_in_directory(state, call.path); !status) return status;
  const auto levels = static_cast<std::size_t>(std::count(call.path.begin(), call.path.end(), '/'));
  return check_object_limit(state, levels);
}

// FSNamesystem.checkFileProgress for the block before the last.
bool is_penultimate_complete(const NamenodeState& state, const FileContents& file) {
  const std::size_t count = file.blocks.size();
  return count < 2 || state.blocks.block(file.blocks[count - 2]).is_complete();
}

}  // namespace

StorageStatus check_open_files(const NamenodeState& state, const StorageCaller& caller) {
  const Leases::Lease* lease = state.leases.find(caller.client);
  const std::size_t most = state.options.limits.open_files_per_client_max;
  if (lease == nullptr || lease->files.size() < most) return storage_success();
  return storage_failure(io,
                         caller.client + " has " + std::to_string(most) + " open files already");
}

StorageStatus open_for_writing(NamenodeState& state, const StorageCaller& caller, InodeId file,
                               TraceTime now) {
  if (auto status = check_open_files(state, caller); !status) return status;
  state.tree.change(file).file.lease_holder = caller.client;
  state.leases.add(caller.client, file, now);
  return storage_success();
}

StorageReply create_file(NamenodeState& state, const StorageCaller& caller, const CreateFile& call,
                         TraceTime now) {
  if (auto status = check_new_file(state, caller, call); !status) return status.error();
  const auto found = state.tree.find(call.path);
  if (!found) return found.error();
  if (!*found && !call.may_create) {
    return storage_failure(file_not_found, "Can't overwrite non-existent " + call.path);
  }
  const bool is_in_the_way =
      *found && !state.tree.inode(**found).is_directory && !call.may_overwrite;
  if (is_in_the_way) {
    const auto taken = take_lease_over(state, caller, {**found, call.path, "CREATE_FILE"}, now);
    if (!taken) return taken.error();
    return storage_failure(file_already_exists,
                           call.path + " for client " + caller.address + " already exists");
  }
  const auto owner = owner_of(state, caller.user);
  if (!owner) return owner.error();
  // The group is that of the directory.
  const NewFile made{.inode = {call.permission, *owner, GroupId(), now},
                     .replication = call.replication,
                     .block_size = call.block_size,
                     .client = caller.client,
                     .may_overwrite = call.may_overwrite,
                     .makes_parents = call.makes_parents};
  FreedContents freed;
  const auto file = state.tree.create_file(call.path, made, freed);
  if (!file) return file.error();
  release_contents(state, freed);
  state.leases.add(caller.client, *file, now);
  return status_of(state, *file);
}

StorageReply append_file(NamenodeState& state, const StorageCaller& caller, const AppendFile& call,
                         TraceTime now) {
  if (auto status = check_client(state, caller); !status) return status.error();
  const auto found = existing_inode(
      state, call.path,
      "Failed to append to non-existent file " + call.path + " for client " + caller.address);
  if (!found) return found.error();
  const InodeId file = *found;
  if (state.tree.inode(file).is_directory) {
    return storage_failure(file_already_exists, "Cannot append to directory " + call.path +
                                                    "; already exists as a directory.");
  }
  const auto taken = take_lease_over(state, caller, {file, call.path, "APPEND_FILE"}, now);
  if (!taken) return taken.error();
  const auto last = last_block_of(state.tree.inode(file).file);
  if (last) {
    const ReplicaCounts counts = state.manager.counts(*last);
    if (counts.live + counts.decommissioning < state.options.replication_min) {
      return storage_failure(io, "append: lastBlock=blk_" + std::to_string(id_of(*last)) +
                                     " of src=" + call.path +
                                     " is not sufficiently replicated yet.");
    }
  }
  if (auto status = open_for_writing(state, caller, file, now); !status) return status.error();
  const FileContents& contents = state.tree.inode(file).file;
  AppendedFile appended{status_of(state, file), {}};
  const bool continues_last =
      last && !call.to_new_block && state.blocks.block(*last).length < contents.block_size;
  if (continues_last) {
    reopen_block(state, *last);
    const std::int64_t offset = length_of(state, contents) - state.blocks.block(*last).length;
    appended.last =
        LocatedBlock{name_of(state, *last), offset, state.constructions.find(*last)->nodes()};
  }
  return appended;
}

StorageReply complete_file(NamenodeState& state, const StorageCaller& caller,
                           const CompleteFile& call, TraceTime now) {
  const auto leased = leased_file(state, call.file, caller.client);
  if (!leased) {
    // A repetition by a client that did not get the answer: the file is closed, with this block.
    const auto found = find_open_file(state, call.file);
    if (!found || !*found || state.tree.inode(**found).is_directory) return leased.error();
    const FileContents& closed = state.tree.inode(**found).file;
    const auto last = last_block_of(closed);
    const bool is_same =
        last.has_value() == call.last.has_value() &&
        (!last || (id_of(*last) == call.last->id &&
                   state.blocks.block(*last).generation_stamp == call.last->generation_stamp));
    if (closed.is_under_construction() || !is_same) return leased.error();
    return Answer{true};
  }
  const FileContents file = state.tree.inode(*leased).file;
  if (!is_penultimate_complete(state, file)) return Answer{false};
  if (const auto last = last_block_of(file)) {
    if (call.last) {
      if (call.last->id != id_of(*last)) {
        return storage_failure(io, "expected the last block blk_" + std::to_string(id_of(*last)) +
                                       " of " + call.file.path + ", got blk_" +
                                       std::to_string(call.last->id));
      }
      if (auto status = commit_block(state, *last, *call.last, now); !status) return status.error();
    }
    if (!state.blocks.block(*last).is_complete()) return Answer{false};
  }
  close_file(state, *leased, now);
  return Answer{true};
}

StorageReply sync_file(NamenodeState& state, const StorageCaller& caller, const SyncFile& call) {
  const auto leased = leased_file(state, call.file, caller.client);
  if (!leased) return leased.error();
  const FileContents& file = state.tree.inode(*leased).file;
  const auto last = last_block_of(file);
  if (call.last_block_length <= 0 || !last) return Done{};
  const Block& block = state.blocks.block(*last);
  if (block.has_final_length()) return Done{};
  if (call.last_block_length > file.block_size) {
    return storage_failure(io, "expected a length of at most " + std::to_string(file.block_size) +
                                   ", got " + std::to_string(call.last_block_length));
  }
  if (call.last_block_length > block.length) {
    state.blocks.set_length(*last, call.last_block_length, block.generation_stamp);
  }
  return Done{};
}

}  // namespace tracebed
