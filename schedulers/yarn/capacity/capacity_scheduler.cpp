#include "schedulers/yarn/capacity/capacity_scheduler.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "core/visit.h"
#include "schedulers/yarn/capacity/capacity_view.h"

namespace tracebed {

CapacityScheduler::CapacityScheduler(CapacitySettings settings)
    : state_(std::move(settings)),
      admission_(state_),
      preemption_(state_),
      removal_(state_),
      managed_(state_),
      sizes_(container_limits(state_.settings())) {}

Result<Resources> CapacityScheduler::container_size(ApplicationId id,
                                                    const Resources& demand) const {
  const RunningApplication* application = state_.application(id);
  if (application == nullptr) return sizes_.size_for(demand, nullptr);
  Resources most = state_.tree().configured(application->leaf).maximum_allocation;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    if (most[d] == 0) most[d] = std::numeric_limits<std::int64_t>::max();
  }
  return sizes_.size_for(demand, &most);
}

void CapacityScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  free_.follow(input);
  ++call_;
  previous_.swap(proposals_);
  proposals_.clear();
  for (const SchedulerEvent& event : input.events) follow(event, input.cluster, decisions);
  refresh_figures();
  look_at_created_queues(input.now, input.cluster);
  // Before anything is proposed, so that the model and the figures say the same.
  preemption_.decide(input, decisions);
  offer_nodes(input, decisions);
  lifetimes_.watch(input.now, decisions);
  set_alarm(input.now, decisions);
}

void CapacityScheduler::offer_nodes(const SchedulerInput& input, Decisions& decisions) {
  const std::size_t reservations = state_.reservations();
  NodeOffer offer(state_, free_, input, call_, proposals_, decisions);
  for (const SchedulerEvent& event : input.events) {
    if (const auto* updated = std::get_if<NodeUpdated>(&event)) offer.offer(updated->node);
  }
  if (!proposals_.empty() || state_.reservations() != reservations) preemption_.note_change();
}

void CapacityScheduler::set_alarm(TraceTime now, Decisions& decisions) {
  if (alarm_ <= now) alarm_ = never;
  const TraceTime next = std::min({lifetimes_.next_check(), preemption_.next_round(now),
                                   removal_.next_look(now), managed_.next_look(now)});
  if (next >= alarm_) return;
  alarm_ = next;
  decisions.wake_at(next);
}

void CapacityScheduler::refresh_figures() {
  if (state_.refresh_figures()) admission_.start_all();
}

void CapacityScheduler::look_at_created_queues(TraceTime now, const ClusterModel& cluster) {
  const bool is_managed = managed_.look(now);
  if (is_managed) state_.refresh_figures();
  if (!removal_.look(now, cluster) && !is_managed) return;
  admission_.start_all();
  preemption_.note_change();
}

void CapacityScheduler::follow(const SchedulerEvent& event, const ClusterModel& cluster,
                               Decisions& decisions) {
  sizes_.see(cluster, event);
  preemption_.follow(event);
  visit_all(
      event,
      [&](const ContainerFinished& finished) {
        // With an application that is gone, its containers counted as ended.
        if (RunningApplication* application = state_.application(finished.application)) {
          state_.charge(*application, state_.partitions().of(finished.node),
                        Resources() - finished.resources, -1);
        }
      },
      [&](const ContainerRecovered& recovered) {
        if (RunningApplication* application = state_.application(recovered.application)) {
          state_.charge(*application, state_.partitions().of(recovered.node), recovered.resources,
                        1);
        }
      },
      [&](const AskChanged& changed) {
        // One that is gone by now has its AskRemoved among the same events.
        if (cluster.asks.contains(changed.ask)) state_.follow_ask(cluster, changed.ask);
      },
      [&](const AskRemoved& removed) { state_.close_ask(removed.ask); },
      [&](const ApplicationAdded& added) { admit(added.application, cluster, decisions); },
      [&](const ApplicationRemoved& left) {
        refresh_figures();
        const RunningApplication* application = state_.application(left.application);
        if (application != nullptr) lifetimes_.remove(*application);
        admission_.remove(left.application);
      },
      [&](const NodeAdded& added) {
        // One that is gone again by now has its NodeRemoved among the same events.
        if (cluster.node(added.node).alive) state_.node_added(cluster.node(added.node));
      },
      [&](const NodeRemoved& gone) { state_.node_removed(gone.node); },
      [&](const Refused& refused) { take_back(refused, cluster); },
      // Nodes are offered after all events; preemption_ follows its own.
      Ignore<NodeUpdated, PreemptionSettled, PreemptionDue, Tick, DecisionMade>{});
}

void CapacityScheduler::admit(ApplicationId id, const ClusterModel& cluster, Decisions& decisions) {
  const Application* application = cluster.applications.find(id);
  if (application == nullptr) return;
  refresh_figures();
  const Status status = admission_.submit(id, *application);
  if (!status) return decisions.reject(id, status.error().message);
  lifetimes_.add(*state_.application(id));
  decisions.accept(id);
}

void CapacityScheduler::take_back(const Refused& refusal, const ClusterModel& cluster) {
  if (!refusal.ask.is_valid()) return;
  const auto is_of_ask = [&](const Proposal& each) { return each.ask == refusal.ask; };
  auto first = std::find_if(previous_.begin(), previous_.end(), [&](const Proposal& each) {
    return is_of_ask(each) && each.node == refusal.node;
  });
  // All units of an ask count the same, so it matters little which of them it was.
  if (first == previous_.end()) {
    first = std::find_if(previous_.begin(), previous_.end(), is_of_ask);
  }
  if (first != previous_.end()) {
    // Of a gang, all pieces go.
    const auto begin = first->is_gang ? std::stable_partition(previous_.begin(), previous_.end(),
                                                              std::not_fn(is_of_ask))
                                      : std::rotate(first, first + 1, previous_.end());
    for (auto each = begin; each != previous_.end(); ++each) {
      RunningApplication* application = state_.application(each->application);
      if (application == nullptr) continue;
      state_.charge(*application, each->partition, Resources() - each->amount, -1);
    }
    previous_.erase(begin, previous_.end());
  }
  if (cluster.asks.contains(refusal.ask)) state_.follow_ask(cluster, refusal.ask);
}

HeartbeatInterest CapacityScheduler::heartbeat_interest() const {
  // A node that is reserved is looked at whatever it has free.
  if (state_.reservations() > 0) return {.any = true, .minimum = {}};
  const std::vector<QueueUse>& uses = state_.tree()[0].uses;
  const bool is_wanted =
      std::any_of(uses.begin(), uses.end(), [](const QueueUse& use) { return use.wanted > 0; });
  if (!is_wanted) return {.any = false, .minimum = {}};
  Resources minimum = state_.settings().minimum_allocation;
  if (state_.configuration().calculator.kind() == ResourceCalculator::Kind::memory) {
    minimum[Resources::vcores_dimension] = 0;
  }
  return {.any = true, .minimum = minimum};
}

Resources CapacityScheduler::headroom(const ClusterModel& /*cluster*/, ApplicationId id) const {
  const RunningApplication* application = state_.application(id);
  return application == nullptr ? Resources()
                                : headroom_of(state_, *application, default_partition);
}

std::string_view CapacityScheduler::leaf_of(ApplicationId id) const {
  const RunningApplication* application = state_.application(id);
  if (application == nullptr) return {};
  return state_.tree().configured(application->leaf).path;
}

SchedulerView CapacityScheduler::view(const ClusterModel& cluster) const {
  SchedulerView view = view_of(state_);
  add_balances(preemption_.balances(cluster), state_.tree(), view.queues);
  view.preemptions = preemption_.view(cluster);
  return view;
}

std::vector<WaitingReason> CapacityScheduler::why_waiting(const ClusterModel& cluster,
                                                          ApplicationId application,
                                                          AskId ask) const {
  const RunningApplication* known = state_.application(application);
  if (known == nullptr) {
    return {{WaitingFor::acceptance, "the scheduler has not answered yet"}};
  }
  if (known->stage == RunningApplication::Stage::held) {
    if (const auto reason = admission_.held_reason(*known)) return {*reason};
    return {};
  }
  if (known->stage == RunningApplication::Stage::waiting) {
    if (const auto reason = master_limit_reason(state_, *known)) return {*reason};
    return {};
  }
  return waiting_reasons(state_, cluster, *known, ask);
}

}  // namespace tracebed
