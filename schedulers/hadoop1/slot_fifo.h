// Hadoop 1's first scheduler (mapred.JobQueueTaskScheduler, as it was from 0.19 to 1.2): one queue,
// by priority and then by submission; each node is given at most its part of the load.
//
// On a node's heartbeat:
// - Load cap. Of a kind, a node is filled up to min(ceil(load × its slots), its slots), where load
//   = unfinished tasks of that kind / slots of the cluster.
// - Maps. Until that is reached: the first job of the queue that has a map to give. An off-switch
//   map (input elsewhere) ends the maps of this heartbeat.
// - Reduces. At most one per heartbeat, of the first job that has one. (A job has reduces to give
//   when its master asks for them; the slow start is the master's.)
// - Padding. Some slots are reserved for tasks that fail or are speculated upon: with more than
//   three nodes, min(the node's slots, 1 percent of the tasks of the jobs so far). If no more than
//   that is free, one map is given, and only the first job may give a reduce.
//
// A task costs the logarithm of the jobs, a step for each demand without room
// (waiting_by_demand.h), and one for each job that waits for a near node.
//
// Deviations, each on purpose:
// - [slots-room] A task needs room besides its slot (slots.h). If it has none, the next job is
//   tried.
// - [slot-fifo-priority] An application's priority is any number here, not one of five names;
//   larger ones come first.
// - [slot-fifo-padding] The original skips jobs without reduces when it adds up tasks for the
//   padding, for maps too. Whether a job will have reduces is not known here before it asks; all
//   jobs count.
#pragma once

#include "schedulers/hadoop1/delayed_jobs.h"
#include "schedulers/hadoop1/slot_settings.h"
#include "schedulers/hadoop1/waiting_by_demand.h"

namespace tracebed {

struct SlotFifoSettings {
  SlotRule slots;
  TurnOrder order;
  // Only the first job of the queue is served, until it has ended (papers/ma2012: a job has the
  // cluster to itself).
  bool is_exclusive = false;
  bool gives_one = false;      // at most one task per heartbeat
  double pad_fraction = 0.01;  // mapred.jobtracker.taskalloc.capacitypad
  MapDelays delays;            // none unless they are set
};

const std::vector<SettingDescription>& slot_fifo_setting_descriptions();
std::span<const MapredProperty> slot_fifo_properties();
Result<SlotFifoSettings> read_slot_fifo_settings(const SchedulerParameters& parameters);

class SlotFifoScheduler final : public Scheduler {
 public:
  explicit SlotFifoScheduler(const SlotFifoSettings& settings)
      : settings_(settings),
        jobs_(settings.slots, {}),
        turns_(settings.order),
        delayed_(settings.delays) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  HeartbeatInterest heartbeat_interest() const override;
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId id,
                                         AskId ask) const override;

  const SlotJobs& jobs() const { return jobs_; }
  // Stops the run unless the queue holds the jobs that wait.
  void verify() const;

 private:
  // What it waits for may have changed.
  void put_in_queue(const SlotJob& job);
  void serve_node(NodeId node, SlotOffer& offer);
  // Of the first job of the queue that has one for the node, or at most of the first of all.
  std::optional<Locality> give(SlotKind kind, NodeId node, bool only_first, SlotOffer& offer);
  std::int64_t give_maps(NodeId node, SlotOffer& offer);
  void give_reduce(NodeId node, SlotOffer& offer);
  // How many more tasks of the kind the node may run.
  std::int64_t room_under_load_cap(NodeId node, SlotKind kind) const;
  bool is_padding_reached(NodeId node, SlotKind kind) const;
  bool may_run(const SlotJob& job) const;

  SlotFifoSettings settings_;
  SlotJobs jobs_;
  FreeTable free_;
  NodeTurns turns_;
  DelayedJobs delayed_;
  PerKind<WaitingByDemand<ApplicationId, SlotJobKey>> queue_;  // jobs with tasks to give
};

}  // namespace tracebed
