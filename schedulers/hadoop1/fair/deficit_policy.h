// How the Fair Scheduler of Hadoop 0.20 gives slots (mapred.FairScheduler of release 0.20.2).
//
// At each update, first every job's deficit grows by (share − running) × the time since the last
// one, with the figures from then; then these are computed again: which jobs may run, how many
// tasks they run and need (reduces only once max(1, 5 percent) of the maps have succeeded),
// weights, each pool's minimum among its jobs, shares (deficit_shares.h).
//
// On a heartbeat, for a map and then for a reduce, unless the node has its part of all tasks
// (load_cap.h): the jobs by deficit, the largest first; the first that has a task for the node gets
// the slot. One task per heartbeat, or with assignmultiple one of each kind. There is no delay
// scheduling and no preemption.
//
// A task costs the logarithm of the jobs, and a step for each demand without room
// (waiting_by_demand.h). All deficits grow in each update interval, after which the jobs are put in
// order anew.
//
// Deviations, each on purpose:
// - [slot-fair-no-maps] The reduces of a job without maps run at once; the original would wait for
//   ever for its first map.
#pragma once

#include "schedulers/hadoop1/fair/pools.h"
#include "schedulers/hadoop1/slot_offer.h"

namespace tracebed {

class DeficitPolicy {
 public:
  // All arguments outlive it.
  DeficitPolicy(const SlotFairSettings& settings, SlotJobs& jobs, SlotPools& pools)
      : settings_(settings), jobs_(jobs), pools_(pools) {}

  // Performs the updates up to then, none of which finds anything new; one by one, so that the
  // result does not depend on when it is called.
  void catch_up(TraceTime until);
  void update(TraceTime now);
  // The job may run more or less than before.
  void running_changed(ApplicationId id);
  void remove(ApplicationId id);
  void serve_node(NodeId node, SlotOffer& offer);
  // Stops the run unless the order of jobs is that of their figures.
  void verify() const;

 private:
  // The place of a job among those with needed tasks.
  struct Place {
    DeficitRank rank;
    SlotJobKey key;  // by submission
    auto operator<=>(const Place&) const = default;
  };

  void add_deficits(Duration elapsed);
  void count_tasks(PooledJob& job) const;
  bool give(NodeId node, SlotKind kind, SlotOffer& offer);
  static Place place_of(const PooledJob& job, SlotKind kind);
  void put_in_order(const PooledJob& job, SlotKind kind);

  const SlotFairSettings& settings_;
  SlotJobs& jobs_;
  SlotPools& pools_;
  TraceTime last_update_{};
  PerKind<std::int64_t> runnable_;  // tasks of all jobs, of the last update
  PerKind<WaitingByDemand<ApplicationId, Place>> order_;
  PerKind<bool> is_order_stale_;  // deficits have grown
};

}  // namespace tracebed
