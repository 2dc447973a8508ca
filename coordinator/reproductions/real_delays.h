// Launch latency and task overhead of the modelled machines in a real part.
#pragma once

#include <fmt/format.h>
#include <string>

namespace tracebed {

// Keys of [virtual]: what was measured on a virtual machine of two cores (`tracebed calibrate`),
// times the factor of [scale] time, since it is not faster where the trace is.
inline std::string real_delays(int time_scale) {
  constexpr double launch_latency_ms = 2.75;
  constexpr double task_overhead_ms = 12.5;
  return fmt::format(
      "launch_latency = \"{:.0f}ms\"\nlaunch_spread = 4\ntask_overhead = \"{:.0f}ms\"\n"
      "task_overhead_spread = 3\n",
      launch_latency_ms * time_scale, task_overhead_ms * time_scale);
}

}  // namespace tracebed
