#include "system/regular_file.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/input_error.h"

namespace tracebed {

Result<FileDescriptor> open_regular_file(const std::filesystem::path& file) {
  FileDescriptor opened(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status = {};
  if (!opened.is_open() || fstat(opened.number(), &status) != 0) return Error{error_text(errno)};
  if (S_ISDIR(status.st_mode)) return Error{error_text(EISDIR)};
  if (!S_ISREG(status.st_mode)) return Error{"not a regular file"};
  return opened;
}

std::string read_regular_file(const std::filesystem::path& file, std::size_t bytes_max) {
  const auto fail = [&](const std::string& reason) {
    throw InputError(fmt::format("{}: cannot be read: {}", file.string(), reason));
  };
  const Result<FileDescriptor> opened = open_regular_file(file);
  if (!opened) fail(opened.error().message);
  struct stat status = {};
  if (fstat(opened->number(), &status) != 0) fail(error_text(errno));
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > bytes_max) {
    throw InputError(
        fmt::format("{}: expected at most {} bytes, got {}", file.string(), bytes_max, size));
  }
  std::string text(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t count = read(opened->number(), text.data() + filled, size - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(error_text(errno));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  text.resize(filled);
  return text;
}

}  // namespace tracebed
