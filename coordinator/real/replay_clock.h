// Trace time in the real world: it starts with the replay and runs `time_scale` times as fast as
// the wall clock. Wall time is read from the monotonic clock, which nobody can set back.
#pragma once

#include <chrono>
#include <string>

#include "core/time.h"

namespace tracebed {

using WallMoment = std::chrono::steady_clock::time_point;
using WallDuration = std::chrono::nanoseconds;

class ReplayClock {
 public:
  // Trace seconds per wall second; positive and finite.
  explicit ReplayClock(double time_scale);

  // Trace time 0 is now. Called once.
  void start();
  bool is_started() const { return is_started_; }

  double time_scale() const { return time_scale_; }
  // 0 before the start.
  TraceTime now() const { return at(std::chrono::steady_clock::now()); }
  // Trace time at a wall moment, rounded down; 0 for moments before the start.
  TraceTime at(WallMoment moment) const;
  // When trace time reaches `time`, rounded up; the largest moment if that is out of range.
  WallMoment moment_of(TraceTime time) const;

  Duration to_trace(WallDuration duration) const;  // rounded down
  WallDuration to_wall(Duration duration) const;   // rounded up

 private:
  double time_scale_;
  bool is_started_ = false;
  WallMoment started_{};
};

// Below this, the wall clock of an ordinary machine cannot keep an interval's ratio to the work.
inline constexpr WallDuration dependable_interval = std::chrono::milliseconds(50);

// The warning if `interval`, in trace time, is less than that in wall time; empty if it is not.
std::string short_interval_warning(const std::string& name, Duration interval,
                                   const ReplayClock& clock);

}  // namespace tracebed
