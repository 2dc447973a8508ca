#include "schedulers/concurrent/concurrent_scheduler.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/check.h"
#include "core/quantity_text.h"
#include "core/visit.h"
#include "schedulers/parts/accept_all.h"

namespace tracebed {

ConcurrentScheduler::ConcurrentScheduler(const ConcurrentSettings& settings,
                                         std::vector<SchedulerInstance> schedulers)
    : settings_(settings), schedulers_(std::move(schedulers)), held_(schedulers_.size()) {
  TRACEBED_CHECK(!schedulers_.empty(), "there is a scheduler");
}

void ConcurrentScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  TRACEBED_CHECK(!settings_.is_measured || threads_ != nullptr,
                 "a scheduler that decides in threads has them");
  follow(input);
  accept_all(input, decisions);
  commit_due(input, decisions);
  if (input.now >= begins_from_) {
    if (is_optimistic()) {
      begin_idle(input);
    } else {
      begin_offers(input);
    }
  }
  request_wake(input.now, decisions);
}

void ConcurrentScheduler::follow(const SchedulerInput& input) {
  for (const NodeId node : free_.follow(input)) changed(node);
  for (const SchedulerEvent& event : input.events) follow_event(input.cluster, event);
  const UnitPlacement& policy = schedulers_.front().policy();
  if (policy.waits_for_reports() && reports_.follow(policy, input)) released();
  if (free_.was_refused()) count_held(input.cluster);
}

void ConcurrentScheduler::follow_event(const ClusterModel& cluster, const SchedulerEvent& event) {
  visit_all(
      event, [&](const NodeAdded&) { released(); },
      [&](const ApplicationAdded& added) {
        const std::size_t index = added.application.index();
        if (owners_.size() <= index) owners_.resize(index + 1, nobody);
        owners_[index] = next_owner_;
        next_owner_ = (next_owner_ + 1) % schedulers_.size();
      },
      [&](const ApplicationRemoved& removed) {
        const std::size_t owner = note(removed.application, event);
        if (owner == nobody) return;
        schedulers_[owner].queue().remove(removed.application);
        (void)schedulers_[owner].take_request(removed.application);
      },
      [&](const OneOf<AskChanged, Refused> auto& of) { request(cluster, of.ask, event); },
      [&](const AskRemoved& removed) {
        const std::size_t owner = note(removed.application, event);
        if (owner != nobody) request(cluster, schedulers_[owner], removed.application);
      },
      [&](const ContainerFinished& ended) {
        const std::size_t owner = note(ended.application, event);
        if (owner != nobody) held_[owner] -= ended.resources;
        released();
      },
      [&](const ContainerRecovered& found) {
        const std::size_t owner = note(found.application, event);
        if (owner != nobody) held_[owner] += found.resources;
      },
      [&](const NodeUpdated& updated) {
        for (SchedulerInstance& scheduler : schedulers_) scheduler.note_report(updated.node);
      },
      [&](const DecisionMade& made) { made_.push_back(made); },
      Ignore<NodeRemoved, PreemptionSettled, PreemptionDue, Tick>{});
}

std::size_t ConcurrentScheduler::note(ApplicationId application, const SchedulerEvent& event) {
  const std::size_t owner = owner_of(application);
  if (owner != nobody) schedulers_[owner].note(event);
  return owner;
}

// Of an ask that is gone, the end is among the events, too.
void ConcurrentScheduler::request(const ClusterModel& cluster, AskId id,
                                  const SchedulerEvent& event) {
  const Ask* const ask = id.is_valid() ? cluster.asks.find(id) : nullptr;
  if (ask == nullptr) return;
  const std::size_t owner = note(ask->application, event);
  if (owner != nobody) request(cluster, schedulers_[owner], ask->application);
}

void ConcurrentScheduler::request(const ClusterModel& cluster, SchedulerInstance& scheduler,
                                  ApplicationId job) {
  if (pending_units(cluster, job) > 0) {
    scheduler.request(job);
  } else {
    scheduler.queue().remove(job);
  }
}

std::int64_t ConcurrentScheduler::pending_units(const ClusterModel& cluster, ApplicationId job) {
  const Application* const application = cluster.applications.find(job);
  std::int64_t units = 0;
  if (application == nullptr) return units;
  for (const AskId ask : application->asks) units += cluster.asks[ask].pending;
  return units;
}

std::size_t ConcurrentScheduler::owner_of(ApplicationId application) const {
  const std::size_t index = application.index();
  return index < owners_.size() ? owners_[index] : nobody;
}

void ConcurrentScheduler::changed(NodeId node) {
  if (versions_.size() <= node.index()) versions_.resize(node.index() + 1);
  versions_[node.index()] = ++version_;
  for (SchedulerInstance& scheduler : schedulers_) scheduler.note(node);
}

void ConcurrentScheduler::released() {
  ++releases_;
  for (SchedulerInstance& scheduler : schedulers_) scheduler.queue().unblock();
}

void ConcurrentScheduler::request_wake(TraceTime now, Decisions& decisions) {
  TraceTime at = never;
  for (const SchedulerInstance& scheduler : schedulers_) {
    if (scheduler.is_thinking()) {
      at = std::min(at, scheduler.transaction()->ready_at);
    } else if (scheduler.queue().has_ready() && begins_from_ > now) {
      at = std::min(at, begins_from_);
    }
  }
  if (at == never || at == wakes_at_) return;
  wakes_at_ = at;
  decisions.wake_at(at);
}

bool ConcurrentScheduler::reads_input_blocks() const {
  return schedulers_.front().policy().reads_input_blocks();
}

void ConcurrentScheduler::keep_choices(std::size_t most) {
  for (SchedulerInstance& scheduler : schedulers_) {
    // What the policy has is its thread's until then.
    if (!scheduler.is_thinking_in_thread()) scheduler.policy().keep_choices(most);
  }
}

SchedulerView ConcurrentScheduler::view(const ClusterModel& cluster) const {
  SchedulerView view;
  for (const SchedulerInstance& scheduler : schedulers_) {
    if (scheduler.is_thinking_in_thread()) continue;
    SchedulerView part = scheduler.policy().view(cluster);
    std::move(part.choices.begin(), part.choices.end(), std::back_inserter(view.choices));
  }
  return view;
}

std::vector<WaitingReason> ConcurrentScheduler::why_waiting(const ClusterModel& cluster,
                                                            ApplicationId application,
                                                            AskId ask) const {
  const std::size_t owner = owner_of(application);
  if (owner == nobody) return {};
  const SchedulerInstance& scheduler = schedulers_[owner];
  const std::string whose = "scheduler " + std::to_string(owner + 1) + " of " +
                            std::to_string(schedulers_.size()) + " decides about ";
  if (scheduler.is_deciding_about(application)) {
    const Transaction& transaction = *scheduler.transaction();
    const bool is_end_known = transaction.ready_at != never;
    const TraceTime time = is_end_known ? transaction.ready_at : transaction.began;
    return {{WaitingFor::its_turn, whose + (is_end_known ? "it until " : "it since ") +
                                       number_text(to_seconds(time)) + " s"}};
  }
  if (scheduler.queue().state(application) == JobQueue::State::ready) {
    const std::size_t before =
        scheduler.queue().before(application) + (scheduler.is_thinking() ? 1 : 0);
    const std::string what = before == 0   ? "it next"
                             : before == 1 ? "another job first"
                                           : std::to_string(before) + " other jobs first";
    return {{WaitingFor::its_turn, whose + what}};
  }
  // What the policy knows is its thread's until then.
  if (scheduler.is_thinking_in_thread()) {
    return {{WaitingFor::room, whose + "another job; it found no room for this one before"}};
  }
  return scheduler.policy().why_waiting(cluster, application, ask);
}

std::vector<SchedulerCount> ConcurrentScheduler::counts() const {
  const auto milliseconds_of = [](Duration duration) {
    return static_cast<std::uint64_t>(duration / milliseconds(1));
  };
  std::vector<SchedulerCount> counts{
      {"transactions", counts_.transactions},
      {"transactions_without_room", counts_.without_room},
      {"units_committed", counts_.units_committed},
      {"units_withdrawn", counts_.units_withdrawn},
      {"units_in_conflict_node_gone", counts_.units_node_gone},
      {"thinking_ms", milliseconds_of(counts_.thinking)},
  };
  if (is_optimistic()) {
    counts.push_back({"transactions_in_conflict", counts_.in_conflict});
    counts.push_back({"units_in_conflict_no_room", counts_.units_no_room});
    counts.push_back({"units_in_conflict_node_changed", counts_.units_node_changed});
    counts.push_back({"units_not_committed", counts_.units_not_committed});
    counts.push_back({"thinking_in_conflict_ms", milliseconds_of(counts_.thinking_in_conflict)});
  }
  return counts;
}

}  // namespace tracebed
