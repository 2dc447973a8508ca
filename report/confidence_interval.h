// Where a figure lies, as far as what was measured can tell.
#pragma once

#include <algorithm>

namespace tracebed {

struct ConfidenceInterval {
  double low = 0;
  double high = 0;

  bool contains(double value) const { return low <= value && value <= high; }
  bool operator==(const ConfidenceInterval&) const = default;
};

// The least that holds both.
inline ConfidenceInterval hull(const ConfidenceInterval& a, const ConfidenceInterval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace tracebed
