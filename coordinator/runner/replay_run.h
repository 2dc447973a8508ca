// One replay of an experiment: sets up engine, world, log and run folder, and takes them down
// again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/monitoring/run_observer.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/runner/experiment_run.h"
#include "coordinator/workload/trace_workload.h"
#include "report/file_digest.h"

namespace tracebed {

struct ReplayPlan {
  // Of the experiment, which outlives the plan; never null.
  const ScheduledConfigurations* configurations = nullptr;
  std::uint32_t repetition = 1;
  std::uint64_t seed = 0;
  std::uint64_t trace_seed = 0;  // of the variation of the trace
  bool is_noise = false;
  std::filesystem::path folder;
  std::uint32_t position = 1;  // among the experiment's replays, whose number is:
  std::uint32_t replays = 1;

  const ResolvedScheduler& scheduler() const { return configurations->scheduler; }
};

class ExperimentReplays {
 public:
  // Reads the trace, and keeps its jobs if they take up to `memory_bytes`. The other arguments
  // outlive this.
  ExperimentReplays(const ResolvedExperiment& experiment, const RunHost& host,
                    std::int64_t memory_bytes);

  // Virtual ones may run on several threads at a time.
  FinishedReplay run(const ReplayPlan& planned, RunObserver& observer) const;
  const TraceWorkload& workload() const { return workload_; }

 private:
  class ReplayRun;

  const ResolvedExperiment& experiment_;
  const RunHost& host_;
  TraceWorkload workload_;
  FileIdentity trace_;
  // On files, and on what [scale] rounds: of a scheduler once, whose replays are many.
  std::map<const ScheduledConfigurations*, std::vector<std::string>> remarks_;
};

}  // namespace tracebed
