#include "schedulers/hadoop1/capacity/user_limits.h"

#include <algorithm>

namespace tracebed {
namespace {

std::int64_t divided_up(std::int64_t amount, std::int64_t parts) {
  return (amount + parts - 1) / parts;
}

}  // namespace

std::int64_t user_limit_of_020(const QueueSlots& queue, std::int64_t slots_of_task,
                               std::int64_t users, std::int64_t percent) {
  const std::int64_t current =
      queue.occupied < queue.capacity ? queue.capacity : queue.occupied + slots_of_task;
  return std::max(divided_up(current, std::max<std::int64_t>(users, 1)),
                  divided_up(percent * current, 100));
}

std::int64_t user_limit_of_1x(const QueueSlots& queue, std::int64_t slots_of_task,
                              std::int64_t active_users, std::int64_t percent, float factor) {
  const std::int64_t capacity = std::max(queue.capacity, slots_of_task);
  const std::int64_t with_task = queue.occupied + slots_of_task;
  const std::int64_t current = std::max(capacity, with_task);
  const std::int64_t even = std::max(divided_up(current, std::max<std::int64_t>(active_users, 1)),
                                     divided_up(percent * current, 100));
  return std::min(even, static_cast<std::int64_t>(static_cast<float>(capacity) * factor));
}

bool fits_below_maximum(std::optional<std::int64_t> maximum, std::int64_t occupied,
                        std::int64_t slots) {
  return !maximum || *maximum <= 0 || occupied + slots <= *maximum;
}

}  // namespace tracebed
