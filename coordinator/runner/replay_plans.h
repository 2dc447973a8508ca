// The replays of an experiment: each scheduler with its repetitions, and the baseline's runs
// against itself.
#pragma once

#include <vector>

#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/runner/replay_run.h"

namespace tracebed {

// Of both, the experiment outlives the plans.
//
// Repetition by repetition, all schedulers of each. Folders are LABEL below the output, or LABEL/rN
// if there are repetitions. Throws EnvironmentError for one that holds a run already.
std::vector<ReplayPlan> plans_of(const ResolvedExperiment& experiment);

// The baseline once more for each repetition, in noise/LABEL below the output, or noise/LABEL/rN;
// they are numbered after the other replays.
std::vector<ReplayPlan> noise_plans_of(const ResolvedExperiment& experiment,
                                       std::size_t replays_before);

// Of noise runs, below the output folder of the experiment.
inline constexpr const char* noise_folder = "noise";

}  // namespace tracebed
