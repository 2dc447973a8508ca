// Whether what an agent says of a container's end can be true. Agents prove who they are, so this
// is for what is left: a defect, a broken account or clock, an agent that lies. Such exits count as
// reported; they are counted, and said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "protocol/wire_messages.h"

namespace tracebed {

// What is known of a container before it ends. Durations are wall time.
struct ExpectedUse {
  wire::WallDuration cpu_time{};  // that its work takes, if it succeeds; 0: not known
  std::int64_t milli_vcores = 0;  // that it is limited to
  bool is_limited = false;        // by cgroups; else it takes what it can get
};

// Why it cannot be: it ended before it began, it succeeded without memory, with less than half of
// the CPU time that its work takes (of 0.1 s and more), or it had half as much again as its vcores
// give in its time (and a tenth of a second, which the kernel may advance). No honest account comes
// near these: tasks burn until their own CPU clock says that they are done, and the kernel counts
// in steps of at most 10 ms.
std::optional<std::string> why_implausible(const wire::ContainerExit& exit,
                                           const ExpectedUse& expected);

}  // namespace tracebed
