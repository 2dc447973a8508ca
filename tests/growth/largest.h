// As much as a submission may hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "coordinator/api/control_server.h"

namespace tracebed::test {

// A power of two that gives no more bytes than that and is at least half of the greatest such, or
// `count_max` if that is less; 0: it has no other bound.
inline int largest_count(const std::function<std::size_t(int count)>& bytes, int count_max = 0) {
  int count = 1;
  while (bytes(2 * count) <= submission_bytes_max) count *= 2;
  return count_max == 0 ? count : std::min(count, count_max);
}

}  // namespace tracebed::test
