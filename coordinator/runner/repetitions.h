// What repetitions of a run differ in.
//
// A repetition has one seed, and all schedulers of it have the same: what chance makes of the
// machines (when nodes beat, how long launches take, where blocks of input lie) is the same for
// them as far as they decide the same, so they are compared in pairs. What else a run is made of
// does not depend on the seed: schedulers' own timers stand at multiples of their intervals, and
// `scale.thin` leaves the same jobs, by the experiment's seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/runner/trace_workload.h"
#include "schedulers/scheduler_entry.h"

namespace tracebed {

// The seed of a repetition, from 1. The first has the experiment's own; the others
// Random::stream(seed, "repetition N").next().
std::uint64_t repetition_seed(std::uint64_t seed, std::uint32_t repetition);

// The seed of the run that stands beside the baseline's repetition, which decides with it what the
// policy and the machines leave to chance: Random::stream(seed, "noise N").next(). Its trace is
// that of the repetition.
std::uint64_t noise_seed(std::uint64_t seed, std::uint32_t repetition);

// What differs between repetitions under this scheduler, in words; empty where all of them decide
// the same, as on ideal machines.
std::vector<std::string> what_varies(const Experiment& experiment, const SchedulerEntry& scheduler,
                                     const WorkloadFacts& facts);

}  // namespace tracebed
