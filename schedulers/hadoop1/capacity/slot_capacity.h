// Hadoop 1's Capacity Scheduler (mapred.CapacityTaskScheduler): queues with a part of the slots,
// which may take more as long as others leave it free. Three generations:
//
// - 0.20.0. One task a heartbeat, of the kind that the node has more free slots for (maps if it has
//   as many), or of the other kind if there is none. Queues that reclaim capacity come first, by
//   the deadline of their oldest request (reclaim.h); then by running / capacity. In a queue, jobs
//   by submission (or priority, where the queue supports it) whose users are below their limit
//   (user_limits.h); if none of them has a task, a second pass ignores the limits, so that no slot
//   stays idle. Queues without capacity get nothing.
// - 0.20.2. The same without reclaiming; tasks with more memory than a slot take several, and where
//   the next job's task takes more slots than are free, nothing of that kind is given on this
//   heartbeat.
// - 1.x. As many maps as the node has slots for, up to the first that is not near its input, then
//   one reduce. There is no second pass. A queue may have a maximum. A job whose task takes more
//   slots than are free reserves the node; what is reserved counts as taken. Maps that have their
//   input in no near rack are given after the job has skipped (unfinished maps, at most the nodes)
//   × (the part of all nodes that the job names) offers. maximum-system-jobs limits how many jobs
//   of each queue and user run, and how many are accepted.
//
// A task costs the logarithm of the queues and jobs, and a step for each demand without room
// (waiting_by_demand.h), for each job of a user above the limit, and in 1.x for each that has room
// for a map but not near its input. That is what it counts as a missed scheduling opportunity; a
// node without room for a job's maps is to the job as one without slots.
//
// Deviations, each on purpose:
// - [slots-room] A task needs room besides its slots (slots.h). If it has none, the next job is
//   tried.
// - [slot-capacity-initialisation] Jobs need no initialisation, so nothing is polled. Limits of
//   initialised tasks are ignored: how many tasks a job will have is not known here when it is
//   submitted.
// - [slot-capacity-ties] Of queues that rank equal, the one that is named first comes first.
// - [slot-capacity-gangs] A gang counts as one task when limits are checked, and as each of its
//   units once it runs.
// - [slot-capacity-kill-order] Order of killing to reclaim capacity: off-switch tasks first,
//   as in the original, and of the rest the newest first, where the original's order is
//   arbitrary.
#pragma once

#include <deque>
#include <memory>
#include <set>

#include "core/names.h"
#include "schedulers/hadoop1/capacity/slot_capacity_settings.h"
#include "schedulers/hadoop1/capacity/slot_queue.h"
#include "schedulers/hadoop1/slot_offer.h"

namespace tracebed {

class SlotCapacityScheduler final : public Scheduler {
 public:
  // `names` outlives the scheduler. If it is null, every job is in the queue default.
  SlotCapacityScheduler(SlotCapacitySettings settings, const Names* names);

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  // In 1.x a node without room is reserved for a task that takes several slots.
  HeartbeatInterest heartbeat_interest() const override;
  Result<Resources> container_size(ApplicationId id, const Resources& demand) const override;
  // Only 1.x refreshes its queues; none may be removed.
  std::string_view leaf_of(ApplicationId id) const override;
  Status reconfigure(const SchedulerParameters& parameters, const ClusterModel& cluster) override;
  void request_update() override { check_at_ = now_; }
  SchedulerView view(const ClusterModel& cluster) const override;
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId id,
                                         AskId ask) const override;

  const SlotJobs& jobs() const { return jobs_; }
  // Stops the run unless its counts and orders are those of the jobs.
  void verify() const;

 private:
  enum class Found : std::uint8_t { nothing, near, off_switch, too_few_slots };

  bool is_of(SlotCapacityGeneration generation) const { return settings_.generation == generation; }
  void add(const SlotQueueRules& rules);
  void take_in(const SchedulerInput& input, Decisions& decisions);
  void remove(const SlotJob& job);
  void admit(ApplicationId id, Decisions& decisions);
  std::string why_not_accepted(const SlotQueue& queue, const SlotJob& job) const;
  void let_jobs_run();
  // What concerns the job's queue may have changed.
  void count(QueuedJob& job);
  void count(ApplicationId id);
  void measure_all();
  // The queue's place may have changed.
  void put_in_order(std::size_t queue);

  // ---- 0.20 ----
  void serve_020(NodeId node, SlotOffer& offer);
  Found give_020(NodeId node, SlotKind kind, SlotOffer& offer);
  Found give_of_020(SlotQueue& queue, NodeId node, SlotKind kind, SlotOffer& offer);
  void reclaim(const ClusterModel& cluster, Decisions& decisions);
  void reclaim(const ClusterModel& cluster, SlotKind kind, Decisions& decisions);
  void kill(const ClusterModel& cluster, const SlotQueue& queue, SlotKind kind, std::int64_t tasks,
            Decisions& decisions) const;
  bool is_reclaiming() const;
  void wake(Decisions& decisions);

  // ---- 1.x ----
  void serve_1x(const ClusterModel& cluster, NodeId node, SlotOffer& offer);
  Found give_1x(const ClusterModel& cluster, NodeId node, SlotKind kind, bool may_be_far,
                SlotOffer& offer);
  Found give_of_1x(const ClusterModel& cluster, SlotQueue& queue, NodeId node, SlotKind kind,
                   bool may_be_far, SlotOffer& offer);
  Found give_job(const ClusterModel& cluster, QueuedJob& job, NodeId node, SlotKind kind,
                 bool may_be_far, SlotOffer& offer);
  Found serve_reservation(const ClusterModel& cluster, NodeId node, SlotKind kind,
                          SlotOffer& offer);
  bool has_waited_for_places(const ClusterModel& cluster, QueuedJob& job) const;
  void reserve(NodeId node, SlotKind kind, QueuedJob& job);
  void unreserve(NodeId node, SlotKind kind);
  // Whether a task of that demand may be given, or its job may keep others from being given one.
  bool concerns(const Resources& demand, NodeId node, SlotKind kind, const SlotOffer& offer) const;
  void drop_idle_reservations();

  SlotCapacitySettings settings_;
  const Names* names_;
  SlotJobs jobs_;
  std::deque<SlotQueue> queues_;
  PerKind<std::set<SlotQueueRank>> order_;
  std::vector<PerKind<SlotQueueRank>> ranks_;  // by queue: those that are in the order
  std::map<std::string, std::size_t, std::less<>> queue_names_;
  std::map<ApplicationId, QueuedJob> queued_;
  PerKind<std::map<NodeId, ApplicationId>> reserved_;
  FreeTable free_;
  NodeTurns turns_;
  TraceTime now_{};
  TraceTime wake_at_ = never;
  TraceTime check_at_ = never;
};

}  // namespace tracebed
