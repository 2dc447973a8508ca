// What the names of the Capacity scheduler's properties begin with
// (CapacitySchedulerConfiguration).
#pragma once

#include <string>
#include <string_view>

namespace tracebed {

inline constexpr std::string_view capacity_prefix = "yarn.scheduler.capacity.";

inline std::string capacity_property(std::string_view name) {
  return std::string(capacity_prefix) + std::string(name);
}
// Of a queue.
inline std::string capacity_property(const std::string& path, std::string_view key) {
  return capacity_property(path + "." + std::string(key));
}

}  // namespace tracebed
