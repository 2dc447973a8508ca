// How the Fair Scheduler of Hadoop 1.x gives slots (mapred.FairScheduler of release 1.2.1).
//
// At each update the demand of jobs and pools is counted (of a pool at most its maximum), slots are
// divided among pools and each pool's among its jobs (ratio_shares.h), and it is recorded which
// pools have their minimum and half of their share.
//
// On a heartbeat maps and reduces are given in turn, of the kind that the node runs fewer of (maps
// if it runs as many), as long as the node has slots, its part of all tasks (load_cap.h) is not
// reached and a job has a task: the pools by ratio, in a pool the jobs by ratio or, if it is fifo,
// by priority and submission. The longer a job has waited, the farther from its input a map may run
// (map_delay.h); jobs without places do not wait, nor do those of a pool that has been starving for
// longer than its timeout.
//
// A task costs the logarithm of the pools and jobs, a step for each demand without room
// (waiting_by_demand.h), and one for each job that has room for a map but not near its input: it
// counts as skipped, and has waited at the next heartbeat of any node. A node without room for a
// job's maps is to the job as one without slots, which skips nobody. An update costs a step for
// each job, as all shares are computed anew.
//
// Deviations, each on purpose:
// - [slot-fair-starvation-record] The original records which pools have their share only
//   while preemption is on, so that with it off and timeouts set every pool counts as
//   starving some time after the start, and delay scheduling stops. Here it is always
//   recorded.
// - [slot-fair-heartbeats-at-once] A job that was skipped by one of several heartbeats at the same
//   moment waits, whichever of them was the last. The original lets the last decide; on ideal
//   machines, where nodes always come in the same order, one without slots would end every wait.
// - [slot-fair-waits-for-place] A job without waiting maps does not count as waiting for a place.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "schedulers/hadoop1/fair/pools.h"
#include "schedulers/hadoop1/slot_offer.h"

namespace tracebed {

class RatioPolicy {
 public:
  // All arguments outlive it.
  RatioPolicy(const SlotFairSettings& settings, SlotJobs& jobs, SlotPools& pools)
      : settings_(settings), jobs_(jobs), pools_(pools) {}

  // Performs the updates up to then, none of which finds anything new.
  void catch_up(TraceTime until);
  // Computes all figures anew. Due whenever jobs or what they want changed.
  void update(TraceTime now);
  // The job may run more or less than before. It counts from the next heartbeat or update on.
  void running_changed(ApplicationId id) { stale_.push_back(id); }
  void serve_node(const ClusterModel& cluster, TraceTime now, NodeId node, SlotOffer& offer);

  // Stops the run unless the order of pools and jobs is that of their figures.
  void verify() const;

  // Slots of the kind that pools have lacked beyond their timeouts, summed over pools.
  std::int64_t slots_to_take(SlotKind kind, TraceTime now) const;
  // Those of them that the pool lacks.
  std::int64_t slots_to_take_for(const SlotPool& pool, SlotKind kind, TraceTime now) const;
  // When the first pool that lacks something reaches its timeout; `never` if no pool lacks anything
  // that has a timeout.
  TraceTime first_overdue(SlotKind kind) const;
  // How far from its input the job may run a map now: anywhere if its pool starves or it has no
  // places, else by its delay.
  Locality allowed_level(const ClusterModel& cluster, const PooledJob& job, TraceTime now) const;
  // When a job that waits for a place may next take the next level; `never` if none waits.
  TraceTime next_level(TraceTime now) const;

 private:
  struct Turn;
  struct PoolPlace {
    RatioRank rank;
    std::string_view name;
    SlotPool* pool = nullptr;
    bool operator<(const PoolPlace& other) const {
      return rank != other.rank ? rank < other.rank : name < other.name;
    }
  };

  void count_demand();
  void follow_running();
  void follow_running(PooledJob& job, SlotKind kind);
  static RatioPlace place_of(const PooledJob& job, SlotKind kind);
  void put_in_order(PooledJob& job, SlotKind kind);
  void put_in_order(SlotPool& pool, SlotKind kind);
  void pass_time(TraceTime now);
  bool may_give(const Turn& turn, SlotKind kind) const;
  bool give(const ClusterModel& cluster, Turn& turn, SlotKind kind, SlotOffer& offer);
  bool give_of(const ClusterModel& cluster, Turn& turn, SlotPool& pool, SlotKind kind,
               SlotOffer& offer);

  const SlotFairSettings& settings_;
  SlotJobs& jobs_;
  SlotPools& pools_;
  TraceTime last_update_{};
  TraceTime last_heartbeat_ = never;  // of any node; `never` before the first
  PerKind<std::int64_t> demand_;      // of all pools
  PerKind<std::set<PoolPlace>> order_;
  std::vector<ApplicationId> stale_;
  std::vector<PooledJob*> skipped_;  // on the last heartbeat; none is removed without an update
};

}  // namespace tracebed
