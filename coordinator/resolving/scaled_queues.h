// What a scheduler's files give to queues on a cluster, and on one that [scale] divided.
#pragma once

#include <string>
#include <vector>

#include "coordinator/resolving/resolved_scheduler.h"
#include "core/machines.h"

namespace tracebed {

// Guarantees and limits of queues, in amounts of the default partition, that are rounded to nothing
// or deviate by more than a twentieth from the queue's part of the divided cluster: a sentence for
// each kind, with the queues that deviate most.
std::vector<std::string> rounding_of_queues(const ResolvedScheduler& scheduler,
                                            const ResourceDimensions& dimensions,
                                            const std::vector<Machine>& recorded,
                                            const std::vector<Machine>& scaled);

// What the machines without a label cannot give queues as the files have it, by the explainer's
// warnings: a sentence with the first three queues for each file.
std::vector<std::string> warnings_of_queues(const ResolvedScheduler& scheduler,
                                            const ResourceDimensions& dimensions,
                                            const std::vector<Machine>& machines);

}  // namespace tracebed
