// Hadoop 1's first scheduler (mapred.JobQueueTaskScheduler, as it was from 0.19 to 1.2): one queue,
// by priority and then by submission; each node is given its part of the load and no more.
//
// On a node's heartbeat:
// - Load cap. Of a kind, a node is filled up to min(ceil(load × its slots), its slots), where load
//   = unfinished tasks of that kind / slots of the cluster.
// - Maps. Until that is reached: the first job of the queue that has a map to give. One whose input
//   is elsewhere (off-switch) ends the maps of this heartbeat.
// - Reduces. At most one a heartbeat, of the first job that has one. (A job has reduces to give
//   when its master asks for them, which has the slow start.)
// - Padding. Some slots are kept for tasks that fail or are speculated upon: with more than three
//   nodes, min(the node's slots, 1 percent of the tasks of the jobs so far). Where what runs leaves
//   no more than that, one map is given, and only the first job is asked for a reduce.
//
// Deviations, each on purpose:
// - A task needs room beside its slot (slots.h). Where it has none the next job is asked.
// - An application's priority is any number here and not one of five words; the larger goes first.
// - The original passes over jobs without reduces when it adds up tasks for the padding, for maps
//   too. Whether a job will have reduces is not known here before it asks; all jobs count.
#pragma once

#include "schedulers/hadoop1/slot_offer.h"
#include "schedulers/hadoop1/slot_settings.h"

namespace tracebed {

struct SlotFifoSettings {
  SlotRule slots;
  // Only the first job of the queue is given anything, until it has ended (papers/ma2012: a job
  // has the cluster to itself).
  bool is_exclusive = false;
  bool gives_one = false;      // task at most on a heartbeat
  double pad_fraction = 0.01;  // mapred.jobtracker.taskalloc.capacitypad
};

const std::vector<SettingDescription>& slot_fifo_setting_descriptions();
std::span<const MapredProperty> slot_fifo_properties();
Result<SlotFifoSettings> read_slot_fifo_settings(const SchedulerParameters& parameters);

class SlotFifoScheduler final : public Scheduler {
 public:
  explicit SlotFifoScheduler(const SlotFifoSettings& settings)
      : settings_(settings), jobs_(settings.slots, {}) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  HeartbeatInterest heartbeat_interest() const override;
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId id,
                                         AskId ask) const override;

  const SlotJobs& jobs() const { return jobs_; }

 private:
  void serve_node(NodeId node, SlotOffer& offer);
  std::int64_t give_maps(NodeId node, SlotOffer& offer);
  void give_reduce(NodeId node, SlotOffer& offer);
  // Of the kind, what the node may run less what it runs.
  std::int64_t room_under_load_cap(NodeId node, SlotKind kind) const;
  bool is_padding_reached(NodeId node, SlotKind kind) const;
  bool may_run(const SlotJob& job) const;

  SlotFifoSettings settings_;
  SlotJobs jobs_;
  FreeTable free_;
};

}  // namespace tracebed
