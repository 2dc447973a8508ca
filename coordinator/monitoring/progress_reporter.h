// Asks a run's observer after every round whether to continue, and reports progress to it ten times
// a second.
#pragma once

#include <chrono>
#include <cstdint>

#include "coordinator/engine/replay.h"
#include "coordinator/monitoring/run_observer.h"
#include "coordinator/monitoring/run_sampler.h"
#include "coordinator/monitoring/snapshot_builder.h"
#include "report/run_folder.h"

namespace tracebed {

class ProgressReporter {
 public:
  // All outlive this. Of a real run the rows so far are written out as often, since a machine can
  // fail during it; of a virtual one `writer` is null.
  ProgressReporter(RunObserver& observer, RunProgress at_start, const RunSampler& sampler,
                   const SnapshotBuilder& snapshots, RunFolderWriter* writer);

  // True if the run is to continue.
  bool after_round(const ReplayProgress& now) {
    const bool looks = ++rounds_ % rounds_between_looks_ == 0;
    if (looks && Clock::now() >= next_) report(now);
    return observer_.should_continue();
  }
  void report(const ReplayProgress& now);

 private:
  using Clock = std::chrono::steady_clock;

  RunObserver& observer_;
  RunProgress progress_;
  const RunSampler& sampler_;
  const SnapshotBuilder& snapshots_;
  RunFolderWriter* writer_;
  std::uint64_t rounds_between_looks_;
  std::uint64_t rounds_ = 0;
  Clock::time_point next_{};
  Clock::time_point next_waiting_{};  // each of them costs a check of every machine
};

}  // namespace tracebed
