// How many slots of a queue a user may take (mapred.CapacityTaskScheduler of releases 0.20.0 and
// 0.20.2, isUserOverLimit; mapred.CapacitySchedulerQueue of 1.2.1, assignSlotsToJob).
#pragma once

#include <cstdint>
#include <optional>

namespace tracebed {

struct QueueSlots {
  std::int64_t capacity = 0;
  std::int64_t occupied = 0;
};

// In 0.20: max(ceil(c / users), ceil(percent × c / 100)), where c is the capacity, or once that is
// reached what is occupied plus one task; users are those with jobs in the queue. A user with at
// least this many slots is over the limit.
std::int64_t user_limit_of_020(const QueueSlots& queue, std::int64_t slots_of_task,
                               std::int64_t users, std::int64_t percent);

// In 1.x: min(max(ceil(c / active users), ceil(percent × c / 100)), int(capacity × factor)), where
// the capacity is at least one task, and c is the capacity as long as the task fits within it, else
// what is occupied plus the task; active are users with tasks to give. It limits what a user has
// with the task.
std::int64_t user_limit_of_1x(const QueueSlots& queue, std::int64_t slots_of_task,
                              std::int64_t active_users, std::int64_t percent, float factor);

// Whether the queue may take `slots` more within its maximum, if it has one above 0. (1.x)
bool fits_below_maximum(std::optional<std::int64_t> maximum, std::int64_t occupied,
                        std::int64_t slots);

}  // namespace tracebed
