#include "schedulers/hadoop1/fair/deficit_policy.h"

#include <algorithm>

#include "schedulers/hadoop1/load_cap.h"

namespace tracebed {

void DeficitPolicy::add_deficits(Duration elapsed) {
  for (auto& [id, job] : pools_.jobs()) {
    for (const SlotKind kind : slot_kinds) add_deficit(job.deficits[kind], elapsed);
  }
}

void DeficitPolicy::catch_up(TraceTime until) {
  while (last_update_ < until) {
    const Duration past = last_update_.time_since_epoch() % settings_.update_interval;
    const TraceTime next = std::min(until, last_update_ + settings_.update_interval - past);
    add_deficits(next - last_update_);
    last_update_ = next;
  }
}

void DeficitPolicy::count_tasks(PooledJob& job) const {
  constexpr double slow_start = 0.05;
  const SlotJob& tasks = *job.job;
  const auto maps = static_cast<double>(tasks.total(SlotKind::map));
  const bool has_waited =
      !settings_.reduces_wait_for_maps || maps == 0 ||
      static_cast<double>(tasks.succeeded.map) >= std::max(1.0, maps * slow_start);
  for (const SlotKind kind : slot_kinds) {
    DeficitFigures& figures = job.deficits[kind];
    figures.is_runnable = job.is_runnable;
    figures.running = tasks.running[kind];
    const bool may_start = job.is_runnable && (kind == SlotKind::map || has_waited);
    figures.needed = may_start ? tasks.pending[kind] : 0;
  }
}

void DeficitPolicy::update(TraceTime now) {
  add_deficits(now - last_update_);
  last_update_ = now;
  pools_.decide_who_may_run(jobs_);
  for (auto& [id, job] : pools_.jobs()) count_tasks(job);
  for (const SlotKind kind : slot_kinds) {
    std::vector<DeficitFigures*> all;
    for (auto& [name, pool] : pools_.all()) {
      std::vector<DeficitFigures*> of_pool;
      for (PooledJob* job : pool.jobs) {
        DeficitFigures& figures = job->deficits[kind];
        figures.weight =
            job->is_runnable ? pools_.weight(*job->job, figures.runnable_tasks(), now) : 0;
        of_pool.push_back(&figures);
      }
      normalise_weights(of_pool, pool.rules.weight);
      divide_minimum(of_pool, pool.rules.minimum[kind]);
      all.insert(all.end(), of_pool.begin(), of_pool.end());
    }
    divide_slots(all, jobs_.table().total(kind));
  }
}

void DeficitPolicy::serve_node(NodeId node, SlotOffer& offer) {
  const bool has_given = give(node, SlotKind::map, offer);
  if (!has_given || settings_.assigns_multiple) give(node, SlotKind::reduce, offer);
}

bool DeficitPolicy::give(NodeId node, SlotKind kind, SlotOffer& offer) {
  const SlotTable& table = jobs_.table();
  std::int64_t runnable = 0;
  std::vector<PooledJob*> candidates;
  for (auto& [id, job] : pools_.jobs()) {
    runnable += job.deficits[kind].runnable_tasks();
    if (job.deficits[kind].needed > 0) candidates.push_back(&job);
  }
  const std::int64_t cap =
      load_cap(runnable, table.total(node, kind), table.total(kind), settings_.load_difference);
  if (table.used(node, kind) >= cap) return false;
  std::sort(candidates.begin(), candidates.end(), [&](const PooledJob* a, const PooledJob* b) {
    const auto precedes = [&](const PooledJob* first, const PooledJob* second) {
      return is_owed_more(first->deficits[kind], first->job->running[kind], second->deficits[kind],
                          second->job->running[kind]);
    };
    if (precedes(a, b)) return true;
    if (precedes(b, a)) return false;
    return std::pair(a->job->submitted, a->job->id) < std::pair(b->job->submitted, b->job->id);
  });
  for (PooledJob* job : candidates) {
    const std::int64_t before = job->job->running[kind];
    if (!offer.place(*job->job, kind, node)) continue;
    const std::int64_t given = job->job->running[kind] - before;
    job->deficits[kind].running += given;
    job->deficits[kind].needed -= given;
    return true;
  }
  return false;
}

}  // namespace tracebed
