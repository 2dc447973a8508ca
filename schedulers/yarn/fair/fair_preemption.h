// Preemption by the Fair Scheduler: containers are taken from applications that have more than
// their share and given to those that starve (FSPreemptionThread, FSStarvedApps).
//
// While more of the cluster is used than preemption.cluster_utilization_threshold, starving
// applications are searched for (starvation.h) at multiples of the update interval, room is found
// for what they lack (room_finder.h, victim_search.h), and what is freed is kept for them
// (promised_room.h). One that was helped is checked again when its victims should have ended and
// their resources been given to it: waitTimeBeforeKill + four heartbeats (or ten rounds of
// continuous scheduling) + waitTimeBeforeNextStarvationCheck later.
//
// How containers are preempted (`preemption.delivery`):
// - contract: strict preemption requests, killed at waitTimeBeforeKill. A promise that is no longer
//   needed is withdrawn at once: its application has what it lacked, needs less, has ended, or got
//   a container there; the node is lost. Before a kill the need is checked again, also whether
//   there is room elsewhere by now.
// - hadoop: strict requests, repeated until the container ends, without a deadline; killed by the
//   scheduler after waitTimeBeforeKill, whether still needed or not.
// - kill: killed at once.
//
// A gang that waits for all its resources is helped with room for all of its units, on one or
// several nodes, or not at all; the room is kept until all of it is free, and then the gang is
// placed on just those nodes.
//
// Nothing happens, and nothing wakes the scheduler, while nothing changes and no timeout is
// pending.
#pragma once

#include <string>
#include <vector>

#include "core/decisions.h"
#include "core/scheduler.h"
#include "schedulers/yarn/fair/room_finder.h"

namespace tracebed {

class FairPreemption {
 public:
  // All members outlive it.
  struct Parts {
    const FairSettings& settings;
    const FairQueueTree& tree;
    LiveApplications& applications;
    const FairOrder& order;
    const NodeReservations& reservations;
    const FreeTable& free;
  };
  explicit FairPreemption(const Parts& parts)
      : parts_(parts), starvation_(parts.tree, parts.applications, parts.order) {}

  const PromisedRoom& promised() const { return promised_; }
  const ContainersToPreempt& containers_to_preempt() const { return to_preempt_; }
  void grow(std::size_t nodes) { promised_.grow(nodes); }

  // ---- what happened ----
  // Something changed that may make an application starve, or more containers preemptable.
  void something_changed() { is_look_worthwhile_ = true; }
  // Also for one whose preemption request was refused.
  void container_ended(ContainerId id) { forget(id); }
  void deadline_came(ContainerId id) { due_.push_back(id); }
  void application_leaves(LiveApplication& application);
  void node_left(NodeId node);
  // Checks whether promises are still needed, after figures of the application changed, or all
  // shares.
  void review(LiveApplication& application);
  void shares_changed();
  void placed(LiveApplication& application, AskId ask, NodeId node);
  void gang_placed(LiveApplication& application, AskId ask);
  // Settings changed.
  void reconfigured();

  // ---- actions ----
  bool is_look_worthwhile() const {
    return parts_.settings.preemption.is_enabled && is_look_worthwhile_;
  }
  // When to check again even if nothing happened.
  TraceTime next_look() const { return parts_.settings.preemption.is_enabled ? next_look_ : never; }
  void look(const ClusterModel& cluster, TraceTime now, Decisions& decisions);
  // Last in every call: due kills, and withdrawals of requests.
  void finish(const ClusterModel& cluster, TraceTime now, Decisions& decisions);
  TraceTime next_kill() const { return to_preempt_.next_kill(); }

  // By container.
  std::vector<PreemptionView> view(const ClusterModel& cluster, TraceTime now) const;
  // Stops the run unless its sums are correct.
  void verify() const;

 private:
  VictimSearch::State search_state() const;
  bool is_enough_used(const ClusterModel& cluster) const;
  TraceTime look_before(TraceTime now) const;
  Duration recheck_delay() const;

  bool needs(const LiveApplication& application) const;
  void drop_unasked(LiveApplication& application);
  void drop_surplus(LiveApplication& application);
  void drop(PromiseId id);
  void drop_all(const LiveApplication& application);
  void forget(ContainerId id);

  void help(const StarvedApplication& starved, const std::vector<FoundRoom>& found, TraceTime now,
            Decisions& decisions);
  void ask_back(ContainerId id, const ContainerToPreempt& chosen, const std::string& reason,
                TraceTime now, Decisions& decisions);
  void answer_deadlines(const ClusterModel& cluster);
  bool has_room_elsewhere(const ClusterModel& cluster, const RoomPromise& promise,
                          std::vector<std::pair<NodeId, Resources>>& claimed) const;
  void withdraw(const ClusterModel& cluster, Decisions& decisions);
  std::string reason_for(ApplicationId beneficiary) const;

  Parts parts_;
  Starvation starvation_;
  PromisedRoom promised_;
  ContainersToPreempt to_preempt_;
  bool is_look_worthwhile_ = false;
  TraceTime next_look_ = never;
  TraceTime last_look_{};
  TraceTime before_last_look_{};       // when the one before would have been taken
  std::vector<ContainerId> due_;       // in this call
  std::vector<ContainerId> unwanted_;  // whose withdrawal is not reported yet
};

}  // namespace tracebed
