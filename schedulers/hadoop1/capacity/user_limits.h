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

// Of 0.20: max(ceil(c / users), ceil(percent × c / 100)), where c is the capacity, or what is
// occupied and one task more once that is reached; users are those with jobs in the queue. A user
// is over it who has at least so much.
std::int64_t user_limit_of_020(const QueueSlots& queue, std::int64_t slots_of_task,
                               std::int64_t users, std::int64_t percent);

// Of 1.x: min(max(ceil(c / active users), ceil(percent × c / 100)), int(capacity × factor)), where
// the capacity is at least one task, and c is it as long as the task fits below, else what is
// occupied and the task; active are users with tasks to give. With the task a user may have at most
// so much.
std::int64_t user_limit_of_1x(const QueueSlots& queue, std::int64_t slots_of_task,
                              std::int64_t active_users, std::int64_t percent, float factor);

// Whether the queue may take so many slots more below its maximum, if it has one above 0. (1.x)
bool fits_below_maximum(std::optional<std::int64_t> maximum, std::int64_t occupied,
                        std::int64_t slots);

}  // namespace tracebed
