#include "system/locked_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <system_error>

#include "system/temporary_folder.h"

namespace tracebed {
namespace {

// Not open if another process has it. The kernel frees it when its process ends, for whatever
// reason (flock(2)).
FileDescriptor lock_of_folder(const std::filesystem::path& folder) {
  FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open() || flock(opened.number(), LOCK_EX | LOCK_NB) != 0) return {};
  return opened;
}

std::filesystem::path make_folder(std::string_view prefix) {
  remove_abandoned_folders(prefix, [](const std::filesystem::path& folder) {
    return !lock_of_folder(folder).is_open();
  });
  return make_temporary_folder(prefix);
}

}  // namespace

LockedFolder::LockedFolder(std::string_view prefix)
    : path_(make_folder(prefix)), lock_(lock_of_folder(path_)) {}

LockedFolder::~LockedFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tracebed
