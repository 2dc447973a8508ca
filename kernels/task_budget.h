// The memory that a task may take for pairs and for merging them.
#pragma once

#include <cstddef>
#include <string>

#include "core/result.h"

namespace tracebed::kernels {

inline constexpr std::size_t budget_bytes_min = 65'536;
inline constexpr std::size_t budget_bytes_max = std::size_t{1} << 31;

inline Status check_budget(std::size_t bytes) {
  if (bytes >= budget_bytes_min && bytes <= budget_bytes_max) return success();
  return Error{"a task's budget is from " + std::to_string(budget_bytes_min) + " to " +
               std::to_string(budget_bytes_max) + " bytes, not " + std::to_string(bytes)};
}

}  // namespace tracebed::kernels
