#include "system/secret_number.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "core/input_error.h"

namespace tracebed {

std::uint64_t secret_number() {
  constexpr const char* source = "/dev/urandom";
  const FileDescriptor file(open(source, O_RDONLY | O_CLOEXEC));
  std::uint64_t number = 0;
  while (number == 0) {
    if (!file.is_open() || read(file.number(), &number, sizeof(number)) != sizeof(number)) {
      throw EnvironmentError(std::string(source) + " cannot be read");
    }
  }
  return number;
}

Result<FileDescriptor> pipe_that_holds(std::uint64_t number) {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return Error{"a pipe: " + error_text(errno)};
  FileDescriptor to_read(ends[0]);
  const FileDescriptor to_write(ends[1]);
  // An empty pipe takes this much at once (pipe(7): PIPE_BUF).
  if (write(to_write.number(), &number, sizeof(number)) != sizeof(number)) {
    return Error{"a pipe: " + error_text(errno)};
  }
  return to_read;
}

Result<std::uint64_t> read_secret_number(int descriptor) {
  std::array<std::byte, sizeof(std::uint64_t) + 1> bytes = {};
  std::size_t count = 0;
  while (count < bytes.size()) {
    const ssize_t got = read(descriptor, bytes.data() + count, bytes.size() - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{error_text(errno)};
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  }
  std::uint64_t number = 0;
  if (count == sizeof(number)) std::memcpy(&number, bytes.data(), sizeof(number));
  if (number == 0) return Error{"expected a number other than 0 in 8 bytes, and then the end"};
  return number;
}

}  // namespace tracebed
