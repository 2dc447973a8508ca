// Rounds of the Capacity scheduler's preemption, and how what they choose is preempted.
//
// A round is due at multiples of the monitoring interval, but only if something has changed since
// the last one and units are pending: on the same state a round would choose the same again. It is
// delivered in one of three ways (schedulers/parts/preemption_delivery.h):
// - contract: what is newly chosen is marked for preemption until now + max_wait_before_kill; the
// request is withdrawn if a later round no longer chooses the container; at the deadline it is
// checked once more before it is killed.
// - hadoop: what is chosen for the first time is marked, and its master notified once. What is
//   still chosen max_wait_before_kill later is killed. Marks are dropped after twice that time,
//   whether or not their containers are still chosen; until then a container that was dropped and
//   is chosen again is killed without a new notification. (What is chosen to even out queues beyond
//   their guarantees is therefore not killed as long as its own wait is longer than that, which its
//   default is.)
// - kill: what is chosen is killed.
#pragma once

#include <map>
#include <vector>

#include "schedulers/yarn/capacity/preemption_round.h"

namespace tracebed {

class CapacityPreemption {
 public:
  // `state` outlives it.
  explicit CapacityPreemption(CapacityState& state) : state_(state) {}

  // To be called with every event, before the state follows it.
  void follow(const SchedulerEvent& event);
  // An input of rounds has changed other than by an event.
  void note_change() { is_changed_ = true; }
  // The next decide() is a round, though none is due.
  void request_round() { is_requested_ = true; }
  // To be called once in each call of the scheduler, after it followed the events and before it
  // proposes anything.
  void decide(const SchedulerInput& input, Decisions& decisions);
  // When it must be woken, later than now; `never` if it need not be.
  TraceTime next_round(TraceTime now);

  // The figures of all queues by which a round would choose now (queue_balance.h), by partition;
  // empty if preemption is off.
  std::vector<std::vector<QueueBalance>> balances(const ClusterModel& cluster) const;
  // What is marked for preemption, and what would be chosen if containers were chosen now; by
  // container.
  std::vector<PreemptionView> view(const ClusterModel& cluster) const;

 private:
  struct Mark {
    ApplicationId application;
    ChosenFor chosen_for = ChosenFor::guarantee;
    TraceTime since{};
    TraceTime deadline = never;
    bool is_due = false;  // the engine kills it
  };
  using Choice = std::map<ContainerId, ChosenContainer>;

  const PreemptionSettings& settings() const { return state_.configuration().preemption; }
  bool is_active() const { return settings().is_enabled && !settings().only_observes; }
  bool is_anything_wanted() const;
  // Gives up the chosen reservations at once.
  void give_up(const std::vector<NodeId>& reservations);
  void move(const std::vector<MovedReservation>& reservations);
  void deliver(const ChosenContainer& chosen, TraceTime now, Decisions& decisions);
  void deliver_as_hadoop(const ChosenContainer& chosen, TraceTime now, Decisions& decisions);
  void mark(const ChosenContainer& chosen, TraceTime now, PreemptionTerms terms,
            Decisions& decisions);
  void withdraw_all(Decisions& decisions);
  // Withdraws the requests for containers that are not among the chosen.
  void withdraw_others(const Choice& choice, Decisions& decisions);
  void forget_old(TraceTime now, Decisions& decisions);
  Duration wait_of(ChosenFor chosen_for) const;

  CapacityState& state_;
  std::map<ContainerId, Mark> marks_;
  ClosedPriorities closed_;
  std::vector<ContainerId> due_;                                // of this call
  PreemptionDelivery delivery_ = PreemptionDelivery::contract;  // of the marks
  TraceTime now_{};                                             // of the last call
  bool is_changed_ = false;
  bool is_woken_ = false;  // in this call
  bool is_requested_ = false;
  TraceTime next_ = never;
};

}  // namespace tracebed
