// The replays of an experiment: each scheduler with its repetitions, and the baseline's runs
// against itself.
#pragma once

#include <utility>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/runner/hadoop_sites.h"
#include "coordinator/runner/replay_run.h"

namespace tracebed {

// The scheduler's settings after each refresh, each based on the previous one; not complete.
std::vector<std::pair<TraceTime, SchedulerChoice>> refreshes_of(const Experiment& experiment,
                                                                const SchedulerChoice& scheduler);

// The scheduler that others are compared with: the one that [compare] names, or the first. Throws
// InputError if there is none of that label.
const SchedulerChoice& baseline_of(const Experiment& experiment);

// Repetition by repetition, all schedulers of each. Folders are LABEL below the output, or LABEL/rN
// if there are repetitions. Throws EnvironmentError for one that holds a run already.
std::vector<ReplayPlan> plans_of(const SchedulerRegistry& schedulers, const Experiment& experiment,
                                 const SitedExperiment& sited);

// The baseline once more for each repetition, in noise/LABEL below the output, or noise/LABEL/rN;
// they are numbered after the other replays.
std::vector<ReplayPlan> noise_plans_of(const SchedulerRegistry& schedulers,
                                       const Experiment& experiment, const SitedExperiment& sited,
                                       std::size_t replays_before);

// Of noise runs, below the output folder of the experiment.
inline constexpr const char* noise_folder = "noise";

}  // namespace tracebed
