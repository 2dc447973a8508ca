// A queue of Hadoop 1's Capacity Scheduler: its jobs, and what they request and occupy.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "schedulers/hadoop1/capacity/reclaim.h"
#include "schedulers/hadoop1/capacity/slot_queues.h"
#include "schedulers/hadoop1/capacity/user_limits.h"
#include "schedulers/hadoop1/slot_jobs.h"

namespace tracebed {

struct QueuedJob {
  SlotJob* job = nullptr;  // its address is stable until it is removed
  std::size_t queue = 0;
  bool may_run = false;  // 1.x: others wait, even if little runs
  // 1.x: nodes reserved for its next task, and offers skipped since its last near map.
  PerKind<std::int64_t> reserved_nodes;
  std::int64_t offers = 0;
  // The part of the cluster's nodes that its maps name; computed once, when it first asks.
  std::optional<float> wait_factor;

  std::int64_t slots_per_task(SlotKind kind) const {
    const SlotAsk* ask = job->wanting(kind);
    return ask == nullptr ? 1 : ask->slots;
  }
  // Slots in use and reserved.
  std::int64_t occupied(SlotKind kind) const {
    return job->slots[kind] + reserved_nodes[kind] * slots_per_task(kind);
  }
};

struct SlotQueue {
  SlotQueueRules rules;
  std::vector<QueuedJob*> jobs;  // in the order in which they are tried
  PerKind<std::int64_t> capacity;
  PerKind<std::optional<std::int64_t>> maximum;
  std::map<UserId, std::int64_t> jobs_of_users;
  PerKind<ReclaimRequests> reclaims;  // 0.20.0

  // ---- counted by count() ----
  PerKind<std::int64_t> occupied;
  PerKind<std::int64_t> pending;
  PerKind<std::map<UserId, std::int64_t>> occupied_by_users;
  PerKind<std::set<UserId>> wanting_users;  // 1.x: of jobs that may run

  void count(SlotKind kind);
  // Fills the capacities from the cluster's slots.
  void measure(const SlotTable& table);

  bool is_user_over_limit(const QueuedJob& job, SlotKind kind) const;  // 0.20
  bool may_take(const QueuedJob& job, SlotKind kind) const;            // 1.x
  // occupied / capacity; 1 for a queue without any.
  double used_part(SlotKind kind) const;

  // By submission, or by priority first if the queue supports it.
  void insert(QueuedJob& job);
  void erase(const QueuedJob& job);
};

}  // namespace tracebed
