#include "system/folder_lock.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

std::string holder_text() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("process {} of host {}, since {:%Y-%m-%d %H:%M:%S} UTC\n", ::getpid(),
                     host.data(), fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

// The first line, without control characters: anybody who may write there may have written it.
std::string holder_of(int file) {
  std::array<char, 512> text{};
  const ssize_t bytes = ::pread(file, text.data(), text.size(), 0);
  std::string holder;
  for (ssize_t i = 0; i < bytes; ++i) {
    const char c = text[static_cast<std::size_t>(i)];
    if (c < ' ' || c > '~') break;
    holder += c;
  }
  return holder.empty() ? "another process" : holder;
}

// A holder may have removed the file after it was opened here; then the lock on it is no one's.
bool is_at(const FileDescriptor& file, const std::filesystem::path& path) {
  struct stat opened {};
  struct stat there {};
  return ::fstat(file.number(), &opened) == 0 && ::lstat(path.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : path_(folder / "lock") {
  const auto fail = [&](int error) {
    throw EnvironmentError(
        fmt::format("{} cannot be locked: {}", path_.string(), error_text(error)));
  };
  do {
    constexpr mode_t lock_mode = 0644;
    // Daemons that this process starts must not hold it after its end.
    file_.reset(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, lock_mode));
    if (!file_.is_open()) fail(errno);
    if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) fail(errno);
      throw EnvironmentError(fmt::format("{} is in use by {} ({})", folder.string(),
                                         holder_of(file_.number()), path_.string()));
    }
  } while (!is_at(file_, path_));
  const std::string holder = holder_text();
  // On a full disk the lock holds all the same, and names nobody.
  if (::ftruncate(file_.number(), 0) != 0 ||
      ::pwrite(file_.number(), holder.data(), holder.size(), 0) < 0) {
    static_cast<void>(::ftruncate(file_.number(), 0));
  }
}

void FolderLock::remove() {
  // Before it is free: whoever has it open by now finds that it is gone.
  static_cast<void>(::unlink(path_.c_str()));
  file_.reset();
}

}  // namespace tracebed
