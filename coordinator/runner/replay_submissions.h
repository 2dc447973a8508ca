// When the jobs of a replay are submitted: at their own times, after the thinking of their users,
// or after the jobs that they name.
#pragma once

#include <memory>
#include <optional>

#include "coordinator/config/experiment.h"
#include "coordinator/engine/replay.h"
#include "coordinator/workload/preceded_submissions.h"
#include "coordinator/workload/think_time_submissions.h"
#include "coordinator/workload/trace_workload.h"

namespace tracebed {

class ReplaySubmissions {
 public:
  // `workload` and `names` outlive this.
  ReplaySubmissions(const TraceWorkload& workload, const ReplayChoice& choice, Names& names,
                    std::uint64_t trace_seed);

  // Receives the records of jobs that end; null if no submission depends on them.
  RecordSink* sink();
  // Once.
  ReplayResult play(Engine& engine, Fleet& fleet, RoundLog* log, const ReplayObserver& observer,
                    const ReplayOptions& options);

 private:
  std::unique_ptr<WorkloadSource> jobs_;
  std::optional<ThinkTimeSubmissions> after_thinking_;
  std::optional<PrecededSubmissions> after_others_;
};

}  // namespace tracebed
