// Hadoop 1's dynamic priority scheduler (Sandholm and Lai, Dynamic Proportional Share Scheduling in
// Hadoop, JSSPP 2010; mapred.DynamicPriorityScheduler and mapred.PriorityScheduler of Hadoop's
// contrib/dynamic-scheduler, as of 0.21): users bid a rate that they spend for a slot, and share
// the slots in proportion to their bids (bidders.h), without a guarantee of any deadline.
//
// On a node's heartbeat its free map slots, then its reduce slots are given one by one to the first
// job, by submission, whose user runs less than its quota; what no such job takes goes to the first
// job of any user.
//
// Left out: tasks are not killed (mapred.priority-scheduler.kill-interval, which is off by
// default), and submissions are not signed.
//
// Deviations, each on purpose:
// - [slots-room] A task needs room besides its slot (slots.h). If it has none, the next job is
//   tried: first of the same user, then of others.
// - [slot-bids-budget] In the original a user whose bid exceeds the budget has a share all the same
//   as long as nothing of it runs, of a price that does not count its bid. Here it has none.
// - [slot-bids-everybody] In the original jobs of users without a queue of their own are killed.
//   Here a setting says what they bid, and who has no budget has no limit.
#pragma once

#include <string>

#include "core/names.h"
#include "schedulers/hadoop1/bids/bidders.h"
#include "schedulers/hadoop1/delayed_jobs.h"
#include "schedulers/hadoop1/slot_settings.h"

namespace tracebed {

struct SlotDynamicPrioritySettings {
  SlotRule slots;
  TurnOrder order;
  BidTerms terms;
  MapDelays delays;  // none unless they are set
};

const std::vector<SettingDescription>& slot_dynamic_priority_setting_descriptions();
Result<SlotDynamicPrioritySettings> read_slot_dynamic_priority_settings(
    const SchedulerParameters& parameters);

class SlotDynamicPriorityScheduler final : public Scheduler {
 public:
  // `names` outlives the scheduler. If it is null, all users are one without a name.
  SlotDynamicPriorityScheduler(SlotDynamicPrioritySettings settings, const Names* names)
      : names_(names),
        jobs_(settings.slots, {}),
        bidders_(std::move(settings.terms)),
        turns_(settings.order),
        delayed_(settings.delays) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  HeartbeatInterest heartbeat_interest() const override;
  std::string_view leaf_of(ApplicationId id) const override;
  SchedulerView view(const ClusterModel& cluster) const override;
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId id,
                                         AskId ask) const override;

  const SlotJobs& jobs() const { return jobs_; }

 private:
  void refresh(ApplicationId id);
  void serve_node(NodeId node, SlotOffer& offer);
  bool serve_one(NodeId node, SlotKind kind, SlotOffer& offer);
  std::string user_of(const SlotJob& job) const;

  const Names* names_;
  SlotJobs jobs_;
  Bidders bidders_;
  FreeTable free_;
  NodeTurns turns_;
  DelayedJobs delayed_;
};

}  // namespace tracebed
