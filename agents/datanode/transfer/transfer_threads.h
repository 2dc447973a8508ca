// Threads that serve connections: thousands, each with little on its stack.
#pragma once

#include <cstddef>

namespace tracebed {

// Sanitizers and deep library calls (OpenSSL's digests, Protobuf's parsers) included; the kernel
// gives memory only to the pages that are used.
inline constexpr std::size_t transfer_stack_bytes = 256 * 1024;

}  // namespace tracebed
