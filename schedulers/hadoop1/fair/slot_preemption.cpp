#include "schedulers/hadoop1/fair/slot_preemption.h"

#include <algorithm>

namespace tracebed {
namespace {

constexpr const char* reason = "a pool has had less than its share for too long";

}  // namespace

void SlotPreemption::follow(const SchedulerInput& input, Decisions& decisions) {
  for (const SchedulerEvent& event : input.events) {
    if (const auto* finished = std::get_if<ContainerFinished>(&event)) {
      owed_.erase(finished->container);
    } else if (const auto* settled = std::get_if<PreemptionSettled>(&event)) {
      owed_.erase(settled->container);
    } else if (const auto* refused = std::get_if<Refused>(&event)) {
      owed_.erase(refused->container);
    } else if (const auto* due = std::get_if<PreemptionDue>(&event)) {
      const auto owed = owed_.find(due->container);
      if (owed == owed_.end() || policy_.slots_to_take(owed->second, input.now) > 0) continue;
      decisions.withdraw_preemption(due->container);
      owed_.erase(owed);
    }
  }
}

TraceTime SlotPreemption::plan(TraceTime now) {
  next_look_ = never;
  if (!settings_.preempts || !is_worthwhile_) return never;
  for (const SlotKind kind : slot_kinds) {
    const TraceTime overdue = policy_.first_overdue(kind);
    if (overdue == never) continue;
    const TraceTime earliest = std::max(overdue, now + Duration(1));
    const Duration past = earliest.time_since_epoch() % settings_.preemption_interval;
    const Duration left = past == Duration::zero() ? past : settings_.preemption_interval - past;
    next_look_ = std::min(next_look_, earliest + left);
  }
  return next_look_;
}

void SlotPreemption::look(const ClusterModel& cluster, TraceTime now, Decisions& decisions) {
  if (next_look_ > now) return;
  std::int64_t taken = 0;
  for (const SlotKind kind : slot_kinds) taken += take(cluster, kind, now, decisions);
  // What is taken ends, which is a change; without one the next look would see the same.
  if (taken == 0) is_worthwhile_ = false;
}

std::int64_t SlotPreemption::take(const ClusterModel& cluster, SlotKind kind, TraceTime now,
                                  Decisions& decisions) {
  std::int64_t wanted = policy_.slots_to_take(kind, now);
  if (wanted <= 0) return 0;
  std::map<std::string_view, std::int64_t> left;
  for (auto& [name, pool] : pools_.all()) left[name] = pool.ratios[kind].running;
  std::vector<Candidate> candidates;
  cluster.containers.for_each([&](ContainerId id, const Container& container) {
    const PooledJob* job = pools_.find(container.application);
    if (job == nullptr || jobs_.kind_of(container) != kind || jobs_.is_of_gang(container)) return;
    if (is_going(id, container)) {
      --wanted;
      --left[job->pool->name];
    } else {
      candidates.push_back({container.allocated, id, job->pool});
    }
  });
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::pair(a.allocated, a.id) > std::pair(b.allocated, b.id);
  });
  std::int64_t taken = 0;
  for (const Candidate& candidate : candidates) {
    if (taken >= wanted) break;
    std::int64_t& left_of_pool = left[candidate.pool->name];
    if (static_cast<double>(left_of_pool) <= candidate.pool->ratios[kind].share) continue;
    take_back(candidate.id, now, decisions);
    if (settings_.asks_back) owed_.emplace(candidate.id, kind);
    --left_of_pool;
    ++taken;
  }
  return taken;
}

void SlotPreemption::take_back(ContainerId id, TraceTime now, Decisions& decisions) {
  if (!settings_.asks_back) return decisions.kill(id, reason);
  PreemptionTerms terms;
  terms.kind = PreemptionKind::strict;
  terms.purpose = PreemptionPurpose::balance;
  terms.deadline = now + settings_.wait_before_kill;
  terms.is_repeated = true;
  terms.may_be_substituted = false;
  terms.reason = reason;
  decisions.preempt(id, std::move(terms));
}

}  // namespace tracebed
