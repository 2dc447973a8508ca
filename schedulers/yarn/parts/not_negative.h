#pragma once

#include <algorithm>

#include "core/resources.h"

namespace tracebed {

// Replaces negative amounts by zero.
constexpr Resources not_negative(Resources amount) {
  for (std::size_t d = 0; d < amount.dimensions_used(); ++d) {
    if (amount[d] < 0) amount[d] = 0;
  }
  return amount;
}

}  // namespace tracebed
