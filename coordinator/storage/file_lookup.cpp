#include "coordinator/storage/file_lookup.h"

#include <utility>

#include "coordinator/storage/path_components.h"

namespace tracebed {
namespace {

using FailureKind = StorageFailureKind;

template <class IdType>
StorageResult<IdType> name_within(NameTable<IdType>& names, const std::string& name,
                                  const StorageLimits& limits) {
  if (const auto known = names.find(name)) return *known;
  if (name.size() > limits.name_bytes_max) {
    return storage_failure(FailureKind::illegal_argument,
                           "expected a name of a user or group of at most " +
                               std::to_string(limits.name_bytes_max) + " bytes, got " +
                               std::to_string(name.size()));
  }
  if (names.size() >= limits.owners_max) {
    return storage_failure(FailureKind::io, "there are " + std::to_string(limits.owners_max) +
                                                " names of users or groups already");
  }
  return names.intern(name);
}

}  // namespace

StorageResult<InodeId> existing_inode(const NamenodeState& state, const std::string& path,
                                      const std::string& missing) {
  const auto found = state.tree.find(path);
  if (!found) return found.error();
  if (!*found) return storage_failure(FailureKind::file_not_found, missing);
  return **found;
}

StorageResult<InodeId> existing_file(const NamenodeState& state, const std::string& path) {
  const auto found = state.tree.find(path);
  if (!found) return found.error();
  if (!*found) {
    return storage_failure(FailureKind::file_not_found, "File does not exist: " + path);
  }
  if (state.tree.inode(**found).is_directory) {
    return storage_failure(FailureKind::file_not_found, "Path is not a file: " + path);
  }
  return **found;
}

StorageResult<std::optional<InodeId>> find_open_file(const NamenodeState& state,
                                                     const OpenFileName& name) {
  if (name.file_id != 0) return state.tree.find_by_file_id(name.file_id);
  return state.tree.find(name.path);
}

StorageResult<InodeId> leased_file(const NamenodeState& state, const OpenFileName& name,
                                   const std::string& client) {
  const auto found = find_open_file(state, name);
  if (!found) return found.error();
  const std::string which = name.path + " (inode " + std::to_string(name.file_id) + ")";
  const bool has_lease = state.leases.find(client) != nullptr;
  const std::string holder = has_lease ? "[Lease. Holder: " + client + "]"
                                       : "Holder " + client + " does not have any open files.";
  if (!*found) {
    return storage_failure(FailureKind::file_not_found,
                           "File does not exist: " + which + " " + holder);
  }
  const Inode& inode = state.tree.inode(**found);
  if (inode.is_directory) {
    return storage_failure(FailureKind::lease_expired,
                           "INode is not a regular file: " + which + " " + holder);
  }
  if (!inode.file.is_under_construction()) {
    return storage_failure(FailureKind::lease_expired,
                           "File is not open for writing: " + which + " " + holder);
  }
  if (inode.file.lease_holder != client) {
    return storage_failure(FailureKind::lease_expired,
                           "Client (=" + client + ") is not the lease owner (=" +
                               inode.file.lease_holder + ": " + which + " " + holder);
  }
  return **found;
}

std::int64_t length_of(const NamenodeState& state, const FileContents& file) {
  std::int64_t length = 0;
  for (const BlockIndex block : file.blocks) length += state.blocks.block(block).length;
  return length;
}

std::optional<BlockIndex> last_block_of(const FileContents& file) {
  return file.blocks.empty() ? std::nullopt : std::optional(file.blocks.back());
}

FileStatus status_of(const NamenodeState& state, InodeId id) {
  const Inode& inode = state.tree.inode(id);
  FileStatus status{.name = inode.name,
                    .file_id = inode.file_id,
                    .is_directory = inode.is_directory,
                    .permission = inode.permission,
                    .owner = state.owners.name(inode.owner),
                    .group = state.groups.name(inode.group),
                    .modified = inode.modified,
                    .accessed = inode.accessed,
                    .children = inode.children.size()};
  if (!inode.is_directory) {
    status.length = length_of(state, inode.file);
    status.replication = inode.file.replication;
    status.block_size = inode.file.block_size;
  }
  return status;
}

StorageStatus check_client(const NamenodeState& state, const StorageCaller& caller) {
  const std::size_t bytes_max = state.options.limits.name_bytes_max;
  if (!caller.client.empty() && caller.client.size() <= bytes_max) return storage_success();
  return storage_failure(FailureKind::illegal_argument,
                         "expected a client's name of 1 to " + std::to_string(bytes_max) +
                             " bytes, got " + std::to_string(caller.client.size()));
}

StorageStatus check_room_in_directory(const NamenodeState& state, std::string_view path) {
  const auto components = components_of(path);
  if (!components) return components.error();
  const Inode* at = &state.tree.inode(**state.tree.find("/"));
  for (const std::string_view name : *components) {
    const auto child = at->children.find(name);
    if (child != at->children.end()) {
      at = &state.tree.inode(child->second);
      continue;
    }
    const std::size_t most = state.options.limits.directory_items_max;
    if (at->children.size() < most) break;
    return storage_failure(FailureKind::directory_items_exceeded,
                           "The directory item limit of " + std::string(path) +
                               " is exceeded: limit=" + std::to_string(most) +
                               " items=" + std::to_string(at->children.size() + 1));
  }
  return storage_success();
}

StorageStatus check_object_limit(const NamenodeState& state, std::size_t more) {
  const std::size_t most = state.options.limits.objects_max;
  if (state.tree.size() + state.live_blocks + more <= most) return storage_success();
  return storage_failure(FailureKind::io, "Exceeded the configured number of objects " +
                                              std::to_string(most) + " in the filesystem.");
}

StorageStatus check_replication(const NamenodeState& state, const std::string& path,
                                std::uint32_t replication) {
  const std::uint32_t most = state.options.limits.replication_max;
  const std::string factor = "Requested replication factor of " + std::to_string(replication);
  if (replication > most) {
    return storage_failure(FailureKind::io,
                           factor + " exceeds maximum of " + std::to_string(most) + " for " + path);
  }
  if (replication >= state.options.replication_min) return storage_success();
  return storage_failure(FailureKind::io, factor + " is less than the required minimum of " +
                                              std::to_string(state.options.replication_min) +
                                              " for " + path);
}

StorageStatus check_list(const NamenodeState& state, std::size_t items) {
  const std::size_t most = state.options.limits.list_items_max;
  if (items <= most) return storage_success();
  return storage_failure(FailureKind::illegal_argument, "expected a list of at most " +
                                                            std::to_string(most) + " items, got " +
                                                            std::to_string(items));
}

StorageResult<OwnerId> owner_of(NamenodeState& state, const std::string& user) {
  return name_within(state.owners, user, state.options.limits);
}

StorageResult<GroupId> group_of(NamenodeState& state, const std::string& group) {
  if (group.empty()) return GroupId();
  return name_within(state.groups, group, state.options.limits);
}

}  // namespace tracebed
