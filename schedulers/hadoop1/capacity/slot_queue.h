// A queue of Hadoop 1's Capacity Scheduler: its jobs, and what they request and occupy.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <vector>

#include "schedulers/hadoop1/capacity/reclaim.h"
#include "schedulers/hadoop1/capacity/slot_queues.h"
#include "schedulers/hadoop1/capacity/user_limits.h"
#include "schedulers/hadoop1/waiting_by_demand.h"

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
  // What its queue has counted of it.
  struct Counted {
    std::int64_t occupied = 0;
    std::int64_t pending = 0;
    bool wants = false;  // to be given tasks, and may run
  };
  PerKind<Counted> counted;

  std::int64_t slots_per_task(SlotKind kind) const {
    const SlotAsk* ask = job->wanting(kind);
    return ask == nullptr ? 1 : ask->slots;
  }
  // Slots in use and reserved.
  std::int64_t occupied(SlotKind kind) const {
    return job->slots[kind] + reserved_nodes[kind] * slots_per_task(kind);
  }
};

// The queue with the smaller rank is served first.
struct SlotQueueRank {
  bool is_patient = true;  // it does not wait for capacity that it reclaims (0.20.0)
  TraceTime first_kill{};  // if it does
  double used_part = 0;    // if it does not: occupied / capacity; 1 for a queue without any
  std::size_t index = 0;   // of the queue
  auto operator<=>(const SlotQueueRank&) const = default;
};

class SlotQueue {
 public:
  SlotQueueRules rules;
  std::vector<QueuedJob*> jobs;  // in the order in which they are tried
  PerKind<std::int64_t> capacity;
  PerKind<std::optional<std::int64_t>> maximum;
  std::map<UserId, std::int64_t> jobs_of_users;
  PerKind<ReclaimRequests> reclaims;  // 0.20.0

  // Sums over the jobs as they were last counted.
  std::int64_t occupied(SlotKind kind) const { return counts_[kind].occupied; }
  std::int64_t pending(SlotKind kind) const { return counts_[kind].pending; }
  // 1.x: users of jobs that may run and have tasks to give.
  std::int64_t active_users(SlotKind kind) const {
    return static_cast<std::int64_t>(counts_[kind].wanting_users.size());
  }
  // The jobs that may run and have tasks to give, in the order of `jobs`.
  const WaitingByDemand<ApplicationId, SlotJobKey>& waiting(SlotKind kind) const {
    return counts_[kind].waiting;
  }

  // Counts the job as it is now. To be called after whatever changes it.
  void count(QueuedJob& job);
  // Fills the capacities from the cluster's slots.
  void measure(const SlotTable& table);

  bool is_user_over_limit(const QueuedJob& job, SlotKind kind) const;  // 0.20
  bool may_take(const QueuedJob& job, SlotKind kind) const;            // 1.x
  SlotQueueRank rank(SlotKind kind, std::size_t index) const;

  // Stops the run unless what is counted is what the jobs are.
  void verify() const;

  // By submission, or by priority first if the queue supports it.
  void insert(QueuedJob& job);
  // `removed` is what the job was; there is nothing at its address any more.
  void erase(QueuedJob& job, const SlotJob& removed);

 private:
  struct Counts {
    std::int64_t occupied = 0;
    std::int64_t pending = 0;
    std::map<UserId, std::int64_t> occupied_by_users;  // of those that occupy some
    std::map<UserId, std::int64_t> wanting_users;      // how many jobs of each want tasks
    WaitingByDemand<ApplicationId, SlotJobKey> waiting;
  };

  SlotJobKey key_of(const SlotJob& job) const {
    return rules.supports_priority ? job.key() : job.key_by_submission();
  }
  std::int64_t occupied_by(UserId user, SlotKind kind) const;
  void count(QueuedJob& job, const SlotJob& slots, SlotKind kind, const QueuedJob::Counted& now);

  PerKind<Counts> counts_;
};

}  // namespace tracebed
