#include "schedulers/parts/measured_load.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tracebed {
namespace {

// A capacity may be too large for a product with a million.
__extension__ using Wide = __int128;

}  // namespace

std::int64_t unloaded_part(const Node& node, const Resources& free) {
  constexpr std::array measured{Resources::vcores_dimension, Resources::memory_dimension};
  std::int64_t least = unloaded_whole;
  for (const std::size_t dimension : measured) {
    const std::int64_t capacity = node.capacity[dimension];
    if (capacity <= 0) continue;
    const std::int64_t allocated = capacity - free[dimension];
    const auto since = std::max<std::int64_t>(0, allocated - node.report.allocated[dimension]);
    const std::int64_t left = capacity - node.report.used[dimension] - since;
    const Wide part = Wide{std::clamp<std::int64_t>(left, 0, capacity)} * unloaded_whole / capacity;
    least = std::min(least, static_cast<std::int64_t>(part));
  }
  return least;
}

}  // namespace tracebed
