// The quotient that shares are compared by.
#pragma once

#include <cstdint>

namespace tracebed {

// Nothing over nothing counts as nothing: the original's NaN is equal to everything, which is no
// order.
template <class Real>
Real share_quotient(std::int64_t part, std::int64_t whole) {
  return part == 0 ? Real(0) : static_cast<Real>(part) / static_cast<Real>(whole);
}

}  // namespace tracebed
