#pragma once

#include <algorithm>

#include "core/resources.h"

namespace tracebed {

// The larger amount in each dimension.
constexpr Resources component_maximum(const Resources& a, const Resources& b) {
  Resources result = a;
  const std::size_t dimensions = std::max(a.dimensions_used(), b.dimensions_used());
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (b[d] > a[d]) result[d] = b[d];
  }
  return result;
}

}  // namespace tracebed
