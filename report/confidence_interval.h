// The range of a figure, as far as the measurements determine it.
#pragma once

#include <algorithm>

namespace tracebed {

struct ConfidenceInterval {
  double low = 0;
  double high = 0;

  bool contains(double value) const { return low <= value && value <= high; }
  bool operator==(const ConfidenceInterval&) const = default;
};

// The smallest interval that contains both.
inline ConfidenceInterval hull(const ConfidenceInterval& a, const ConfidenceInterval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace tracebed
