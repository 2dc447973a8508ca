// Rounding of amounts, in line: without SSE4.1 std::floor and std::llround are calls, and readers
// round several times a row.
#pragma once

#include <cstdint>

namespace tracebed {

// Both give what std::floor and std::llround give, of values from 0 to below 2^63.
inline std::int64_t floored(double value) {
  return static_cast<std::int64_t>(value);
}
inline std::int64_t nearest_whole(double value) {
  const std::int64_t whole = floored(value);
  // The difference is exact, so halves are told from what lies just below them.
  return whole + (value - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

}  // namespace tracebed
