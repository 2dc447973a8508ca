#include "system/secret_number.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include "core/input_error.h"
#include "system/drawn_number.h"

namespace tracebed {
namespace {

// The number, whether keys follow, the three keys if so, and the endpoint.
constexpr std::size_t head_bytes = sizeof(std::uint64_t) + 1;
constexpr std::size_t keys_bytes = 3 * key_characters;
constexpr char with_keys = 'k';
constexpr char without_keys = '-';

}  // namespace

std::uint64_t secret_number() {
  return drawn_number();
}

Result<FileDescriptor> pipe_that_holds(const ProcessSecret& secret) {
  const auto& keys = secret.keys;
  if (keys && !(is_key(keys->own.public_key) && is_key(keys->own.secret_key) &&
                is_key(keys->coordinator))) {
    return Error{"expected three keys of 40 characters of Z85"};
  }
  if (secret.coordinator.empty() || secret.coordinator.size() > endpoint_bytes_max) {
    return Error{"expected an endpoint of 1 to " + std::to_string(endpoint_bytes_max) +
                 " bytes, got " + std::to_string(secret.coordinator.size())};
  }
  std::string bytes(sizeof(secret.number), '\0');
  std::memcpy(bytes.data(), &secret.number, sizeof(secret.number));
  bytes += keys ? with_keys : without_keys;
  if (keys) {
    bytes += keys->own.public_key + keys->own.secret_key + keys->coordinator;
  }
  bytes += secret.coordinator;
  return pipe_with(bytes);
}

std::string secret_bytes(std::size_t count) {
  std::string bytes;
  while (bytes.size() < count) {
    const std::uint64_t drawn = drawn_number();
    bytes.append(reinterpret_cast<const char*>(&drawn), sizeof(drawn));
  }
  bytes.resize(count);
  return bytes;
}

Result<FileDescriptor> pipe_with(std::string_view bytes) {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return Error{"a pipe: " + error_text(errno)};
  FileDescriptor to_read(ends[0]);
  const FileDescriptor to_write(ends[1]);
  // An empty pipe takes this much at once (pipe(7): PIPE_BUF).
  if (write(to_write.number(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    return Error{"a pipe: " + error_text(errno)};
  }
  return to_read;
}

Result<ProcessSecret> read_secret(int descriptor) {
  std::string bytes(head_bytes + keys_bytes + endpoint_bytes_max + 1, '\0');
  std::size_t count = 0;
  while (count < bytes.size()) {
    const ssize_t got = read(descriptor, bytes.data() + count, bytes.size() - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{error_text(errno)};
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  }
  bytes.resize(count);
  ProcessSecret secret;
  const bool has_keys = count > head_bytes && bytes[head_bytes - 1] == with_keys;
  const std::size_t before_endpoint = head_bytes + (has_keys ? keys_bytes : 0);
  const bool is_whole = count > before_endpoint && count <= before_endpoint + endpoint_bytes_max &&
                        (has_keys || bytes[head_bytes - 1] == without_keys);
  if (is_whole) std::memcpy(&secret.number, bytes.data(), sizeof(secret.number));
  if (secret.number == 0) {
    return Error{"expected a number other than 0 in 8 bytes, keys or none, an endpoint of 1 to " +
                 std::to_string(endpoint_bytes_max) + " bytes, and then the end"};
  }
  secret.coordinator = bytes.substr(before_endpoint);
  if (!has_keys) return secret;
  const auto key = [&](std::size_t i) {
    return bytes.substr(head_bytes + i * key_characters, key_characters);
  };
  secret.keys = LinkKeys{{key(0), key(1)}, key(2)};
  if (is_key(key(0)) && is_key(key(1)) && is_key(key(2))) return secret;
  return Error{"expected three keys of 40 characters of Z85"};
}

}  // namespace tracebed
