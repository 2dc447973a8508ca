// Hadoop 1's Fair Scheduler (mapred.FairScheduler): pools that share the slots, defined in a pools
// file or created on demand. Two generations: of 0.20, by deficit (deficit_policy.h), and of 1.x,
// by ratio, with preemption and delay scheduling (ratio_policy.h, slot_preemption.h).
//
// Figures are updated every update interval if something ended, and at once if jobs, asks or nodes
// came, went or changed: the original counts a job's tasks when it is submitted, whereas here asks
// come bit by bit. Nothing wakes the scheduler while nothing changes; updates that would find
// nothing new are performed later.
//
// Deviations, each on purpose:
// - [slots-room] A task needs room besides its slot (slots.h). If it has none, the next job is
//   tried.
// - [slot-fair-speculation] Speculation is left to the masters: a job needs what its master asks
//   for.
#pragma once

#include <memory>

#include "core/names.h"
#include "schedulers/hadoop1/fair/deficit_policy.h"
#include "schedulers/hadoop1/fair/ratio_policy.h"
#include "schedulers/hadoop1/fair/slot_preemption.h"

namespace tracebed {

class SlotFairScheduler final : public Scheduler {
 public:
  // `names` outlives the scheduler. If it is null, every job is in the pool default.
  SlotFairScheduler(SlotFairSettings settings, PoolAllocations allocations, const Names* names);

  // From settings and, if `config` names one, the pools file. Fails with a sentence.
  static Result<std::unique_ptr<SlotFairScheduler>> make(const SchedulerParameters& parameters);

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  // In 1.x every heartbeat matters while maps wait, since time is counted in heartbeats.
  HeartbeatInterest heartbeat_interest() const override;
  // Reads the pools file again, as the original does; other settings must stay the same.
  std::string_view leaf_of(ApplicationId id) const override;
  Status reconfigure(const SchedulerParameters& parameters, const ClusterModel& cluster) override;
  void request_update() override { is_update_requested_ = true; }
  SchedulerView view(const ClusterModel& cluster) const override;
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId id,
                                         AskId ask) const override;

  const SlotJobs& jobs() const { return jobs_; }
  const SlotPools& pools() const { return pools_; }
  // Stops the run unless the order of pools and jobs is that of their figures.
  void verify() const { has_deficits() ? by_deficit_.verify() : by_ratio_.verify(); }

 private:
  bool has_deficits() const { return settings_.generation == SlotFairGeneration::deficits; }
  TraceTime last_update_due(TraceTime now) const;
  void take_in(const SchedulerInput& input, Decisions& decisions);
  void admit(ApplicationId id, Decisions& decisions);
  std::string pool_of(const SlotJob& job) const;
  void update(TraceTime now);
  void wake(Decisions& decisions);

  SlotFairSettings settings_;
  SettingValues given_;  // to compare with at reconfigure
  const Names* names_;
  SlotJobs jobs_;
  SlotPools pools_;
  DeficitPolicy by_deficit_;
  RatioPolicy by_ratio_;
  SlotPreemption preemption_;
  FreeTable free_;
  NodeTurns turns_;
  TraceTime now_{};
  TraceTime update_at_ = never;  // for something that ended
  TraceTime age_at_ = never;
  TraceTime wake_at_ = never;
  bool is_update_requested_ = false;
};

}  // namespace tracebed
