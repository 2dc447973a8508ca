#include "coordinator/storage/namespace_changes.h"

#include <algorithm>
#include <set>

#include "coordinator/storage/block_lifecycle.h"
#include "coordinator/storage/file_lookup.h"
#include "coordinator/storage/path_components.h"

namespace tracebed {
namespace {

using enum StorageFailureKind;

StorageFailure concat_failure(const std::string& text) {
  return storage_failure(hadoop_illegal_argument, "concat: " + text);
}

StorageResult<InodeId> concat_source(const NamenodeState& state, const std::string& path,
                                     InodeId target) {
  const auto id = existing_file(state, path);
  if (!id) return id.error();
  const Inode& source = state.tree.inode(*id);
  const Inode& into = state.tree.inode(target);
  if (*id == target) return concat_failure("the src file " + path + " is the same with the target");
  if (source.parent != into.parent) {
    return concat_failure("Source file " + path + " is not in the same directory with the target");
  }
  if (source.file.is_under_construction() || source.file.blocks.empty()) {
    return concat_failure("source file " + path + " is invalid or empty or underConstruction");
  }
  if (source.file.block_size > into.file.block_size) {
    return concat_failure("source file " + path + " has preferred block size " +
                          std::to_string(source.file.block_size) +
                          " which is greater than the target file's preferred block size " +
                          std::to_string(into.file.block_size));
  }
  return *id;
}

}  // namespace

StorageReply make_directories(NamenodeState& state, const StorageCaller& caller,
                              const MakeDirectories& call, TraceTime now) {
  if (auto status = check_room_in_directory(state, call.path); !status) return status.error();
  const auto levels = static_cast<std::size_t>(std::count(call.path.begin(), call.path.end(), '/'));
  if (auto status = check_object_limit(state, levels); !status) return status.error();
  const auto owner = owner_of(state, caller.user);
  if (!owner) return owner.error();
  const auto made = state.tree.make_directory(call.path, {call.permission, *owner, GroupId(), now},
                                              call.makes_parents);
  if (!made) return made.error();
  return Answer{true};
}

StorageReply rename_into(NamenodeState& state, const RenameInto& call, TraceTime now) {
  const auto there = state.tree.find(call.destination);
  const bool is_directory = there && *there && state.tree.inode(**there).is_directory;
  // Into a directory it goes by its own name.
  const std::string target = is_directory ? call.destination + "/_" : call.destination;
  if (auto status = check_room_in_directory(state, target); !status) return status.error();
  const auto renamed = state.tree.rename_into(call.source, call.destination, now);
  if (!renamed) return renamed.error();
  return Answer{*renamed};
}

StorageReply rename_to(NamenodeState& state, const RenameTo& call, TraceTime now) {
  if (auto status = check_room_in_directory(state, call.destination); !status) {
    return status.error();
  }
  FreedContents freed;
  const auto renamed =
      state.tree.rename(call.source, call.destination, call.may_overwrite, now, freed);
  if (!renamed) return renamed.error();
  release_contents(state, freed);
  return Done{};
}

StorageReply delete_path(NamenodeState& state, const DeletePath& call, TraceTime now) {
  FreedContents freed;
  const auto removed = state.tree.remove(call.path, call.is_recursive, now, freed);
  if (!removed) return removed.error();
  release_contents(state, freed);
  return Answer{*removed};
}

StorageReply concat_files(NamenodeState& state, const ConcatFiles& call, TraceTime now) {
  if (auto status = check_list(state, call.sources.size()); !status) return status.error();
  const auto target = existing_file(state, call.target);
  if (!target) return target.error();
  if (state.tree.inode(*target).file.is_under_construction()) {
    return concat_failure("target file " + call.target + " is under construction");
  }
  if (call.sources.empty()) return concat_failure("expected at least one source");
  std::vector<InodeId> sources;
  std::size_t blocks = state.tree.inode(*target).file.blocks.size();
  for (const std::string& path : call.sources) {
    const auto source = concat_source(state, path, *target);
    if (!source) return source.error();
    sources.push_back(*source);
    blocks += state.tree.inode(*source).file.blocks.size();
  }
  if (std::set<InodeId>(sources.begin(), sources.end()).size() < sources.size()) {
    return concat_failure("at least one of the source files is duplicated");
  }
  if (blocks > state.options.limits.blocks_per_file_max) {
    return storage_failure(
        io, "concat would give " + call.target + " " + std::to_string(blocks) + " blocks");
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    FileContents& into = state.tree.change(*target).file;
    for (const BlockIndex block : state.tree.inode(sources[i]).file.blocks) {
      into.blocks.push_back(block);
      state.blocks.set_file(block, *target);
      state.manager.expect(block, into.replication, now);
    }
    // They are the target's now.
    state.tree.change(sources[i]).file.blocks.clear();
    FreedContents none;
    static_cast<void>(state.tree.remove(call.sources[i], false, now, none));
  }
  state.tree.change(*target).modified = now;
  return Done{};
}

StorageReply set_replication(NamenodeState& state, const SetReplication& call, TraceTime now) {
  if (auto status = check_replication(state, call.path, call.replication); !status) {
    return status.error();
  }
  const auto found = state.tree.find(call.path);
  if (!found) return found.error();
  if (!*found || state.tree.inode(**found).is_directory) return Answer{false};
  FileContents& file = state.tree.change(**found).file;
  file.replication = call.replication;
  for (const BlockIndex block : file.blocks) {
    if (state.blocks.block(block).is_complete()) {
      state.manager.expect(block, call.replication, now);
    }
  }
  return Answer{true};
}

StorageReply set_permission(NamenodeState& state, const SetPermission& call) {
  const auto id = existing_inode(state, call.path, "File does not exist: " + call.path);
  if (!id) return id.error();
  // The nine bits and the sticky one.
  state.tree.change(*id).permission = call.permission & 01777;
  return Done{};
}

StorageReply set_owner(NamenodeState& state, const SetOwner& call) {
  const auto id = existing_inode(state, call.path, "File does not exist: " + call.path);
  if (!id) return id.error();
  const OwnerId owner_before = state.tree.inode(*id).owner;
  const auto owner =
      call.owner.empty() ? StorageResult<OwnerId>(owner_before) : owner_of(state, call.owner);
  if (!owner) return owner.error();
  const auto group = group_of(state, call.group);
  if (!group) return group.error();
  Inode& inode = state.tree.change(*id);
  inode.owner = *owner;
  if (group->is_valid()) inode.group = *group;
  return Done{};
}

StorageReply set_times(NamenodeState& state, const SetTimes& call) {
  const auto id =
      existing_inode(state, call.path, "File/Directory " + call.path + " does not exist.");
  if (!id) return id.error();
  Inode& inode = state.tree.change(*id);
  if (call.modified) inode.modified = *call.modified;
  // A directory has none in HDFS.
  if (call.accessed && !inode.is_directory) inode.accessed = *call.accessed;
  return Done{};
}

}  // namespace tracebed
