// What is stated of a run besides its rows: what it is made of, what was counted, and what to know
// of both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coordinator/engine/engine.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/runner/replay_run.h"
#include "coordinator/workload/trace_workload.h"
#include "coordinator/worlds/run_world.h"
#include "report/file_digest.h"
#include "report/run_description.h"
#include "report/run_folder.h"

namespace tracebed {

// `scheduler` is the plan's, with the paths of its files in the run's folder.
RunDescription describe_run(const ResolvedExperiment& experiment, const RunHost& host,
                            const ReplayPlan& plan, const ResolvedScheduler& scheduler,
                            const TraceWorkload& workload, const FileIdentity& trace,
                            const RunWorld& world);

// Those of the engine, then those of the world.
std::vector<NamedCount> named_counters(const Engine& engine, const RunWorld& world);

// What is ignored in a scheduler's files, and what the cluster and [scale] make of the queues of
// all configurations and of a controller's amounts: a sentence each, as below.
std::vector<std::string> remarks_of(const ScheduledConfigurations& configurations,
                                    const ResolvedExperiment& experiment,
                                    const TraceWorkload& workload);

// What the experiment's runs lose, or do not keep.
std::vector<std::string> losses_of(const ResolvedExperiment& experiment);

// What one must know to believe the figures of a run. `input` is what its tasks report that they
// read; `label` is the scheduler's.
std::vector<std::string> warnings_of_figures(const RunEnd& end, const ReadBytes& input,
                                             const EngineCounters& counters,
                                             const ResolvedExperiment& experiment,
                                             const std::string& label);

// Without the checksum of its record, why it threw and the chain of a stall.
FinishedReplay finished_replay(const ReplayPlan& plan, const RunEnd& end, const RunMetrics& metrics,
                               std::uint64_t jobs_ended);

}  // namespace tracebed
