// No node is given more than its even part of all tasks (mapred.CapBasedLoadManager; the same in
// mapred.JobQueueTaskScheduler).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tracebed {

// ceil(the node's slots × min(1, difference + tasks / all slots)), where tasks are those that run
// or could, and difference is mapred.fairscheduler.load.max.diff.
inline std::int64_t load_cap(std::int64_t tasks, std::int64_t slots_of_node, std::int64_t all_slots,
                             double difference) {
  if (all_slots <= 0) return 0;
  const double load = difference + static_cast<double>(tasks) / static_cast<double>(all_slots);
  return static_cast<std::int64_t>(
      std::ceil(static_cast<double>(slots_of_node) * std::min(1.0, load)));
}

}  // namespace tracebed
