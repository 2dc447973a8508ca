#include "schedulers/hadoop1/slot_jobs.h"

#include <algorithm>
#include <limits>

#include "core/check.h"
#include "core/visit.h"

namespace tracebed {
const SlotAsk* SlotJob::wanting(SlotKind kind) const {
  const auto found = std::find_if(asks.begin(), asks.end(), [&](const SlotAsk& ask) {
    return !ask.is_master && ask.kind == kind && ask.remaining > 0;
  });
  return found == asks.end() ? nullptr : &*found;
}

std::int64_t SlotSizes::of(SlotKind kind, const Resources& demand) const {
  const std::int64_t size = slot_mib[kind];
  if (size <= 0) return 1;
  return std::max<std::int64_t>(1, (demand.memory_mib() + size - 1) / size);
}

// ---- jobs ----

SlotJob* SlotJobs::find(ApplicationId id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

const SlotJob* SlotJobs::find(ApplicationId id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

void SlotJobs::add(const ClusterModel& cluster, ApplicationId id) {
  const Application* application = cluster.applications.find(id);
  if (application == nullptr) return;  // gone again by now
  SlotJob job;
  job.id = id;
  job.user = application->user;
  job.queue = application->queue;
  job.priority = application->priority;
  job.submitted = application->submitted;
  const SlotJobKey key = job.key();
  by_id_.emplace(id, &jobs_.emplace(key, std::move(job)).first->second);
  changes_.added.push_back(id);
}

void SlotJobs::drop(ApplicationId id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return;
  SlotJob& job = *found->second;
  uncount_wants(job);
  for (const SlotKind kind : slot_kinds) {
    running_[kind] -= job.running[kind];
    succeeded_[kind] -= job.succeeded[kind];
  }
  std::erase(changes_.added, id);
  const SlotJobKey key = job.key();
  changes_.removed.push_back(std::move(job));
  jobs_.erase(key);
  by_id_.erase(found);
}

void SlotJobs::touch(ApplicationId id) {
  SlotJob* job = find(id);
  if (job == nullptr || job->is_touched) return;
  job->is_touched = true;
  touched_.push_back(id);
}

// ---- what happened ----

const SlotJobs::Changes& SlotJobs::follow(const SchedulerInput& input) {
  changes_ = {};
  for (const ApplicationId id : proposed_) {
    SlotJob* job = find(id);
    if (job == nullptr) continue;
    job->has_placed = false;
    for (SlotAsk& ask : job->asks) ask.placed.clear();
  }
  for (const SchedulerEvent& event : input.events) {
    changes_.is_demand_changed |= table_.see(input.cluster, event);
    see(input.cluster, event);
  }
  if (was_refused_) {
    recount(input.cluster);
    for (const ApplicationId id : proposed_) touch(id);
    was_refused_ = false;
    changes_.was_refused = true;
  }
  proposed_.clear();
  changes_.changed.insert(changes_.changed.end(), touched_.begin(), touched_.end());
  for (const ApplicationId id : touched_) {
    if (SlotJob* job = find(id)) settle(input.cluster, *job);
  }
  touched_.clear();
  return changes_;
}

void SlotJobs::see(const ClusterModel& cluster, const SchedulerEvent& event) {
  const auto demand_changes = [&] { changes_.is_demand_changed = true; };
  visit_all(
      event,
      [&](const ContainerFinished& finished) {
        changes_.has_ended = true;
        finish(finished);
      },
      [&](const OneOf<NodeAdded, NodeRemoved> auto&) { demand_changes(); },
      [&](const ApplicationAdded& added) {
        demand_changes();
        add(cluster, added.application);
      },
      [&](const ApplicationRemoved& removed) {
        demand_changes();
        drop(removed.application);
      },
      [&](const AskChanged& changed) {
        demand_changes();
        // One that is gone by now has its AskRemoved among the same events.
        const Ask* ask = cluster.asks.find(changed.ask);
        if (ask != nullptr) touch(ask->application);
      },
      [&](const AskRemoved& closed) {
        demand_changes();
        touch(closed.application);
        const auto record = records_.find(closed.ask);
        if (record == records_.end()) return;
        record->second.is_open = false;
        forget_if_over(record);
      },
      [&](const ContainerRecovered& recovered) {
        demand_changes();
        recover(cluster, recovered);
      },
      [&](const Refused& refused) {
        demand_changes();
        // What was proposed need not be what was refused, if somebody changed it on the way.
        was_refused_ = true;
        const auto record = records_.find(refused.ask);
        if (record != records_.end()) touch(record->second.application);
      },
      Ignore<NodeUpdated, PreemptionSettled, PreemptionDue, Tick, DecisionMade>{});
}

void SlotJobs::recover(const ClusterModel& cluster, const ContainerRecovered& recovered) {
  touch(recovered.application);
  SlotJob* job = find(recovered.application);
  const Ask* ask = cluster.asks.find(recovered.ask);
  const Container* container = cluster.containers.find(recovered.container);
  if (job == nullptr || ask == nullptr || container == nullptr) return;
  (void)taken_over(*job, recovered.ask, *ask);
  start(records_.at(recovered.ask), recovered.ask, recovered.node, container->units, ask->demand);
}

// Takes what it wants from the model, which also takes back what was refused.
void SlotJobs::settle(const ClusterModel& cluster, SlotJob& job) {
  job.is_touched = false;
  uncount_wants(job);
  job.asks.clear();
  const Application* application = cluster.applications.find(job.id);
  if (application != nullptr) {
    for (const AskId id : application->asks) {
      job.asks.push_back(taken_over(job, id, cluster.asks[id]));
    }
  }
  count_wants(job);
}

SlotAsk SlotJobs::taken_over(const SlotJob& job, AskId id, const Ask& ask) {
  SlotAsk taken;
  taken.id = id;
  taken.priority = ask.priority;
  taken.demand = ask.demand;
  taken.remaining = ask.pending;
  taken.kind = ask.kind == StageKind::reduce ? SlotKind::reduce : SlotKind::map;
  taken.is_gang = ask.is_gang();
  taken.is_master = ask.is_master;
  taken.slots = ask.is_gang() ? 1 : sizes_.of(taken.kind, ask.demand);
  records_.try_emplace(id, Record{job.id, taken.kind, taken.is_gang, taken.is_master, true, 0});
  return taken;
}

void SlotJobs::count_wants(SlotJob& job) {
  job.pending = {};
  job.pending_masters = 0;
  for (SlotAsk& ask : job.asks) {
    if (ask.remaining == 0) continue;
    (ask.is_master ? job.pending_masters : job.pending[ask.kind]) += ask.remaining;
    ask.counted = demands_.join(ask.demand, {job.id, ask.priority, ask.id});
  }
  for (const SlotKind kind : slot_kinds) pending_[kind] += job.pending[kind];
  if (job.pending_masters > 0) with_pending_masters_.insert(job.key());
}

void SlotJobs::uncount_wants(SlotJob& job) {
  for (SlotAsk& ask : job.asks) uncount_demand(job, ask);
  for (const SlotKind kind : slot_kinds) pending_[kind] -= job.pending[kind];
  with_pending_masters_.erase(job.key());
}

void SlotJobs::uncount_demand(const SlotJob& job, SlotAsk& ask) {
  if (!ask.counted) return;
  demands_.leave(*ask.counted, {job.id, ask.priority, ask.id});
  ask.counted.reset();
}

// ---- what runs ----

void SlotJobs::start(Record& record, AskId ask, NodeId node, std::int64_t units,
                     const Resources& unit) {
  ++record.containers;
  if (record.is_master) return;
  const std::int64_t slots = record.is_gang ? units : sizes_.of(record.kind, unit);
  if (record.is_gang) gang_units_[{ask, node}] += units;
  table_.take(node, record.kind, slots);
  SlotJob* job = find(record.application);
  if (job == nullptr) return;
  job->running[record.kind] += units;
  job->slots[record.kind] += slots;
  running_[record.kind] += units;
}

void SlotJobs::finish(const ContainerFinished& finished) {
  const bool has_succeeded = finished.end == ContainerEnd::succeeded;
  const auto found = records_.find(finished.ask);
  if (found == records_.end()) return;  // of an application that was ended before it was seen
  Record& record = found->second;
  --record.containers;
  if (!record.is_master) {
    std::int64_t units = 1;
    std::int64_t slots = 1;
    if (record.is_gang) {
      const auto piece = gang_units_.find({finished.ask, finished.node});
      TRACEBED_CHECK(piece != gang_units_.end(), "a gang's containers end where they were placed");
      units = slots = piece->second;
      gang_units_.erase(piece);
    } else {
      slots = sizes_.of(record.kind, finished.resources);
    }
    changes_.ended.push_back(
        {finished.container, record.application, record.kind, units, has_succeeded});
    table_.give_back(finished.node, record.kind, slots);
    if (SlotJob* job = find(record.application)) {
      job->running[record.kind] -= units;
      job->slots[record.kind] -= slots;
      running_[record.kind] -= units;
      if (has_succeeded) {
        job->succeeded[record.kind] += units;
        succeeded_[record.kind] += units;
      }
      changes_.changed.push_back(record.application);
    }
  }
  forget_if_over(found);
}

void SlotJobs::recount(const ClusterModel& cluster) {
  table_.clear();
  gang_units_.clear();
  running_ = {};
  for (auto& [key, job] : jobs_) job.running = job.slots = {};
  for (auto& [id, record] : records_) record.containers = 0;
  cluster.containers.for_each([&](ContainerId, const Container& container) {
    const auto record = records_.find(container.ask);
    TRACEBED_CHECK(record != records_.end(), "an ask is known as long as it has containers");
    // A gang's units are counted as such, so that their size does not matter.
    start(record->second, container.ask, container.node, container.units, container.resources);
  });
  for (auto record = records_.begin(); record != records_.end();) {
    forget_if_over(record++);
  }
}

void SlotJobs::forget_if_over(Records::iterator record) {
  if (!record->second.is_open && record->second.containers == 0) records_.erase(record);
}

void SlotJobs::count_proposal(SlotJob& job, SlotAsk& ask, NodeId node, std::uint32_t units) {
  TRACEBED_CHECK(units <= ask.remaining, "no more units are placed than are wanted");
  ask.remaining -= units;
  if (ask.is_master) {
    job.pending_masters -= units;
    if (job.pending_masters == 0) with_pending_masters_.erase(job.key());
  } else {
    job.pending[ask.kind] -= units;
    pending_[ask.kind] -= units;
  }
  if (ask.remaining == 0) uncount_demand(job, ask);
  if (!ask.is_gang) ask.placed.push_back(node);
  if (!job.has_placed) proposed_.push_back(job.id);
  job.has_placed = true;
  start(records_.at(ask.id), ask.id, node, units, ask.demand);
}

// ---- what is asked ----

std::optional<SlotKind> SlotJobs::kind_of(const Container& container) const {
  const auto record = records_.find(container.ask);
  if (container.is_master || record == records_.end() || record->second.is_master) return {};
  return record->second.kind;
}

bool SlotJobs::is_of_gang(const Container& container) const {
  const auto record = records_.find(container.ask);
  return record != records_.end() && record->second.is_gang;
}

void SlotJobs::verify(const ClusterModel& cluster) const {
  std::map<std::pair<NodeId, SlotKind>, std::int64_t> used;
  std::map<std::pair<ApplicationId, SlotKind>, std::int64_t> running;
  cluster.containers.for_each([&](ContainerId, const Container& container) {
    const std::optional<SlotKind> kind = kind_of(container);
    if (!kind) return;
    const bool is_gang = records_.at(container.ask).is_gang;
    used[{container.node, *kind}] +=
        is_gang ? container.units : sizes_.of(*kind, container.resources);
    running[{container.application, *kind}] += container.units;
  });
  for (const Node& node : cluster.nodes) {
    for (const SlotKind kind : slot_kinds) {
      const auto found = used.find({node.id, kind});
      TRACEBED_CHECK(table_.used(node.id, kind) == (found == used.end() ? 0 : found->second),
                     "the slots that are taken on a node are those of its containers");
    }
  }
  PerKind<std::int64_t> pending;
  PerKind<std::int64_t> total;
  for (const auto& [key, job] : jobs_) {
    for (const SlotKind kind : slot_kinds) {
      const auto found = running.find({job.id, kind});
      TRACEBED_CHECK(job.running[kind] == (found == running.end() ? 0 : found->second),
                     "a job's running tasks are those of its containers");
      pending[kind] += job.pending[kind];
      total[kind] += job.total(kind);
    }
  }
  TRACEBED_CHECK(pending == pending_, "what all jobs want is what each of them wants");
  for (const SlotKind kind : slot_kinds) {
    TRACEBED_CHECK(total[kind] == this->total(kind), "all tasks are those of all jobs");
  }
}

}  // namespace tracebed
