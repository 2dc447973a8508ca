// Memory is counted in MiB everywhere but at the kernel.
#pragma once

#include <cstdint>

namespace tracebed {

inline constexpr std::int64_t mebibyte = std::int64_t{1} << 20;  // bytes

}  // namespace tracebed
