// Runs of a baseline against itself that are made after its experiment has ended, from what its
// folder records.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "coordinator/runner/run_observer.h"
#include "schedulers/registry.h"

namespace tracebed {

// Of each of the output folders that has runs of the baseline (a scheduler's label; empty: that of
// the first folder's first run) but none against itself, makes those below its noise/, one for each
// repetition: in the virtual world, where the experiment's files and its trace are still what they
// were. Throws InputError with the reason where that is not so, where a folder is no experiment's,
// or where no folder has the baseline, and RunInterrupted if it was cancelled; then no noise/ is
// left of what was not completed.
void add_noise(const SchedulerRegistry& schedulers,
               const std::vector<std::filesystem::path>& outputs, std::string baseline,
               RunObserver& observer);

}  // namespace tracebed
