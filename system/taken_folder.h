// A folder that results are written into, by one process at a time.
#pragma once

#include <filesystem>

#include "system/folder_lock.h"

namespace tracebed {

class TakenFolder {
 public:
  // Makes the folder, and those above it, where they are missing. Throws EnvironmentError if that
  // cannot be done, and at once, naming the holder, if another process has taken the folder.
  explicit TakenFolder(std::filesystem::path folder);
  // Frees it. One that it made and that is still empty is removed.
  ~TakenFolder();
  TakenFolder(const TakenFolder&) = delete;
  TakenFolder& operator=(const TakenFolder&) = delete;

 private:
  std::filesystem::path folder_;
  bool is_made_;
  FolderLock lock_;
};

// A folder of that name, which did not exist and is made: NAME, else NAME-2, NAME-3 and so on, so
// that no two processes get the same one. Throws EnvironmentError if none can be made.
std::filesystem::path make_new_folder(const std::filesystem::path& name);

}  // namespace tracebed
