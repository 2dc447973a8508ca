#include "system/files.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <unistd.h>

#include "system/file_descriptor.h"

namespace tracebed {

int write_kernel_file(DirectoryNumber directory, const char* path, std::string_view text) {
  const FileDescriptor file(openat(directory, path, O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) return errno;
  // A control file takes a value in one write or refuses it; there are no partial writes.
  if (write(file.number(), text.data(), text.size()) < 0) return errno;
  return 0;
}

std::optional<std::string> read_kernel_file(DirectoryNumber directory, const char* path,
                                            std::size_t text_bytes_max) {
  const FileDescriptor file(openat(directory, path, O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return std::nullopt;
  std::string text;
  std::array<char, 4096> buffer;
  while (text.size() < text_bytes_max) {
    const ssize_t count = read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  if (text.size() > text_bytes_max) text.resize(text_bytes_max);
  return text;
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || value < 0) return std::nullopt;
  return value;
}

std::optional<std::int64_t> find_number(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.size() > key.size() && line.substr(0, key.size()) == key && line[key.size()] == ' ') {
      return parse_number(line.substr(key.size() + 1));
    }
  }
  return std::nullopt;
}

}  // namespace tracebed
