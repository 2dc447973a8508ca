#include "schedulers/yarn/capacity/capacity_preemption.h"

#include <algorithm>
#include <utility>

#include "core/visit.h"

namespace tracebed {

// ---- events ----

void CapacityPreemption::follow(const SchedulerEvent& event) {
  if (!settings().is_enabled) return;
  visit_all(
      event, [&](const Tick&) { is_woken_ = true; },
      [&](const OneOf<NodeAdded, NodeRemoved, ApplicationAdded, AskChanged,
                      ContainerRecovered> auto&) { is_changed_ = true; },
      [&](const OneOf<ContainerFinished, PreemptionSettled> auto& ended) {
        is_changed_ = true;
        marks_.erase(ended.container);
      },
      [&](const PreemptionDue& due) {
        is_changed_ = true;
        due_.push_back(due.container);
      },
      [&](const Refused& refused) {
        is_changed_ = true;
        if (refused.container.is_valid()) marks_.erase(refused.container);
      },
      [&](const AskRemoved& removed) {
        is_changed_ = true;
        const OpenAsk* ask = state_.ask(removed.ask);
        if (ask != nullptr) closed_[removed.application][removed.ask] = ask->priority;
      },
      [&](const ApplicationRemoved& left) {
        is_changed_ = true;
        closed_.erase(left.application);
        std::erase_if(
            marks_, [&](const auto& mark) { return mark.second.application == left.application; });
      },
      Ignore<NodeUpdated, DecisionMade>{});
}

// ---- rounds ----

bool CapacityPreemption::is_anything_wanted() const {
  const std::vector<QueueUse>& uses = state_.tree()[0].uses;
  return std::any_of(uses.begin(), uses.end(), [](const QueueUse& use) { return use.wanted > 0; });
}

TraceTime CapacityPreemption::next_round(TraceTime now) {
  const bool waits = (!marks_.empty() && delivery_ == PreemptionDelivery::hadoop) ||
                     (settings().selects_by_priority && state_.reservations() > 0);
  const bool has_work = is_active() && (is_anything_wanted() || !marks_.empty());
  if (!has_work || !(is_changed_ || waits)) {
    next_ = never;
  } else if (next_ == never || next_ <= now) {
    const Duration interval = settings().interval;
    next_ = TraceTime((now.time_since_epoch() / interval + 1) * interval);
  }
  return next_;
}

void CapacityPreemption::decide(const SchedulerInput& input, Decisions& decisions) {
  now_ = input.now;
  const bool is_requested = std::exchange(is_requested_, false);
  const bool is_round = is_requested || (is_woken_ && next_ <= input.now);
  is_woken_ = false;
  const std::vector<ContainerId> due = std::exchange(due_, {});
  if (!is_active() || delivery_ != settings().delivery) {
    withdraw_all(decisions);
    delivery_ = settings().delivery;
    if (!is_active()) closed_.clear();
  }
  if (!is_active() || (!is_round && due.empty())) return;
  RoundChoice chosen_now;
  if (is_anything_wanted()) chosen_now = choose_containers(state_, input.cluster, closed_, now_);
  Choice choice;
  for (const ChosenContainer& each : chosen_now.containers) choice.emplace(each.container, each);
  if (delivery_ == PreemptionDelivery::contract) withdraw_others(choice, decisions);
  for (const ContainerId container : due) {
    const auto mark = marks_.find(container);
    if (mark != marks_.end()) mark->second.is_due = true;
  }
  if (!is_round) return;
  next_ = never;
  is_changed_ = false;
  for (const auto& [id, chosen] : choice) deliver(chosen, input.now, decisions);
  give_up(chosen_now.unreserved);
  move(chosen_now.moved);
  if (delivery_ == PreemptionDelivery::hadoop) forget_old(input.now, decisions);
}

void CapacityPreemption::give_up(const std::vector<NodeId>& reservations) {
  for (const NodeId node : reservations) state_.unreserve(node);
  if (!reservations.empty()) is_changed_ = true;
}

void CapacityPreemption::move(const std::vector<MovedReservation>& reservations) {
  for (const auto& [from, to] : reservations) {
    const Reservation moved = *state_.reservation(from);
    state_.unreserve(from);
    state_.reserve(to, *state_.ask(moved.ask), moved.since);
  }
  if (!reservations.empty()) is_changed_ = true;
}

Duration CapacityPreemption::wait_of(ChosenFor chosen_for) const {
  return chosen_for == ChosenFor::evening_out ? settings().wait_before_kill_beyond_guarantee
                                              : settings().wait_before_kill;
}

// ---- delivery ----

void CapacityPreemption::deliver(const ChosenContainer& chosen, TraceTime now,
                                 Decisions& decisions) {
  switch (delivery_) {
    case PreemptionDelivery::contract:
      if (marks_.contains(chosen.container)) return;
      return mark(chosen, now, {.deadline = now + wait_of(chosen.chosen_for)}, decisions);
    case PreemptionDelivery::hadoop:
      return deliver_as_hadoop(chosen, now, decisions);
    case PreemptionDelivery::kill:
      decisions.kill(chosen.container, std::string(reason_text(chosen.chosen_for)));
  }
}

// ProportionalCapacityPreemptionPolicy.preemptOrkillSelectedContainerAfterWait.
void CapacityPreemption::deliver_as_hadoop(const ChosenContainer& chosen, TraceTime now,
                                           Decisions& decisions) {
  const auto marked = marks_.find(chosen.container);
  if (marked == marks_.end()) {
    return mark(chosen, now,
                {.is_repeated = false,
                 .may_be_substituted = false,
                 .unit = state_.settings().minimum_allocation},
                decisions);
  }
  if (marked->second.since + wait_of(chosen.chosen_for) > now) return;
  marks_.erase(marked);
  decisions.kill(chosen.container, std::string(reason_text(chosen.chosen_for)));
}

void CapacityPreemption::mark(const ChosenContainer& chosen, TraceTime now, PreemptionTerms terms,
                              Decisions& decisions) {
  terms.kind = PreemptionKind::negotiable;
  terms.purpose = PreemptionPurpose::balance;
  terms.reason = reason_text(chosen.chosen_for);
  marks_[chosen.container] = {chosen.application, chosen.chosen_for, now, terms.deadline, false};
  decisions.preempt(chosen.container, std::move(terms));
}

void CapacityPreemption::withdraw_all(Decisions& decisions) {
  withdraw_others({}, decisions);
}

void CapacityPreemption::withdraw_others(const Choice& choice, Decisions& decisions) {
  std::erase_if(marks_, [&](const auto& mark) {
    if (choice.contains(mark.first) || mark.second.is_due) return false;
    decisions.withdraw_preemption(mark.first);
    return true;
  });
}

// Nobody is told of it.
void CapacityPreemption::forget_old(TraceTime now, Decisions& decisions) {
  std::erase_if(marks_, [&](const auto& mark) {
    if (mark.second.since + 2 * settings().wait_before_kill >= now) return false;
    decisions.withdraw_preemption(mark.first);
    return true;
  });
}

// ---- for people ----

std::vector<std::vector<QueueBalance>> CapacityPreemption::balances(
    const ClusterModel& cluster) const {
  if (!settings().is_enabled) return {};
  return balances_now(state_, cluster, closed_, now_);
}

std::vector<PreemptionView> CapacityPreemption::view(const ClusterModel& cluster) const {
  std::map<ContainerId, PreemptionView> views;
  for (const auto& [id, mark] : marks_) {
    views[id] = {id, mark.application, true, mark.deadline,
                 std::string(reason_text(mark.chosen_for))};
  }
  if (settings().is_enabled && is_anything_wanted()) {
    for (const ChosenContainer& each :
         choose_containers(state_, cluster, closed_, now_).containers) {
      views.try_emplace(each.container,
                        PreemptionView{each.container, each.application, false, never,
                                       std::string(reason_text(each.chosen_for))});
    }
  }
  std::vector<PreemptionView> list;
  for (auto& [id, view] : views) list.push_back(std::move(view));
  return list;
}

}  // namespace tracebed
