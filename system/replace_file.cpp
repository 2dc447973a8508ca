#include "system/replace_file.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/input_error.h"
#include "system/file_descriptor.h"

namespace tracebed {
namespace {

constexpr mode_t new_file_mode = 0666;  // less the umask

[[noreturn]] void give_up(const std::filesystem::path& path, const std::filesystem::path& draft,
                          const std::string& reason) {
  ::unlink(draft.c_str());
  throw EnvironmentError(fmt::format("{} cannot be written: {}", path.string(), reason));
}

// 0, or the errno that says why not.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int write_draft(const std::filesystem::path& draft, std::string_view contents,
                Durability durability) {
  FileDescriptor file(
      ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, new_file_mode));
  if (!file.is_open()) return errno;
  if (const int error = write_all(file.number(), contents); error != 0) return error;
  if (durability == Durability::synced && ::fsync(file.number()) != 0) return errno;
  // Some file systems (NFS, quotas) say only here that there is no room.
  return ::close(file.release()) == 0 ? 0 : errno;
}

}  // namespace

void sync_folder(const std::filesystem::path& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const int result = opened.is_open() ? ::fsync(opened.number()) : -1;
  // EINVAL: a file system that keeps names on disk by itself, or nowhere.
  if (result == 0 || (opened.is_open() && errno == EINVAL)) return;
  throw EnvironmentError(
      fmt::format("{} cannot be written to disk: {}", folder.string(), error_text(errno)));
}

void replace_file(const std::filesystem::path& path, std::string_view contents,
                  Durability durability) {
  const std::filesystem::path draft = path.string() + ".new";
  if (const int error = write_draft(draft, contents, durability); error != 0) {
    give_up(path, draft, error_text(error));
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) give_up(path, draft, error_text(errno));
  if (durability == Durability::synced) {
    sync_folder(path.has_parent_path() ? path.parent_path() : std::filesystem::path("."));
  }
}

}  // namespace tracebed
