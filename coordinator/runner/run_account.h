// What a run's folder states of a run besides its rows: what it was made of, and what was counted.
#pragma once

#include <string>
#include <vector>

#include "coordinator/engine/engine_counters.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/runner/replay_run.h"
#include "coordinator/workload/trace_workload.h"
#include "coordinator/worlds/run_world.h"
#include "report/file_digest.h"
#include "report/run_description.h"

namespace tracebed {

// `scheduler` is the plan's, with the paths of its files in the run's folder.
RunDescription describe_run(const ResolvedExperiment& experiment, const RunHost& host,
                            const ReplayPlan& plan, const ResolvedScheduler& scheduler,
                            const TraceWorkload& workload, const FileIdentity& trace,
                            const RunWorld& world);

// Those of the engine, then those of the world.
std::vector<NamedCount> named_counters(const EngineCounters& counters, const RunWorld& world);

// What became of vcores under a scheduler that does not count them; empty if no machine gave more
// of them than it has.
std::string beyond_vcores_text(const EngineCounters& counters,
                               const ResolvedExperiment& experiment);

// Which tasks the fragmentation of devices leaves out; empty if none.
std::string beyond_demands_text(const EngineCounters& counters);

}  // namespace tracebed
