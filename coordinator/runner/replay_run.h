// One replay of an experiment: sets up engine, world, log and run folder, and takes them down
// again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/config/experiment.h"
#include "coordinator/runner/experiment_run.h"
#include "coordinator/runner/run_observer.h"
#include "coordinator/runner/trace_workload.h"
#include "report/file_digest.h"

namespace tracebed {

struct ReplayPlan {
  SchedulerChoice scheduler;              // complete
  const SchedulerEntry* entry = nullptr;  // of the scheduler, never null; of the host's registry
  std::uint32_t repetition = 1;
  std::uint64_t seed = 0;
  std::uint64_t trace_seed = 0;  // of the variation of the trace
  bool is_noise = false;
  std::filesystem::path folder;
  std::uint32_t position = 1;  // among the experiment's replays, whose number is:
  std::uint32_t replays = 1;
  // The scheduler's refreshes during the run, ascending by time; each complete.
  std::vector<std::pair<TraceTime, SchedulerChoice>> refreshes;
  std::vector<std::string> remarks;  // what is ignored in the scheduler's files
};

class ExperimentReplays {
 public:
  // Reads the trace, and keeps its jobs if they take up to `memory_bytes`. The other arguments
  // outlive this.
  ExperimentReplays(const Experiment& experiment, const RunHost& host, std::int64_t memory_bytes);

  // Virtual ones may run on several threads at a time.
  FinishedReplay run(const ReplayPlan& planned, RunObserver& observer) const;
  const TraceWorkload& workload() const { return workload_; }

 private:
  RunProgress progress_at_start(const ReplayPlan& plan) const;

  const Experiment& experiment_;
  const RunHost& host_;
  TraceWorkload workload_;
  FileIdentity trace_;
};

}  // namespace tracebed
