// Which running tasks the Fair Scheduler of Hadoop 1.x preempts for pools that starve (mapred.
// FairScheduler.preemptTasks of release 1.2.1), and how.
//
// At multiples of the preemption interval: of all pools that run more than their share, the newest
// tasks of the kind first, of each pool as long as it has more tasks left than its share. Shares
// are fractions, so a pool may end a fraction below its own. Masters and gangs are not preempted.
//
// With `kill` they are killed at once, as in the original; with `contract` they are marked for
// preemption and killed at the deadline, unless no pool is starving any more by then. What is
// already ending counts as preempted.
//
// With mapred.fairscheduler.preemption.only.log nothing is preempted; how many tasks each pool
// should have been given is counted at each check, which is what the original logs as
// SHOULD_PREEMPT.
#pragma once

#include <map>
#include <vector>

#include "schedulers/hadoop1/fair/pools.h"
#include "schedulers/hadoop1/fair/ratio_policy.h"

namespace tracebed {

class SlotPreemption {
 public:
  // All arguments outlive it.
  SlotPreemption(const SlotFairSettings& settings, const SlotJobs& jobs, SlotPools& pools,
                 const RatioPolicy& policy)
      : settings_(settings), jobs_(jobs), pools_(pools), policy_(policy) {}

  // Something changed that may make a pool starve, or more tasks preemptable.
  void something_changed() { is_worthwhile_ = true; }
  // The next look() checks, though none is due.
  void request_look() {
    if (settings_.preempts) next_look_ = TraceTime::min();
  }
  // Handles deadlines that were reached, and containers that are no longer marked for preemption.
  void follow(const SchedulerInput& input, Decisions& decisions);
  // Checks which pools starve, if a check is due.
  void look(const ClusterModel& cluster, TraceTime now, Decisions& decisions);
  // When to check next; `never` if no check is needed before something changes.
  TraceTime plan(TraceTime now);

  // What is marked for preemption, and what a check would preempt now; by container.
  std::vector<PreemptionView> view(const ClusterModel& cluster, TraceTime now) const;

 private:
  struct Request {
    SlotKind kind = SlotKind::map;
    TraceTime deadline = never;
  };
  struct Candidate {
    TraceTime allocated{};
    ContainerId id;
    SlotPool* pool = nullptr;
  };
  // In the order in which they are preempted.
  std::vector<ContainerId> choose(const ClusterModel& cluster, SlotKind kind, TraceTime now) const;
  std::int64_t take(const ClusterModel& cluster, SlotKind kind, TraceTime now,
                    Decisions& decisions);
  // Counts what should be preempted, and returns the number.
  std::int64_t log(SlotKind kind, TraceTime now);
  void take_back(ContainerId id, TraceTime now, Decisions& decisions);
  bool is_going(ContainerId id, const Container& container) const {
    return container.is_being_killed || requests_.contains(id);
  }

  const SlotFairSettings& settings_;
  const SlotJobs& jobs_;
  SlotPools& pools_;
  const RatioPolicy& policy_;
  bool is_worthwhile_ = false;
  TraceTime next_look_ = never;
  std::map<ContainerId, Request> requests_;
};

}  // namespace tracebed
