// A folder that one process at a time may use.
#pragma once

#include <filesystem>

#include "system/file_descriptor.h"

namespace tracebed {

// Holds `folder`/lock while it lives (flock(2)): the kernel frees it when the process ends, for
// whatever reason. The file names the holder and the time; it is kept unless it is removed, and
// means nothing without the lock.
class FolderLock {
 public:
  // Throws EnvironmentError at once, naming the holder, if another has it.
  explicit FolderLock(const std::filesystem::path& folder);

  // Removes the file and frees the lock.
  void remove();

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
};

}  // namespace tracebed
