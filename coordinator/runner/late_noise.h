// Runs of a baseline against itself that are made after its experiment has ended, from what its
// folder records.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "coordinator/monitoring/run_observer.h"
#include "schedulers/registry.h"

namespace tracebed {

// For each of the output folders that has runs of the baseline (a scheduler's label; empty: that of
// the first folder's first run) but none against itself, makes those below its noise/, one for each
// repetition: in the virtual world, if the experiment's files and its trace are unchanged. Throws
// InputError with the reason if that is not so, if a folder is no experiment's, or if no folder has
// the baseline, and RunInterrupted if it was cancelled; then a noise/ that was not completed is
// removed.
void add_noise(const SchedulerRegistry& schedulers,
               const std::vector<std::filesystem::path>& outputs, std::string baseline,
               RunObserver& observer);

}  // namespace tracebed
