// Where a long-running daemon keeps what belongs to one run: it serves one run after another, and
// nothing of an earlier one stays, also if it was killed in it.
//
//   lock       one daemon at a time
//   BP-RUN/    of a run; the prefix is the daemon's own
//
// Only folders with such names are made and removed: whatever else lies there stays.
#pragma once

#include <filesystem>
#include <string>

#include "system/folder_lock.h"

namespace tracebed {

class FoldersOfRuns {
 public:
  // Makes the folder if it is missing. Throws EnvironmentError if it cannot be used, or another
  // daemon uses it.
  FoldersOfRuns(std::filesystem::path folder, std::string prefix);

  // Removes the folders of other runs and makes that of this one. Throws EnvironmentError if that
  // fails, or its name, which the coordinator chose, is not one word of a path.
  std::filesystem::path open(const std::string& run) const;
  // Of all runs: none is in progress. False if something cannot be removed; a later call, or
  // open(), tries again.
  bool remove_all() const;

 private:
  const std::filesystem::path folder_;
  const std::string prefix_;
  FolderLock lock_;
};

}  // namespace tracebed
