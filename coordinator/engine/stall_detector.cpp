#include "coordinator/engine/stall_detector.h"

#include <algorithm>

namespace tracebed {
namespace {

// A scheduler that waits for better places wakes up for each kind of place that it no longer waits
// for: YARN's Fair for the node and then for the rack (FSAppAttempt.getAllowedLocalityLevelByTime).
// One that wakes up more often without placing anything looks for something else.
constexpr std::uint64_t useful_wake_ups = 2;

}  // namespace

void StallDetector::after_round(TraceTime now, bool is_more_to_come) {
  is_stalled_ = false;
  if (is_more_to_come || !engine_.is_waiting()) {
    quiet_since_.reset();
    deadline_ = never;
    return;
  }
  const EngineCounters& counters = engine_.counters();
  const std::uint64_t moves = counters.allocations + counters.jobs_ended + counters.jobs_submitted;
  if (!quiet_since_ || moves != moves_) begin_quiet(now, moves);
  if (now < deadline_) return;
  deadline_ = extended_deadline();
  is_stalled_ = now >= deadline_;
}

// What is quiet now may have been busy for weeks: the time counts from here, never from what was
// last placed.
void StallDetector::begin_quiet(TraceTime now, std::uint64_t moves) {
  quiet_since_ = now;
  moves_ = moves;
  wake_ups_ = engine_.counters().wake_ups;
  deadline_ = now + give_up_after_;
}

TraceTime StallDetector::extended_deadline() const {
  TraceTime deadline = *quiet_since_ + give_up_after_ + engine_.silence_max();
  const TraceTime wake_up = engine_.scheduler_wakes_at();
  if (wake_up != never && engine_.counters().wake_ups - wake_ups_ < useful_wake_ups) {
    deadline = std::max(deadline, wake_up + give_up_after_);
  }
  return deadline;
}

}  // namespace tracebed
