// Preemption by the Fair Scheduler: containers are taken from applications that have more than
// their share and given to those that starve (FSPreemptionThread, FSStarvedApps).
//
// While more of the cluster is used than preemption.cluster_utilization_threshold, starving
// applications are looked for (starvation.h) at multiples of the update interval, room is found for
// what they lack (room_finder.h, victim_search.h), and what is freed is kept for them
// (promised_room.h). One that was helped is looked at again when its victims are gone and what they
// had should have been given: waitTimeBeforeKill + four heartbeats (or ten rounds of continuous
// scheduling) + waitTimeBeforeNextStarvationCheck later.
//
// How containers are taken back (`preemption.delivery`):
// - contract: asked for by name (strict), to be killed at waitTimeBeforeKill. A promise whose need
//   has gone is withdrawn at once: its application has what it lacked, wants less, has ended, or
//   got a container there; the node left. Before a kill is let happen the need is looked at afresh,
//   also whether there is room elsewhere by now.
// - hadoop: told strictly as long as it is there, without a deadline, and killed by the scheduler
//   after waitTimeBeforeKill, whether it is still needed or not.
// - kill: killed at once.
//
// A gang that waits for all its resources is helped with room for all of its units, on one or
// several nodes, or not at all; the room is kept until all of it is free, and then the gang is
// placed on just those nodes.
//
// Nothing happens, and nothing wakes the scheduler, while nothing changes and nobody waits for a
// time-out.
#pragma once

#include <string>
#include <vector>

#include "core/decisions.h"
#include "core/scheduler.h"
#include "schedulers/yarn/fair/room_finder.h"

namespace tracebed {

class FairPreemption {
 public:
  // All outlive it.
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
  // Something that may make somebody starve, or give more to take.
  void something_changed() { is_look_worthwhile_ = true; }
  // Also for one that could not be asked for.
  void container_ended(ContainerId id) { forget(id); }
  void deadline_came(ContainerId id) { due_.push_back(id); }
  void application_leaves(LiveApplication& application);
  void node_left(NodeId node);
  // Whether promises are still needed, after figures of the application changed, or all shares.
  void review(LiveApplication& application);
  void shares_changed();
  void placed(LiveApplication& application, AskId ask, NodeId node);
  void gang_placed(LiveApplication& application, AskId ask);
  // Settings changed.
  void reconfigured();

  // ---- what comes of it ----
  bool is_look_worthwhile() const {
    return parts_.settings.preemption.is_enabled && is_look_worthwhile_;
  }
  // When a look is worth its while though nothing happened.
  TraceTime next_look() const { return parts_.settings.preemption.is_enabled ? next_look_ : never; }
  void look(const ClusterModel& cluster, TraceTime now, Decisions& decisions);
  // Last in every call: kills that are due, and what is not wanted back any more.
  void finish(const ClusterModel& cluster, TraceTime now, Decisions& decisions);
  TraceTime next_kill() const { return to_preempt_.next_kill(); }

  // By container.
  std::vector<PreemptionView> view(const ClusterModel& cluster, TraceTime now) const;
  // Stops the run unless the sums that are kept are right.
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
  std::vector<ContainerId> unwanted_;  // whose withdrawal is still to be told
};

}  // namespace tracebed
