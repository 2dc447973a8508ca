// YARN's CapacityScheduler (org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity):
// a tree of queues with guarantees and maxima, limits of users and of application masters, locality
// by missed opportunities, reservations, partitions of labelled nodes, and preemption. The sequence
// of actions is in admission.h, node_offer.h and capacity_preemption.h; the formulas are in
// leaf_limits.h, queue_figures.h, preemption/queue_balance.h and preemption/within_queue.h.
//
// Not done here: asks are taken as given, so rounding them up to multiples of the minimum
// allocation is the job master's task; one that is larger than the maximum allocation, which YARN's
// ResourceManager refuses, is never served, and why_waiting() reports it. Which labels are
// exclusive is in YARN's store of labels, and here in the setting `non_exclusive_labels`.
#pragma once

#include "schedulers/yarn/capacity/admission.h"
#include "schedulers/yarn/capacity/application_lifetimes.h"
#include "schedulers/yarn/capacity/capacity_preemption.h"
#include "schedulers/yarn/capacity/managed_queues.h"
#include "schedulers/yarn/capacity/node_offer.h"
#include "schedulers/yarn/capacity/queue_removal.h"

namespace tracebed {

class CapacityScheduler final : public Scheduler {
 public:
  explicit CapacityScheduler(CapacitySettings settings);

  void decide(const SchedulerInput& input, Decisions& decisions) override;
  LimitedDimensions limited_dimensions() const override {
    return state_.configuration().calculator.limited_dimensions();
  }
  HeartbeatInterest heartbeat_interest() const override;
  Result<Resources> container_size(ApplicationId application,
                                   const Resources& demand) const override;
  // What the application's user may still be given in its queue, for all the user's applications.
  Resources headroom(const ClusterModel& cluster, ApplicationId application) const override;
  std::string_view leaf_of(ApplicationId application) const override;
  Status reconfigure(const SchedulerParameters& parameters, const ClusterModel& cluster) override;
  void request_update() override { preemption_.request_round(); }
  SchedulerView view(const ClusterModel& cluster) const override;
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId application,
                                         AskId ask) const override;

  // For tests: that Σ children = parent, Σ users = leaf and so on hold.
  const CapacityState& state() const { return state_; }

 private:
  void follow(const SchedulerEvent& event, const ClusterModel& cluster, Decisions& decisions);
  void admit(ApplicationId id, const ClusterModel& cluster, Decisions& decisions);
  void take_back(const Refused& refusal, const ClusterModel& cluster);
  void refresh_figures();
  void look_at_created_queues(TraceTime now, const ClusterModel& cluster);
  void offer_nodes(const SchedulerInput& input, Decisions& decisions);
  void set_alarm(TraceTime now, Decisions& decisions);

  CapacityState state_;
  Admission admission_;
  ApplicationLifetimes lifetimes_;
  CapacityPreemption preemption_;
  QueueRemoval removal_;
  ManagedQueues managed_;
  TraceTime alarm_ = never;  // when the scheduler is woken
  ContainerSizes sizes_;
  FreeTable free_;
  std::uint64_t call_ = 0;
  std::vector<Proposal> proposals_;  // of this call
  std::vector<Proposal> previous_;   // of the last, which may be refused
};

}  // namespace tracebed
