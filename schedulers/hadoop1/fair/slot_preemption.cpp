#include "schedulers/hadoop1/fair/slot_preemption.h"

#include <algorithm>

#include "core/visit.h"

namespace tracebed {
namespace {

constexpr const char* reason = "a pool has had less than its share for too long";

}  // namespace

void SlotPreemption::follow(const SchedulerInput& input, Decisions& decisions) {
  for (const SchedulerEvent& event : input.events) {
    visit_all(
        event,
        [&](const OneOf<ContainerFinished, PreemptionSettled, Refused> auto& ended) {
          requests_.erase(ended.container);
        },
        [&](const PreemptionDue& due) {
          const auto request = requests_.find(due.container);
          if (request == requests_.end()) return;
          if (policy_.slots_to_take(request->second.kind, input.now) > 0) return;
          decisions.withdraw_preemption(due.container);
          requests_.erase(request);
        },
        Ignore<NodeAdded, NodeRemoved, NodeUpdated, ApplicationAdded, ApplicationRemoved,
               AskChanged, AskRemoved, ContainerRecovered, Tick, DecisionMade>{});
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
  for (const SlotKind kind : slot_kinds) {
    taken += settings_.only_logs_preemption ? log(kind, now) : take(cluster, kind, now, decisions);
  }
  // What is taken ends, which is a change; without one the next look would see the same. What is
  // only logged is logged again.
  if (taken == 0) is_worthwhile_ = false;
}

std::vector<ContainerId> SlotPreemption::choose(const ClusterModel& cluster, SlotKind kind,
                                                TraceTime now) const {
  std::int64_t wanted = policy_.slots_to_take(kind, now);
  if (wanted <= 0) return {};
  std::map<std::string_view, std::int64_t> left;
  for (const auto& [name, pool] : pools_.all()) left[name] = pool.ratios[kind].running;
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
  std::vector<ContainerId> chosen;
  for (const Candidate& candidate : candidates) {
    if (static_cast<std::int64_t>(chosen.size()) >= wanted) break;
    std::int64_t& left_of_pool = left[candidate.pool->name];
    if (static_cast<double>(left_of_pool) <= candidate.pool->ratios[kind].share) continue;
    chosen.push_back(candidate.id);
    --left_of_pool;
  }
  return chosen;
}

std::int64_t SlotPreemption::take(const ClusterModel& cluster, SlotKind kind, TraceTime now,
                                  Decisions& decisions) {
  const std::vector<ContainerId> chosen = choose(cluster, kind, now);
  for (const ContainerId id : chosen) {
    take_back(id, now, decisions);
    if (settings_.asks_back) requests_[id] = {kind, now + settings_.wait_before_kill};
  }
  return static_cast<std::int64_t>(chosen.size());
}

std::int64_t SlotPreemption::log(SlotKind kind, TraceTime now) {
  std::int64_t sum = 0;
  for (auto& [name, pool] : pools_.all()) {
    const std::int64_t slots = policy_.slots_to_take_for(pool, kind, now);
    pool.should_have_preempted[kind] += slots;
    sum += slots;
  }
  return sum;
}

std::vector<PreemptionView> SlotPreemption::view(const ClusterModel& cluster, TraceTime now) const {
  std::map<ContainerId, PreemptionView> views;
  for (const auto& [id, request] : requests_) {
    const Container* container = cluster.containers.find(id);
    if (container == nullptr) continue;
    views[id] = {id, container->application, true, request.deadline, reason};
  }
  for (const SlotKind kind : slot_kinds) {
    if (!settings_.preempts) break;
    for (const ContainerId id : choose(cluster, kind, now)) {
      views[id] = {id, cluster.containers[id].application, false, never, reason};
    }
  }
  std::vector<PreemptionView> list;
  for (auto& [id, view] : views) list.push_back(std::move(view));
  return list;
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
