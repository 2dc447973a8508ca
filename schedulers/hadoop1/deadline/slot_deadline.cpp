#include "schedulers/hadoop1/deadline/slot_deadline.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "schedulers/hadoop1/slot_waiting.h"

namespace tracebed {
namespace {

std::string in_seconds(Duration time) {
  std::string text = std::to_string(time.count() / 1'000);  // milliseconds
  if (text.size() < 4) text.insert(0, 4 - text.size(), '0');
  text.insert(text.size() - 3, ".");
  return text + " s";
}

std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string counted(const PerKind<std::int64_t>& slots) {
  return counted(slots.map, "map slot") + " and " + counted(slots.reduce, "reduce slot");
}

}  // namespace

// ---- what happened ----

void SlotDeadlineScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  now_ = input.now;
  free_.follow(input);
  delayed_.begin(now_);
  take_in(input, decisions);
  SlotOffer offer(input.cluster, jobs_, free_, decisions);
  for (const NodeId node : turns_.follow(input, free_)) serve_node(node, offer);
  delayed_.wake(decisions);
  turns_.wake(input.now, decisions);
}

void SlotDeadlineScheduler::take_in(const SchedulerInput& input, Decisions& decisions) {
  // Up to the multiple of the interval everything stood as the last call left it.
  const bool is_new_interval = catch_up(input.now);
  const SlotJobs::Changes& changes = jobs_.follow(input);
  delayed_.follow(jobs_, changes);
  lengths_.follow(input, jobs_, changes);
  if (settings_.kind == SlotDeadlineSettings::Kind::hard) lengths_.publish();
  for (const SlotJob& job : changes.removed) drop(job.id);
  unanswered_.insert(unanswered_.end(), changes.added.begin(), changes.added.end());
  if (changes.was_refused || is_new_interval) refresh_all();
  for (const std::span<const ApplicationId> changed :
       {std::span(changes.changed), lengths_.changed()}) {
    for (const ApplicationId id : changed) {
      const SlotJob* const job = jobs_.find(id);
      if (job != nullptr && plans_.contains(id)) refresh(*job);
    }
  }
  // Without any node there is nothing to judge by.
  const bool is_hard = settings_.kind == SlotDeadlineSettings::Kind::hard;
  if (is_hard && jobs_.table().alive_nodes() == 0) return;
  for (const ApplicationId id : std::exchange(unanswered_, {})) {
    admit(input.cluster, id, decisions);
  }
}

bool SlotDeadlineScheduler::catch_up(TraceTime now) {
  if (settings_.kind == SlotDeadlineSettings::Kind::hard) return false;
  const TraceTime due(now.time_since_epoch() - now.time_since_epoch() % settings_.update_interval);
  if (due == reckoned_) return false;
  reckoned_ = due;
  lengths_.publish();
  return true;
}

void SlotDeadlineScheduler::admit(const ClusterModel& cluster, ApplicationId id,
                                  Decisions& decisions) {
  const SlotJob* const job = jobs_.find(id);
  const Application* const application = cluster.applications.find(id);
  if (job == nullptr || application == nullptr) return;
  Plan plan;
  plan.deadline = application->deadline;
  plan.tasks = {.map = static_cast<std::int64_t>(application->maps),
                .reduce = static_cast<std::int64_t>(application->reduces)};
  const std::string reason = reason_against(*job, plan);
  if (!reason.empty()) {
    decisions.reject(id, reason);
    return jobs_.forget(id);
  }
  plans_.emplace(id, plan);
  refresh(*job);
  decisions.accept(id);
}

std::string SlotDeadlineScheduler::reason_against(const SlotJob& job, Plan& plan) const {
  if (settings_.kind == SlotDeadlineSettings::Kind::soft || plan.deadline == never) return {};
  DeadlineTerms terms{.tasks = plan.tasks,
                      .lengths = {},
                      .transfer = settings_.transfer,
                      .time_left = plan.deadline - now_};
  std::string of;
  for (const SlotKind kind : slot_kinds) {
    if (terms.tasks[kind] == 0) continue;
    const std::optional<Duration> length = length_of(job, kind);
    if (!length) return {};
    terms.lengths[kind] = *length;
    of += (of.empty() ? "" : " and ") + counted(terms.tasks[kind], std::string(name_of(kind))) +
          " of " + in_seconds(*length);
  }
  PerKind<std::int64_t> available;
  for (const SlotKind kind : slot_kinds) {
    available[kind] = std::max<std::int64_t>(0, jobs_.table().total(kind) - held_[kind]);
  }
  const auto least = least_slots(terms, available.reduce);
  const std::string deadline = "its deadline in " + in_seconds(terms.time_left) + " ";
  const std::string there = counted(available) + " are neither taken nor promised";
  if (!least) return deadline + "cannot be met with " + of + ": " + there;
  if (least->map > available.map || least->reduce > available.reduce) {
    return deadline + "takes at least " + counted(*least) + " for " + of + ": " + there;
  }
  plan.promised = *least;
  return {};
}

void SlotDeadlineScheduler::drop(ApplicationId id) {
  const auto found = plans_.find(id);
  if (found == plans_.end()) return;
  for (const SlotKind kind : slot_kinds) {
    held_[kind] -= found->second.held[kind];
    order_[kind].remove(id);
  }
  plans_.erase(found);
}

// ---- what jobs need ----

std::optional<Duration> SlotDeadlineScheduler::length_of(const SlotJob& job, SlotKind kind) const {
  if (const auto known = lengths_.of(job, kind)) return known;
  if (settings_.lengths[kind] == Duration::zero()) return std::nullopt;
  return settings_.lengths[kind];
}

// What was lost is done again, so that more may succeed than there are.
std::int64_t SlotDeadlineScheduler::tasks_left(const SlotJob& job, const Plan& plan,
                                               SlotKind kind) const {
  return std::max(plan.tasks[kind] - job.succeeded[kind], job.pending[kind] + job.running[kind]);
}

PerKind<std::int64_t> SlotDeadlineScheduler::needs_of(const SlotJob& job, const Plan& plan) const {
  PerKind<std::int64_t> needs;
  if (plan.deadline == never) return needs;
  if (settings_.kind == SlotDeadlineSettings::Kind::hard) {
    for (const SlotKind kind : slot_kinds) {
      needs[kind] = std::min(plan.promised[kind], tasks_left(job, plan, kind));
    }
    return needs;
  }
  const Duration time_left = plan.deadline - reckoned_;
  if (time_left <= Duration::zero() && !settings_.hurries_when_missed) return needs;
  PerKind<TasksLeft> left;
  for (const SlotKind kind : slot_kinds) {
    left[kind].tasks = tasks_left(job, plan, kind);
    left[kind].length = length_of(job, kind);
    if (left[kind].length) {
      left[kind].done = lengths_.done(job, kind, reckoned_, *left[kind].length);
    }
  }
  return slots_for_goal(left, time_left);
}

SlotDeadlineScheduler::Rank SlotDeadlineScheduler::rank_of(const SlotJob& job, const Plan& plan,
                                                           SlotKind kind) const {
  const std::int64_t lacks = plan.needs[kind] - job.running[kind];
  if (lacks <= 0) return {.lack = 0, .deadline = never, .key = job.key()};
  const bool is_soft = settings_.kind == SlotDeadlineSettings::Kind::soft;
  return {.lack = is_soft ? -lacks : -1, .deadline = plan.deadline, .key = job.key()};
}

void SlotDeadlineScheduler::refresh(const SlotJob& job) {
  Plan& plan = plans_.at(job.id);
  plan.needs = needs_of(job, plan);
  for (const SlotKind kind : slot_kinds) {
    const bool is_hard = settings_.kind == SlotDeadlineSettings::Kind::hard;
    const std::int64_t held = std::max(job.slots[kind], is_hard ? plan.needs[kind] : 0);
    held_[kind] += held - std::exchange(plan.held[kind], held);
    if (job.pending[kind] > 0) {
      order_[kind].set(job.id, rank_of(job, plan, kind), waiting_demands(job, kind));
    } else {
      order_[kind].remove(job.id);
    }
  }
}

void SlotDeadlineScheduler::refresh_all() {
  for (const auto& [id, plan] : plans_) {
    const SlotJob* const job = jobs_.find(id);
    if (job != nullptr) refresh(*job);
  }
}

// ---- who is served ----

void SlotDeadlineScheduler::serve_node(NodeId node, SlotOffer& offer) {
  offer.place_masters(node, [](const SlotJob&) { return true; });
  offer.give_slots(node, [&](SlotKind kind) {
    return order_[kind].visit_with_room(
        [&](const Resources& demand) { return offer.has_room(node, demand); },
        [&](const Rank& rank) {
          SlotJob& job = *jobs_.find(rank.key.id);
          if (!delayed_.place(offer, job, kind, node)) return false;
          refresh(job);
          return true;
        });
  });
}

HeartbeatInterest SlotDeadlineScheduler::heartbeat_interest() const {
  return turns_.interest(delayed_.interest(jobs_.heartbeat_interest(), jobs_));
}

}  // namespace tracebed
