#include "schedulers/hadoop1/fair/deficit_policy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/check.h"
#include "schedulers/hadoop1/load_cap.h"

namespace tracebed {

void DeficitPolicy::add_deficits(Duration elapsed) {
  for (auto& [id, job] : pools_.jobs()) {
    for (const SlotKind kind : slot_kinds) add_deficit(job.deficits[kind], elapsed);
  }
  is_order_stale_ = {.map = true, .reduce = true};
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
    runnable_[kind] = 0;
    std::vector<DeficitFigures*> all;
    for (auto& [name, pool] : pools_.all()) {
      std::vector<DeficitFigures*> of_pool;
      for (PooledJob* job : pool.jobs) {
        DeficitFigures& figures = job->deficits[kind];
        figures.weight =
            job->is_runnable ? pools_.weight(*job->job, figures.runnable_tasks(), now) : 0;
        runnable_[kind] += figures.runnable_tasks();
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

DeficitPolicy::Place DeficitPolicy::place_of(const PooledJob& job, SlotKind kind) {
  const SlotJob& slots = *job.job;
  return {rank_by_deficit(job.deficits[kind], slots.running[kind]), slots.key_by_submission()};
}

void DeficitPolicy::put_in_order(const PooledJob& job, SlotKind kind) {
  const SlotJob& slots = *job.job;
  if (job.deficits[kind].needed <= 0) return order_[kind].remove(slots.id);
  order_[kind].set(slots.id, place_of(job, kind), waiting_demands(slots, kind));
}

void DeficitPolicy::verify() const {
  for (const SlotKind kind : slot_kinds) {
    if (is_order_stale_[kind]) continue;
    std::set<Place> expected;
    std::int64_t runnable = 0;
    for (const auto& [id, job] : pools_.jobs()) {
      runnable += job.deficits[kind].runnable_tasks();
      if (job.deficits[kind].needed > 0) expected.insert(place_of(job, kind));
    }
    TRACEBED_CHECK(order_[kind].keys() == expected, "jobs are in the order of their deficits");
    TRACEBED_CHECK(runnable_[kind] == runnable, "what could run is what jobs run and need");
  }
}

void DeficitPolicy::running_changed(ApplicationId id) {
  const PooledJob* job = pools_.find(id);
  if (job == nullptr) return;
  for (const SlotKind kind : slot_kinds) put_in_order(*job, kind);
}

void DeficitPolicy::remove(ApplicationId id) {
  for (const SlotKind kind : slot_kinds) order_[kind].remove(id);
}

bool DeficitPolicy::give(NodeId node, SlotKind kind, SlotOffer& offer) {
  const SlotTable& table = jobs_.table();
  const std::int64_t cap = load_cap(runnable_[kind], table.total(node, kind), table.total(kind),
                                    settings_.load_difference);
  if (table.used(node, kind) >= cap || !offer.could_place(kind, node)) return false;
  if (std::exchange(is_order_stale_[kind], false)) {
    for (const auto& [id, job] : pools_.jobs()) put_in_order(job, kind);
  }
  const auto has_room = [&](const Resources& demand) { return offer.has_room(node, demand); };
  return order_[kind].visit_with_room(has_room, [&](const Place& place) {
    PooledJob& job = *pools_.find(place.key.id);
    const std::int64_t before = job.job->running[kind];
    if (!offer.place(*job.job, kind, node)) return false;
    const std::int64_t given = job.job->running[kind] - before;
    job.deficits[kind].running += given;
    job.deficits[kind].needed -= given;
    put_in_order(job, kind);
    return true;
  });
}

}  // namespace tracebed
