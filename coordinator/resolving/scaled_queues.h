// What a scheduler's files give to queues on a cluster that [scale] divided.
#pragma once

#include <string>
#include <vector>

#include "coordinator/resolving/resolved_scheduler.h"
#include "core/machines.h"

namespace tracebed {

// Guarantees and limits of queues, in amounts of the default partition, that are rounded to nothing
// or deviate by more than a twentieth from the queue's part of the divided cluster: a sentence for
// each kind, with the queues that deviate most, and one for each file that can be explained for
// only one of the two clusters.
std::vector<std::string> rounding_of_queues(const ResolvedScheduler& scheduler,
                                            const ResourceDimensions& dimensions,
                                            const std::vector<Machine>& recorded,
                                            const std::vector<Machine>& scaled);

}  // namespace tracebed
