// Whether an agent's report of a container's end can be true. Agents authenticate themselves, so
// this detects what is left: a defect, a broken account or clock, a false report. Such exits are
// used as reported; they are counted, and a warning is given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "protocol/wire_messages.h"

namespace tracebed {

// What is known of a container before it ends. Durations are wall time.
struct ExpectedUse {
  wire::WallDuration cpu_time{};  // that its work takes, if it succeeds; 0: not known
  std::int64_t milli_vcores = 0;  // that it can have at most
  bool is_limited = false;        // by cgroups; else it can use more
};

// Why it is implausible: it ended before it began, it succeeded without memory, with less than half
// of the CPU time that its work takes (of 0.1 s and more), or it used half as much again as its
// vcores give in its time (and a tenth of a second, which the kernel may advance). No correct
// account comes near these: tasks burn until their own CPU clock shows that they are done, and the
// kernel counts in steps of at most 10 ms.
std::optional<std::string> why_implausible(const wire::ContainerExit& exit,
                                           const ExpectedUse& expected);

}  // namespace tracebed
