// A temporary folder of one process, which no process finds abandoned while that lives.
#pragma once

#include <filesystem>
#include <string_view>

#include "system/file_descriptor.h"

namespace tracebed {

class LockedFolder {
 public:
  // A new folder whose name begins with `prefix`. Those with the same prefix that processes left
  // that were killed are removed first. Throws EnvironmentError.
  explicit LockedFolder(std::string_view prefix);
  // Removes it as far as it can.
  ~LockedFolder();
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileDescriptor lock_;
};

}  // namespace tracebed
