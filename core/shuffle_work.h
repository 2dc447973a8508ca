// What a task's work says of its part in a shuffle (core/shuffle.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/ids.h"
#include "core/task_work.h"

namespace tracebed {

// As a task of which job it puts and fetches.
inline JobId shuffle_job_of(const TaskWork& work) {
  return JobId(static_cast<std::size_t>(work.shuffle_job));
}
// The bytes that it keeps for tasks of later stages.
inline std::int64_t kept_for_others(const TaskWork& work) {
  return work.map_output_length;
}
// The bytes that it writes to its machine's disk and reads again.
inline std::int64_t spilled_by(const TaskWork& work) {
  return work.spilled_length;
}
inline void spill_besides(TaskWork& work, std::int64_t bytes) {
  work.spilled_length = std::min(work.spilled_length + bytes, task_amount_max);
}
// The machine, from 1, from whose memory it takes what it reads; 0: none.
inline std::int64_t machine_with_input(const TaskWork& work) {
  return work.input_cached_on;
}
// From how many machines it fetches at a time, at most.
inline std::int64_t fetches_at_a_time(const TaskWork& work) {
  return fetches(work) ? work.shuffle_copies : 0;
}

}  // namespace tracebed
