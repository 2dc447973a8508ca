// The folder of a datanode over runs: it holds the replicas of one block pool, which is a run's.
//
//   lock       one datanode at a time
//   BP-RUN/    replica_folder.h
//
// Only folders with such names are made and removed: whatever else lies there stays.
#pragma once

#include <filesystem>
#include <string>

#include "system/folder_lock.h"

namespace tracebed {

class PoolFolders {
 public:
  // Makes the folder if it is missing. Throws EnvironmentError if it cannot be used, or another
  // datanode uses it.
  explicit PoolFolders(std::filesystem::path folder);

  // Removes the pools of other runs and makes the folder of this one, whose name is one word of a
  // path (checked). Throws EnvironmentError if that fails.
  std::filesystem::path open(const std::string& pool) const;
  // All pools: the run is over. What cannot be removed is found by the next open().
  void remove_all() const;

 private:
  const std::filesystem::path folder_;
  FolderLock lock_;
};

}  // namespace tracebed
