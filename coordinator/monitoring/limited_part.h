// Figures about how full a cluster is, or how much of its share a queue has, leave out what does
// not limit: a scheduler that does not count vcores gives more of them than there are.
#pragma once

#include "core/limited_dimensions.h"

namespace tracebed {

// The amounts of the dimensions that limit, and none of the others.
constexpr Resources limited_part(const LimitedDimensions& limits, Resources amount) {
  for (std::size_t d = 0; d < amount.dimensions_used(); ++d) {
    if (!limits.is_limited(d)) amount[d] = 0;
  }
  return amount;
}

}  // namespace tracebed
