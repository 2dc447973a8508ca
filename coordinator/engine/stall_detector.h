// Detects that a run can never end by itself: jobs are open, but nothing runs or is to come, and
// the offers of heartbeats are not taken.
#pragma once

#include <cstdint>
#include <optional>

#include "coordinator/engine/engine.h"
#include "core/time.h"

namespace tracebed {

class StallDetector {
 public:
  // A run is given up after it was quiet for `give_up_after`, and for the time that its jobs are
  // silent by design. `engine` outlives this.
  StallDetector(const Engine& engine, Duration give_up_after)
      : engine_(engine), give_up_after_(give_up_after) {}

  // To be called after every round, at its time. `is_more_to_come`: of jobs, machines, commands or
  // refreshes.
  void after_round(TraceTime now, bool is_more_to_come);
  // When the run is to be checked again; `never` unless it is quiet.
  TraceTime deadline() const { return deadline_; }
  // True if the run had been quiet for too long at the last round.
  bool is_stalled() const { return is_stalled_; }

 private:
  void begin_quiet(TraceTime now, std::uint64_t moves);
  // What the run still waits for after `give_up_after`.
  TraceTime extended_deadline() const;

  const Engine& engine_;
  Duration give_up_after_;
  // Of the present quiet: when it began, and what had been done for jobs and how often the
  // scheduler had been woken by then.
  std::optional<TraceTime> quiet_since_;
  std::uint64_t moves_ = 0;
  std::uint64_t wake_ups_ = 0;
  TraceTime deadline_ = never;
  bool is_stalled_ = false;
};

}  // namespace tracebed
