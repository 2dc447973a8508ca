// What the names of the Capacity scheduler's properties begin with
// (CapacitySchedulerConfiguration).
#pragma once

#include <string_view>

namespace tracebed {

inline constexpr std::string_view capacity_prefix = "yarn.scheduler.capacity.";

}  // namespace tracebed
