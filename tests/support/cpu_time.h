// What a piece of work costs, for ratios of costs: other processes change the wall's time, not
// this.
#pragma once

#include <ctime>

namespace tracebed {

// The CPU time of this process, in seconds.
inline double process_cpu_seconds() {
  timespec time = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace tracebed
