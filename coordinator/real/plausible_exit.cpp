#include "coordinator/real/plausible_exit.h"

#include <fmt/format.h>

namespace tracebed {
namespace {

using std::chrono::milliseconds;

constexpr wire::WallDuration cpu_time_looked_at = milliseconds(100);
constexpr wire::WallDuration cpu_time_in_advance = milliseconds(200);

double seconds_of(wire::WallDuration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

std::optional<std::string> why_implausible(const wire::ContainerExit& exit,
                                           const ExpectedUse& expected) {
  const wire::WallDuration lasted = exit.ended - exit.started;
  if (lasted < wire::WallDuration::zero()) {
    return fmt::format("it ended {:.3f} s before it began", seconds_of(-lasted));
  }
  if (exit.end == ContainerEnd::succeeded) {
    if (exit.memory_peak_bytes <= 0) return "it succeeded without any memory";
    if (expected.cpu_time >= cpu_time_looked_at && exit.cpu_time < expected.cpu_time / 2) {
      return fmt::format("it succeeded with {:.3f} s of CPU time, and its work takes {:.3f} s",
                         seconds_of(exit.cpu_time), seconds_of(expected.cpu_time));
    }
  }
  if (!expected.is_limited || expected.milli_vcores <= 0) return std::nullopt;
  const double most = (seconds_of(lasted + cpu_time_in_advance)) *
                      static_cast<double>(expected.milli_vcores) * 1.5e-3;
  // A quota's first period is given whole, however short the container is.
  const double used = seconds_of(exit.cpu_time - cpu_time_in_advance);
  if (used <= most) return std::nullopt;
  return fmt::format("it used {:.3f} s of CPU time within {:.3f} s on {:g} vcores",
                     seconds_of(exit.cpu_time), seconds_of(lasted),
                     static_cast<double>(expected.milli_vcores) / 1e3);
}

}  // namespace tracebed
