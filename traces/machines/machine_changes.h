// The changes of machines on another clock.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/machines.h"
#include "core/time.h"
#include "traces/parts/trace_options.h"

namespace tracebed {

// What happens from `start` on, counted from there. A machine that is down at `start` leaves at
// time 0, unless its next change is up. `changes` ascend, and are of `machine_count` machines; one
// whose first change is up is absent until then.
std::vector<MachineChange> changes_from(const std::vector<MachineChange>& changes,
                                        std::size_t machine_count, TraceTime start);

// What the times of the trace's jobs count from, on its file's own clock, when it is read with
// `options`. Reads it up to its first job.
TraceTime origin_of_jobs(const std::string& path, TraceOptions options);

}  // namespace tracebed
