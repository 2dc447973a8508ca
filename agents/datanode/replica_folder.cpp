#include "agents/datanode/replica_folder.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/datanode/folder_scan.h"
#include "agents/datanode/replica_names.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr mode_t folder_mode = 0700;
constexpr mode_t file_mode = 0600;
constexpr const char* generated_name = "generated";
constexpr const char* new_generated_name = "generated.new";

FileDescriptor open_level(const FileDescriptor& above, const std::string& name, bool makes_it) {
  if (makes_it && mkdirat(above.number(), name.c_str(), folder_mode) != 0 && errno != EEXIST) {
    return FileDescriptor();
  }
  return FileDescriptor(
      openat(above.number(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

StoreResult<FileDescriptor> open_file(const FileDescriptor& folder, const std::string& name,
                                      int flags) {
  FileDescriptor file(openat(folder.number(), name.c_str(),
                             flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, file_mode));
  struct stat status = {};
  if (!file.is_open() || fstat(file.number(), &status) != 0) {
    return store_error(errno, name.c_str());
  }
  if (!S_ISREG(status.st_mode)) return store_error(EINVAL, name.c_str());
  return file;
}

std::filesystem::path made(const std::filesystem::path& folder) {
  if (mkdir(folder.c_str(), folder_mode) != 0 && errno != EEXIST) {
    throw EnvironmentError(folder.string() + " cannot be made: " + error_text(errno));
  }
  return folder;
}

FileDescriptor opened(FileDescriptor folder, const std::string& name) {
  if (!folder.is_open()) {
    throw EnvironmentError(name + " cannot be used: " + error_text(errno));
  }
  return folder;
}

int rename_between(const FileDescriptor& from, const std::string& name, const FileDescriptor& to,
                   const std::string& new_name) {
  return renameat(from.number(), name.c_str(), to.number(), new_name.c_str());
}

}  // namespace

ReplicaFolder::ReplicaFolder(const std::filesystem::path& folder)
    : root_(opened(FileDescriptor(::open(made(folder).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
                   folder.string())),
      lock_(folder),
      being_written_(opened(open_level(root_, "rbw", true), (folder / "rbw").string())),
      finalized_(opened(open_level(root_, "finalized", true), (folder / "finalized").string())) {}

StoreResult<FileDescriptor> ReplicaFolder::place_of(std::uint64_t block_id,
                                                    bool is_finalized) const {
  if (!is_finalized) {
    FileDescriptor place(fcntl(being_written_.number(), F_DUPFD_CLOEXEC, 0));
    if (!place.is_open()) return store_error(errno, "rbw");
    return place;
  }
  const FileDescriptor first = open_level(finalized_, level_name(first_level_of(block_id)), true);
  if (!first.is_open()) return store_error(errno, "a folder of finalized");
  FileDescriptor second = open_level(first, level_name(second_level_of(block_id)), true);
  if (!second.is_open()) return store_error(errno, "a folder of finalized");
  return second;
}

StoreResult<ReplicaFiles> ReplicaFolder::create(std::uint64_t block_id,
                                                std::uint64_t generation_stamp) const {
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL;
  const std::string data_name = data_file_name(block_id);
  StoreResult<FileDescriptor> data = open_file(being_written_, data_name, flags);
  if (!data) return data.error();
  const std::string checksum_name = checksum_file_name(block_id, generation_stamp);
  StoreResult<FileDescriptor> checksums = open_file(being_written_, checksum_name, flags);
  StoreStatus status = checksums ? write_checksum_header(*checksums) : checksums.error();
  if (!status) {
    unlinkat(being_written_.number(), data_name.c_str(), 0);
    unlinkat(being_written_.number(), checksum_name.c_str(), 0);
    return status.error();
  }
  return ReplicaFiles{std::move(*data), std::move(*checksums)};
}

StoreResult<ReplicaFiles> ReplicaFolder::open(const FoundReplica& replica, Access access) const {
  const int flags = access == Access::read ? O_RDONLY : O_RDWR;
  const auto place = place_of(replica.block_id, replica.is_finalized);
  if (!place) return place.error();
  auto data = open_file(*place, data_file_name(replica.block_id), flags);
  if (!data) return data.error();
  auto checksums =
      open_file(*place, checksum_file_name(replica.block_id, replica.generation_stamp), flags);
  if (!checksums) return checksums.error();
  return ReplicaFiles{std::move(*data), std::move(*checksums)};
}

StoreStatus ReplicaFolder::finalize(const FoundReplica& replica, std::uint64_t new_stamp) const {
  return move(replica, true, new_stamp);
}

StoreStatus ReplicaFolder::take_up(const FoundReplica& replica, std::uint64_t new_stamp) const {
  return move(replica, false, new_stamp);
}

StoreStatus ReplicaFolder::move(const FoundReplica& replica, bool to_finalized,
                                std::uint64_t new_stamp) const {
  const auto from = place_of(replica.block_id, replica.is_finalized);
  if (!from) return from.error();
  const auto to = place_of(replica.block_id, to_finalized);
  if (!to) return to.error();
  const std::string data = data_file_name(replica.block_id);
  const std::string checksums = checksum_file_name(replica.block_id, replica.generation_stamp);
  const std::string new_checksums = checksum_file_name(replica.block_id, new_stamp);
  const bool moves_data = replica.is_finalized != to_finalized;
  if (moves_data && !to_finalized && rename_between(*from, data, *to, data) != 0) {
    return store_error(errno, "a replica cannot be moved");
  }
  if (rename_between(*from, checksums, *to, new_checksums) != 0) {
    return store_error(errno, "a replica cannot be moved");
  }
  if (moves_data && to_finalized && rename_between(*from, data, *to, data) != 0) {
    return store_error(errno, "a replica cannot be moved");
  }
  return stored();
}

StoreStatus ReplicaFolder::sync_names(std::uint64_t block_id) const {
  const auto place = place_of(block_id, true);
  if (!place) return place.error();
  for (const FileDescriptor* folder : {&*place, &being_written_}) {
    // EINVAL: a file system that keeps names on disk by itself, or nowhere.
    if (fsync(folder->number()) != 0 && errno != EINVAL) {
      return store_error(errno, "a folder cannot be synced");
    }
  }
  return stored();
}

StoreStatus ReplicaFolder::remove(const FoundReplica& replica) const {
  const auto place = place_of(replica.block_id, replica.is_finalized);
  if (!place) return place.error();
  const std::string data = data_file_name(replica.block_id);
  const std::string checksums = checksum_file_name(replica.block_id, replica.generation_stamp);
  // After a crash in between, what is left is no replica.
  for (const std::string& name : {data, checksums}) {
    if (unlinkat(place->number(), name.c_str(), 0) != 0 && errno != ENOENT) {
      return store_error(errno, "a replica cannot be removed");
    }
  }
  return stored();
}

std::vector<FoundReplica> ReplicaFolder::recover() const {
  FolderScan scan;
  scan.add(being_written_, false);
  for (unsigned first = 0; first < folders_per_level; ++first) {
    const FileDescriptor level = open_level(finalized_, level_name(first), false);
    if (!level.is_open()) continue;
    for (unsigned second = 0; second < folders_per_level; ++second) {
      const FileDescriptor place = open_level(level, level_name(second), false);
      if (place.is_open()) scan.add(place, true);
    }
  }
  std::vector<FoundReplica> replicas;
  for (const ScannedBlock& block : scan.blocks()) {
    const auto being_written = place_of(block.block_id, false);
    const auto finalized = place_of(block.block_id, true);
    if (!being_written || !finalized) continue;
    if (const auto found = repair(block, *being_written, *finalized)) replicas.push_back(*found);
  }
  return replicas;
}

StoreResult<FileDescriptor> ReplicaFolder::open_generated(bool makes_new) const {
  if (makes_new) return open_file(root_, new_generated_name, O_RDWR | O_CREAT | O_TRUNC);
  return open_file(root_, generated_name, O_RDWR | O_CREAT);
}

StoreStatus ReplicaFolder::replace_generated() const {
  if (rename_between(root_, new_generated_name, root_, generated_name) != 0) {
    return store_error(errno, generated_name);
  }
  return stored();
}

}  // namespace tracebed
