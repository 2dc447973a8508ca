#include "schedulers/weighted/priorities/priorities.h"

#include <array>

namespace tracebed {

std::span<const Priority* const> all_priorities() {
  static constexpr std::array all{
      &balanced_allocation_priority, &beside_user_priority,     &block_present_priority,
      &fewest_containers_priority,   &least_allocated_priority, &least_loaded_priority,
      &least_used_priority,          &locality_level_priority,  &most_allocated_priority,
      &most_containers_priority,     &most_loaded_priority,     &most_used_priority,
      &spread_by_job_priority};
  return all;
}

}  // namespace tracebed
