#include "schedulers/hadoop1/capacity/slot_queue.h"

#include <algorithm>

namespace tracebed {

void SlotQueue::count(SlotKind kind) {
  occupied[kind] = 0;
  pending[kind] = 0;
  occupied_by_users[kind].clear();
  wanting_users[kind].clear();
  for (const QueuedJob* job : jobs) {
    const std::int64_t slots = job->occupied(kind);
    occupied[kind] += slots;
    pending[kind] += job->job->pending[kind];
    if (slots > 0) occupied_by_users[kind][job->job->user] += slots;
    if (job->may_run && job->job->pending[kind] > 0) wanting_users[kind].insert(job->job->user);
  }
}

void SlotQueue::measure(const SlotTable& table) {
  for (const SlotKind kind : slot_kinds) {
    capacity[kind] = slots_of_percent(rules.capacity, table.total(kind));
    if (!rules.maximum_capacity) continue;
    maximum[kind] = slots_of_percent(*rules.maximum_capacity, table.total(kind));
  }
}

bool SlotQueue::is_user_over_limit(const QueuedJob& job, SlotKind kind) const {
  const std::int64_t limit = user_limit_of_020(
      {.capacity = capacity[kind], .occupied = occupied[kind]}, job.slots_per_task(kind),
      static_cast<std::int64_t>(jobs_of_users.size()), rules.user_limit);
  const auto used = occupied_by_users[kind].find(job.job->user);
  return used != occupied_by_users[kind].end() && used->second >= limit;
}

bool SlotQueue::may_take(const QueuedJob& job, SlotKind kind) const {
  const std::int64_t slots = job.slots_per_task(kind);
  if (!fits_below_maximum(maximum[kind], occupied[kind], slots)) return false;
  const std::int64_t limit =
      user_limit_of_1x({.capacity = capacity[kind], .occupied = occupied[kind]}, slots,
                       static_cast<std::int64_t>(wanting_users[kind].size()), rules.user_limit,
                       rules.user_limit_factor);
  const auto used = occupied_by_users[kind].find(job.job->user);
  return (used == occupied_by_users[kind].end() ? 0 : used->second) + slots <= limit;
}

double SlotQueue::used_part(SlotKind kind) const {
  if (capacity[kind] == 0) return 1;
  return static_cast<double>(occupied[kind]) / static_cast<double>(capacity[kind]);
}

void SlotQueue::insert(QueuedJob& job) {
  const auto precedes = [this](const QueuedJob* a, const QueuedJob* b) {
    if (rules.supports_priority) return a->job->key() < b->job->key();
    return std::pair(a->job->submitted, a->job->id) < std::pair(b->job->submitted, b->job->id);
  };
  jobs.insert(std::upper_bound(jobs.begin(), jobs.end(), &job, precedes), &job);
  ++jobs_of_users[job.job->user];
}

void SlotQueue::erase(const QueuedJob& job) {
  std::erase(jobs, &job);
}

}  // namespace tracebed
