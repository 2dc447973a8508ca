// Trace time: integer microseconds since the start of the trace. The clock has no now(): decision
// code cannot read the time, it is passed in. Mixing with a wall clock does not compile.
#pragma once

#include <chrono>
#include <cstdint>

namespace tracebed {

struct TraceClock {
  using rep = std::int64_t;
  using period = std::micro;
  using duration = std::chrono::duration<rep, period>;
  using time_point = std::chrono::time_point<TraceClock, duration>;
  static constexpr bool is_steady = true;
};

using Duration = TraceClock::duration;
using TraceTime = TraceClock::time_point;

// Later than everything that happens; as a deadline, "no deadline".
inline constexpr TraceTime never = TraceTime::max();

constexpr Duration microseconds(std::int64_t count) {
  return Duration(count);
}
constexpr Duration milliseconds(std::int64_t count) {
  return std::chrono::milliseconds(count);
}
constexpr Duration seconds(std::int64_t count) {
  return std::chrono::seconds(count);
}

// Microseconds since the start of the trace.
constexpr std::int64_t to_microseconds(TraceTime time) {
  return time.time_since_epoch().count();
}
constexpr TraceTime trace_time(std::int64_t microseconds_since_start) {
  return TraceTime(Duration(microseconds_since_start));
}

// For people and plots only; decisions never use floating time.
constexpr double to_seconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e6;
}
constexpr double to_seconds(TraceTime time) {
  return to_seconds(time.time_since_epoch());
}

}  // namespace tracebed
