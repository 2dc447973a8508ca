// YARN's FairScheduler (org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair): queues from
// an allocation file and on demand, each with a policy (fair, drf, fifo) that decides which child
// is offered a node next; minimum and maximum shares, weights, limits of running applications and
// of what their masters use; delay scheduling; reservations.
//
// A node is offered on its heartbeat (NodeUpdated), and with continuous scheduling between them too
// (fair_assignment.h). Demands and shares are updated every update interval (fair_update.h): the
// scheduler wakes itself then, if something changed. Queues that were created on demand and are
// empty are removed when the original checks for them, every ten seconds. A container has room on a
// node if it fits in memory and vcores, whatever the policy (FSAppAttempt.assignContainer:
// Resources.fitsIn without a calculator). With
// `preemption.enabled`, applications that starve get containers of others (fair_preemption.h).
//
// Deviations, each on purpose:
// - [fair-increment] A request is not rounded up to a multiple of the increment; asks are taken as
//   given.
// - [fair-one-size] A request for nodes, racks and anywhere has one size. In YARN each of the three
//   may have its own, which no master of Hadoop's makes use of.
// - [fair-gangs] YARN has no gangs. A gang is tried when its turn comes on a heartbeat of a node
//   that has room for one of its units, over all nodes in id order that are not reserved, and
//   placed whole, if it fits its queue's maximum whole, or not at all. Nothing is kept free for
//   it.
// - [fair-groups] There is no database of groups: see the setting `groups`.
// - [fair-same-time] Applications that were submitted at the same time are ordered by id, where the
//   original compares their ids as text.
//
// An application's own priority and node labels are ignored, as in the original.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/names.h"
#include "core/scheduler.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/yarn/fair/fair_assignment.h"
#include "schedulers/yarn/fair/fair_order.h"
#include "schedulers/yarn/fair/fair_preemption.h"
#include "schedulers/yarn/fair/fair_queue_tree.h"
#include "schedulers/yarn/fair/fair_settings.h"
#include "schedulers/yarn/fair/fair_update.h"
#include "schedulers/yarn/fair/node_reservations.h"
#include "schedulers/yarn/fair/running_limits.h"

namespace tracebed {

// The settings, and the names of the run's resources.
Result<FairSettings> read_fair_settings_of(const SchedulerParameters& parameters);
// The contents of the file that the setting `config` names; without one, no queues.
AllocationFileForm form_of(const FairSettings& settings);
Result<FairAllocations> read_fair_allocations_of(const SchedulerParameters& parameters,
                                                 const FairSettings& settings);
std::vector<PlacementRule> placement_rules_of(const FairAllocations& allocations,
                                              const FairSettings& settings);

class FairScheduler final : public Scheduler {
 public:
  // `names` outlives the scheduler. If it is null, nothing has a name: every user is "anonymous"
  // and no application names a queue.
  FairScheduler(FairSettings settings, FairAllocations allocations, const Names* names);

  // From settings and, if `config` names one, the allocation file. Fails with a sentence.
  static Result<std::unique_ptr<FairScheduler>> make(const SchedulerParameters& parameters);

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  // With reservations or promised room, or if declined offers are counted, every heartbeat matters.
  HeartbeatInterest heartbeat_interest() const override;
  Result<Resources> container_size(ApplicationId id, const Resources& demand) const override;
  Resources headroom(const ClusterModel& cluster, ApplicationId id) const override;
  std::string_view leaf_of(ApplicationId id) const override;
  Status reconfigure(const SchedulerParameters& parameters, const ClusterModel& cluster) override;
  void request_update() override { is_update_requested_ = true; }
  SchedulerView view(const ClusterModel& cluster) const override;
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId id,
                                         AskId ask_id) const override;

  // Stops the run unless every stored sum is correct.
  void verify() const;

 private:
  void take_in(const SchedulerInput& input, Decisions& decisions);
  void take_in(const SchedulerInput& input, const SchedulerEvent& event, Decisions& decisions);
  void admit(const ClusterModel& cluster, ApplicationId id, Decisions& decisions);
  LiveQueue* queue_for(const Application& application, std::string& refusal);
  void remove(ApplicationId id);
  // Something of the application changed in the model.
  void touch(ApplicationId id);
  void settle(const ClusterModel& cluster);
  void settle(const ClusterModel& cluster, LiveApplication& application);
  void take_asks(const ClusterModel& cluster, LiveApplication& application);
  void master_ended(ApplicationId id, AskId ask);
  void note_start(LiveQueue& leaf);

  void follow_cluster(const ClusterModel& cluster);
  // Everything that depends on the cluster's size, the policies or the settings.
  void refresh_all();
  TraceTime update_due() const;
  // Searches for starving applications, at the times of possible updates.
  void preempt(const SchedulerInput& input, bool is_update, Decisions& decisions);
  TraceTime look_due() const;
  void check_queues();
  void offer_nodes(const SchedulerInput& input, Decisions& decisions);
  void offer_round(const ClusterModel& cluster, FairAssignment& assignment);
  void check_queues_soon();
  void wake(Decisions& decisions);
  std::string user_name(UserId user) const;

  FairSettings settings_;
  const Names* names_;
  FairQueueTree tree_;
  LiveApplications applications_;
  FairOrder order_;
  RunningLimits limits_;
  ContainerSizes sizes_;
  FairUpdate update_;
  NodeReservations reservations_;
  FreeTable free_;
  FairPreemption preemption_;
  NodeCounts nodes_;
  std::vector<PlacementRule> placement_;

  std::vector<ApplicationId> touched_;  // in this call
  std::vector<std::pair<ApplicationId, AskId>> placed_;
  std::vector<NodeId> round_;
  TraceTime now_{};               // of the last call
  TraceTime update_anchor_{};     // updates come at multiples of the interval after it
  TraceTime update_at_ = never;   // for changes that were seen
  TraceTime look_at_ = never;     // for events
  bool has_node_change_ = false;  // in this call
  bool is_update_requested_ = false;
  TraceTime wake_at_ = never;
  TraceTime next_queue_check_ = never;
  TraceTime next_round_ = never;      // of continuous scheduling
  bool is_round_worthwhile_ = false;  // something happened since a round without result
};

}  // namespace tracebed
