// What calls have in common: they look up a file by its path or its id, and check whether the
// caller may write it (INodeFile.valueOf, FSNamesystem.checkLease, FSDirectory.verify…Limits).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "coordinator/storage/namenode_state.h"
#include "core/storage_reply.h"

namespace tracebed {

inline StorageFailure storage_failure(StorageFailureKind kind, std::string message) {
  return {kind, std::move(message)};
}

StorageResult<InodeId> existing_file(const NamenodeState& state, const std::string& path);
// With `missing` as its message.
StorageResult<InodeId> existing_inode(const NamenodeState& state, const std::string& path,
                                      const std::string& missing);
// None if it is there neither by its id nor by its path.
StorageResult<std::optional<InodeId>> find_open_file(const NamenodeState& state,
                                                     const OpenFileName& name);
// The open file, if the client has its lease.
StorageResult<InodeId> leased_file(const NamenodeState& state, const OpenFileName& name,
                                   const std::string& client);

// All blocks as far as they are known.
std::int64_t length_of(const NamenodeState& state, const FileContents& file);
std::optional<BlockIndex> last_block_of(const FileContents& file);
FileStatus status_of(const NamenodeState& state, InodeId id);

// ---- bounds ----
StorageStatus check_client(const NamenodeState& state, const StorageCaller& caller);
// Of the directory that the last name of the path is in, or of the first that is to be made.
StorageStatus check_room_in_directory(const NamenodeState& state, std::string_view path);
StorageStatus check_object_limit(const NamenodeState& state, std::size_t more);
StorageStatus check_replication(const NamenodeState& state, const std::string& path,
                                std::uint32_t replication);
StorageStatus check_list(const NamenodeState& state, std::size_t items);
// The numbers of the caller's user and group, which are new ones if there is room.
StorageResult<OwnerId> owner_of(NamenodeState& state, const std::string& user);
StorageResult<GroupId> group_of(NamenodeState& state, const std::string& group);

}  // namespace tracebed
