// The folder of a datanode: opened once, and used by descriptor from then on. All names below it
// are made here of numbers, and no symbolic link is followed, so nothing outside is read or
// written. The layout is HDFS's (BlockPoolSlice, DatanodeUtil.idToBlockDir):
//
//   lock                                      one datanode at a time
//   rbw/blk_ID, blk_ID_STAMP.meta             being written
//   finalized/subdirX/subdirY/blk_ID, …       X and Y: bits 16 … 20 and 8 … 12 of the id
//   generated                                 rows of replicas without files (generated_rows.h)
//
// Where the data file is decides which of both a replica is. It is moved last when it is finalized,
// and first when it is taken up again, so after a crash in between it is being written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "agents/datanode/replica_files.h"
#include "system/file_descriptor.h"
#include "system/folder_lock.h"

namespace tracebed {

struct FoundReplica {
  std::uint64_t block_id = 0;
  std::uint64_t generation_stamp = 0;
  bool is_finalized = false;
};
inline FoundReplica found_replica(const ReplicaInfo& info) {
  return {info.block_id, info.generation_stamp, info.stage == ReplicaStage::finalized};
}

class ReplicaFolder {
 public:
  // Makes what is missing. Throws EnvironmentError, naming the folder, if it cannot be used or
  // another process uses it.
  explicit ReplicaFolder(const std::filesystem::path& folder);

  // Empty files in rbw/.
  StoreResult<ReplicaFiles> create(std::uint64_t block_id, std::uint64_t generation_stamp) const;
  enum class Access : std::uint8_t { read, write };
  StoreResult<ReplicaFiles> open(const FoundReplica& replica, Access access) const;
  // To finalized/, if it is not there, with a generation stamp.
  StoreStatus finalize(const FoundReplica& replica, std::uint64_t new_stamp) const;
  // Waits until the names that finalize() made are on disk.
  StoreStatus sync_names(std::uint64_t block_id) const;
  // To rbw/, with another generation stamp.
  StoreStatus take_up(const FoundReplica& replica, std::uint64_t new_stamp) const;
  // Files that are open elsewhere can be read until they are closed.
  StoreStatus remove(const FoundReplica& replica) const;

  // Every replica with both files, ascending by block id; removes or moves what a crash left
  // elsewhere. Names that no datanode makes are left alone.
  std::vector<FoundReplica> recover() const;

  // The file `generated`, for reading and writing; `makes_new`: empty, beside it, to be renamed by
  // replace_generated().
  StoreResult<FileDescriptor> open_generated(bool makes_new) const;
  StoreStatus replace_generated() const;

 private:
  StoreResult<FileDescriptor> place_of(std::uint64_t block_id, bool is_finalized) const;
  StoreStatus move(const FoundReplica& replica, bool to_finalized, std::uint64_t new_stamp) const;

  FileDescriptor root_;
  FolderLock lock_;
  FileDescriptor being_written_;
  FileDescriptor finalized_;
};

}  // namespace tracebed
