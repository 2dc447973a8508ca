// Runs the replays of a virtual experiment on threads, so that all processors have work, and calls
// its observer as if they ran one after the other: warnings and changes in the replays' order, and
// the progress of the first of those that run.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "coordinator/monitoring/run_observer.h"
#include "coordinator/runner/experiment_run.h"
#include "coordinator/runner/replay_run.h"

namespace tracebed {

class ReplayPool {
 public:
  // On any thread. An exception ends the pool.
  using Run = std::function<FinishedReplay(const ReplayPlan& plan, RunObserver& observer)>;
  // After each replay, with those that have ended so far, in the plans' order; one at a time.
  using Ended = std::function<void(const std::vector<FinishedReplay>& replays)>;

  ReplayPool(std::uint32_t threads, Run run, Ended ended)
      : threads_(threads), run_(std::move(run)), ended_(std::move(ended)) {}

  // Returns those that began, in the plans' order, however many threads there are. If one fails or
  // the observer cancels, those that run end as cancelled, and no other begins; an exception of a
  // run is rethrown when all have ended, that of the first plan. The observer is asked on the
  // caller's thread whether to continue and for changes, which the first of those that run
  // receives; its other functions are called on any thread, one at a time.
  std::vector<FinishedReplay> run(std::span<const ReplayPlan> plans, RunObserver& observer);

 private:
  std::uint32_t threads_;
  Run run_;
  Ended ended_;
};

// How many replays run at a time: as the experiment specifies, or as many as this process has
// processors; one in real worlds, whose machines are the replays' own.
std::uint32_t chosen_threads(const ExperimentTables& experiment);

}  // namespace tracebed
