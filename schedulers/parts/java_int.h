// Hadoop's counts are Java's int; what is larger it refuses or cannot hold.
#pragma once

#include <cstdint>
#include <limits>

namespace tracebed {

inline constexpr std::int64_t java_int_max = std::numeric_limits<std::int32_t>::max();

}  // namespace tracebed
