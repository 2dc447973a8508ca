// The differences between repetitions of a run.
//
// A repetition has one seed, which all its schedulers share: the random behaviour of the machines
// (when nodes beat, how long launches take, where blocks of input lie) is the same for them as long
// as their decisions are the same, so they are compared in pairs. Nothing else in a run depends on
// the seed: schedulers' own timers are at multiples of their intervals, and `scale.thin` selects
// the same jobs, by the experiment's seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/workload/trace_workload.h"
#include "schedulers/scheduler_entry.h"

namespace tracebed {

// The seed of a repetition, from 1. The first has the experiment's own; the others
// Random::stream(seed, "repetition N").next().
std::uint64_t repetition_seed(std::uint64_t seed, std::uint32_t repetition);

// The seed of the noise run for the baseline's repetition, which determines the random behaviour of
// policy and machines: Random::stream(seed, "noise N").next(). Its trace is that of the repetition.
std::uint64_t noise_seed(std::uint64_t seed, std::uint32_t repetition);

// What differs between repetitions under this scheduler, in words; empty if all their decisions are
// the same, as on ideal machines.
std::vector<std::string> what_varies(const ResolvedExperiment& experiment,
                                     const SchedulerEntry& scheduler, const WorkloadFacts& facts);

}  // namespace tracebed
