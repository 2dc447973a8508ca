// The priorities that there are, each in a file of its own, named like it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "schedulers/weighted/rules/priority.h"

namespace tracebed {

extern const Priority balanced_allocation_priority;
extern const Priority beside_user_priority;
extern const Priority block_present_priority;
extern const Priority fewest_containers_priority;
extern const Priority least_allocated_priority;
extern const Priority least_loaded_priority;
extern const Priority least_used_priority;
extern const Priority locality_level_priority;
extern const Priority most_allocated_priority;
extern const Priority most_containers_priority;
extern const Priority most_loaded_priority;
extern const Priority most_used_priority;
extern const Priority spread_by_job_priority;

// By name.
std::span<const Priority* const> all_priorities();

// ---- for those that are about what is used ----

// Used shares of the candidate without and with the unit, by the request's kind of share.
inline std::uint64_t used_before(const UnitRequest& request, const CandidateNode& candidate) {
  const Resources& capacity = candidate.node.capacity;
  return used_share_of(request.share, capacity - candidate.free, capacity);
}
inline std::uint64_t used_after(const UnitRequest& request, const CandidateNode& candidate) {
  const Resources& capacity = candidate.node.capacity;
  const Resources used = capacity - candidate.free;
  // Each is rounded for itself, as NodesByUse does.
  if (request.share == UsedShare::sum) {
    return sum_of_used_shares(used, capacity) + sum_of_used_shares(request.ask.demand, capacity);
  }
  return dominant_used_share(used + request.ask.demand, capacity);
}
// How many whole shares these are of at most.
inline std::size_t dimensions_of(const UnitRequest& request) {
  return request.share == UsedShare::sum ? request.dimensions : 1;
}

}  // namespace tracebed
