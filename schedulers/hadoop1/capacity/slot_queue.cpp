#include "schedulers/hadoop1/capacity/slot_queue.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

// Sums without entries of nothing.
void add_for_user(std::map<UserId, std::int64_t>& sums, UserId user, std::int64_t amount) {
  if (amount == 0) return;
  const auto sum = sums.try_emplace(user, 0).first;
  sum->second += amount;
  if (sum->second == 0) sums.erase(sum);
}

}  // namespace

void SlotQueue::count(QueuedJob& job) {
  for (const SlotKind kind : slot_kinds) {
    const std::int64_t pending = job.job->pending[kind];
    count(
        job, *job.job, kind,
        {.occupied = job.occupied(kind), .pending = pending, .wants = job.may_run && pending > 0});
  }
}

void SlotQueue::count(QueuedJob& job, const SlotJob& slots, SlotKind kind,
                      const QueuedJob::Counted& now) {
  const QueuedJob::Counted before = std::exchange(job.counted[kind], now);
  Counts& counts = counts_[kind];
  counts.occupied += now.occupied - before.occupied;
  counts.pending += now.pending - before.pending;
  add_for_user(counts.occupied_by_users, slots.user, now.occupied - before.occupied);
  add_for_user(counts.wanting_users, slots.user, (now.wants ? 1 : 0) - (before.wants ? 1 : 0));
  if (now.wants) {
    counts.waiting.set(slots.id, key_of(slots), waiting_demands(slots, kind));
  } else {
    counts.waiting.remove(slots.id);
  }
}

void SlotQueue::verify() const {
  for (const SlotKind kind : slot_kinds) {
    Counts expected;
    std::set<SlotJobKey> waiting;
    for (const QueuedJob* job : jobs) {
      const SlotJob& slots = *job->job;
      expected.occupied += job->occupied(kind);
      expected.pending += slots.pending[kind];
      add_for_user(expected.occupied_by_users, slots.user, job->occupied(kind));
      if (!job->may_run || slots.pending[kind] == 0) continue;
      add_for_user(expected.wanting_users, slots.user, 1);
      waiting.insert(key_of(slots));
    }
    const Counts& counts = counts_[kind];
    TRACEBED_CHECK(counts.occupied == expected.occupied && counts.pending == expected.pending,
                   "a queue's slots and tasks are those of its jobs");
    TRACEBED_CHECK(counts.occupied_by_users == expected.occupied_by_users &&
                       counts.wanting_users == expected.wanting_users,
                   "what users occupy and want is what their jobs do");
    TRACEBED_CHECK(counts.waiting.keys() == waiting,
                   "the jobs that wait are in the order of the queue");
  }
}

void SlotQueue::measure(const SlotTable& table) {
  for (const SlotKind kind : slot_kinds) {
    capacity[kind] = slots_of_percent(rules.capacity, table.total(kind));
    if (!rules.maximum_capacity) continue;
    maximum[kind] = slots_of_percent(*rules.maximum_capacity, table.total(kind));
  }
}

std::int64_t SlotQueue::occupied_by(UserId user, SlotKind kind) const {
  const auto occupied = counts_[kind].occupied_by_users.find(user);
  return occupied == counts_[kind].occupied_by_users.end() ? 0 : occupied->second;
}

bool SlotQueue::is_user_over_limit(const QueuedJob& job, SlotKind kind) const {
  const std::int64_t limit = user_limit_of_020(
      {.capacity = capacity[kind], .occupied = occupied(kind)}, job.slots_per_task(kind),
      static_cast<std::int64_t>(jobs_of_users.size()), rules.user_limit);
  const std::int64_t used = occupied_by(job.job->user, kind);
  return used > 0 && used >= limit;
}

bool SlotQueue::may_take(const QueuedJob& job, SlotKind kind) const {
  const std::int64_t slots = job.slots_per_task(kind);
  if (!fits_below_maximum(maximum[kind], occupied(kind), slots)) return false;
  const std::int64_t limit =
      user_limit_of_1x({.capacity = capacity[kind], .occupied = occupied(kind)}, slots,
                       active_users(kind), rules.user_limit, rules.user_limit_factor);
  return occupied_by(job.job->user, kind) + slots <= limit;
}

SlotQueueRank SlotQueue::rank(SlotKind kind, std::size_t index) const {
  SlotQueueRank rank;
  rank.index = index;
  rank.is_patient = !reclaims[kind].is_waiting();
  if (!rank.is_patient) {
    rank.first_kill = reclaims[kind].first_kill();
  } else if (capacity[kind] == 0) {
    rank.used_part = 1;
  } else {
    rank.used_part = static_cast<double>(occupied(kind)) / static_cast<double>(capacity[kind]);
  }
  return rank;
}

void SlotQueue::insert(QueuedJob& job) {
  const auto precedes = [this](const QueuedJob* a, const QueuedJob* b) {
    return key_of(*a->job) < key_of(*b->job);
  };
  jobs.insert(std::upper_bound(jobs.begin(), jobs.end(), &job, precedes), &job);
  ++jobs_of_users[job.job->user];
}

void SlotQueue::erase(QueuedJob& job, const SlotJob& removed) {
  for (const SlotKind kind : slot_kinds) count(job, removed, kind, {});
  std::erase(jobs, &job);
  const auto of_user = jobs_of_users.find(removed.user);
  if (--of_user->second == 0) jobs_of_users.erase(of_user);
}

}  // namespace tracebed
