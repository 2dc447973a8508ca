// Bytes in several places for one call of the system (writev, sendmsg).
#pragma once

#include <cstddef>
#include <span>
#include <sys/uio.h>

namespace tracebed {

// Not written to: for calls that only read it.
inline iovec part_of(std::span<const std::byte> bytes) {
  return {const_cast<std::byte*>(bytes.data()), bytes.size()};
}

// The parts that remain after a call has taken this many bytes; cuts the first of them in place.
inline std::span<iovec> without_first(std::span<iovec> parts, std::size_t bytes) {
  while (!parts.empty() && bytes >= parts.front().iov_len) {
    bytes -= parts.front().iov_len;
    parts = parts.subspan(1);
  }
  if (bytes > 0) {
    parts.front().iov_base = static_cast<std::byte*>(parts.front().iov_base) + bytes;
    parts.front().iov_len -= bytes;
  }
  return parts;
}

}  // namespace tracebed
