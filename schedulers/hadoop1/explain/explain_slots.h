// What the files of Hadoop 1's Fair and Capacity schedulers mean on a cluster with a given number
// of slots, figure by figure, each with its formula and the numbers in it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/scheduler_view.h"
#include "core/xml_element.h"
#include "schedulers/hadoop1/capacity/slot_queues.h"
#include "schedulers/hadoop1/fair/pool_allocations.h"

namespace tracebed {

// In the file's order; limits of users are for one user, and for the number of users at which the
// limit is least.
std::vector<ExplainedQueue> explain_slot_queues(const SlotQueueRulesFile& file,
                                                SlotCapacityGeneration generation,
                                                const PerKind<std::int64_t>& slots);
// What applies to all pools, then each pool of the file, and the pool default, in the order of
// their names. Fair shares are those of pools whose demands all exceed the cluster: in 0.20 of one
// job each.
std::vector<ExplainedQueue> explain_pools(const PoolAllocations& allocations,
                                          SlotFairGeneration generation,
                                          const PerKind<std::int64_t>& slots);

// Detects the kind of file by its contents: none if it is not one of Hadoop 1's, or may be of
// several generations (for queues; pools are then of 1.x).
bool is_pools_file(const XmlElement& root);
bool is_slot_queues_file(const XmlElement& root);
std::optional<SlotCapacityGeneration> generation_of_queues(const XmlElement& root);

}  // namespace tracebed
