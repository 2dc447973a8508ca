#include "schedulers/hadoop1/fair/ratio_policy.h"

#include <algorithm>
#include <limits>

#include "schedulers/hadoop1/load_cap.h"

namespace tracebed {
namespace {

bool is_overdue(TraceTime since, const std::optional<Duration>& timeout, TraceTime now) {
  return timeout && now - since > *timeout;
}

// FairShareComparator, which ends on start and name; pools have no start.
bool precedes(const SlotPool* a, const SlotPool* b, SlotKind kind) {
  const int order = compare_by_ratio(a->ratios[kind], b->ratios[kind]);
  return order != 0 ? order < 0 : a->name < b->name;
}

bool precedes(const PooledJob* a, const PooledJob* b, SlotKind kind) {
  const int order = compare_by_ratio(a->ratios[kind], b->ratios[kind]);
  if (order != 0) return order < 0;
  return std::pair(a->job->submitted, a->job->id) < std::pair(b->job->submitted, b->job->id);
}

}  // namespace

// One heartbeat.
struct RatioPolicy::Turn {
  NodeId node;
  TraceTime now{};
  PerKind<std::int64_t> assigned;
  PerKind<std::int64_t> assigned_max;
  PerKind<std::int64_t> demand;  // of all pools
  PerKind<bool> is_over;
  std::vector<PooledJob*> looked_at;  // for a map
  std::vector<PooledJob*> launched;   // a map
};

void RatioPolicy::catch_up(TraceTime until) {
  if (until <= last_update_) return;
  last_update_ = until;
  for (auto& [name, pool] : pools_.all()) {
    for (const SlotKind kind : slot_kinds) {
      if (!lacks_minimum(pool.ratios[kind])) pool.had_minimum[kind] = until;
      if (!lacks_half_share(pool.ratios[kind])) pool.had_half_share[kind] = until;
    }
  }
}

void RatioPolicy::follow_running(SlotPool& pool, SlotKind kind) const {
  pool.ratios[kind].running = 0;
  for (PooledJob* job : pool.jobs) {
    job->ratios[kind].running = job->job->running[kind];
    pool.ratios[kind].running += job->job->running[kind];
  }
}

void RatioPolicy::count_demand() {
  for (auto& [name, pool] : pools_.all()) {
    for (const SlotKind kind : slot_kinds) {
      RatioFigures& of_pool = pool.ratios[kind];
      of_pool.minimum = pool.rules.minimum[kind];
      of_pool.weight = pool.rules.weight;
      of_pool.demand = 0;
      const std::int64_t most =
          pool.rules.maximum[kind].value_or(std::numeric_limits<std::int64_t>::max());
      for (PooledJob* job : pool.jobs) {
        RatioFigures& figures = job->ratios[kind];
        figures.demand = job->is_runnable ? job->job->pending[kind] + job->job->running[kind] : 0;
        of_pool.demand = std::min(most, of_pool.demand + figures.demand);
      }
      follow_running(pool, kind);
    }
  }
}

void RatioPolicy::update(TraceTime now) {
  pools_.decide_who_may_run(jobs_);
  for (auto& [id, job] : pools_.jobs()) {
    if (job.job->pending.map == 0) job.delay.stop();
  }
  count_demand();
  for (const SlotKind kind : slot_kinds) {
    std::vector<RatioFigures*> of_pools;
    for (auto& [name, pool] : pools_.all()) of_pools.push_back(&pool.ratios[kind]);
    divide_by_ratio(of_pools, static_cast<double>(jobs_.table().total(kind)));
    for (auto& [name, pool] : pools_.all()) {
      std::vector<RatioFigures*> of_jobs;
      for (PooledJob* job : pool.jobs) {
        RatioFigures& figures = job->ratios[kind];
        figures.share = 0;
        figures.weight = job->is_runnable ? pools_.weight(*job->job, figures.demand, now) : 1;
        of_jobs.push_back(&figures);
      }
      if (!pool.is_fifo) divide_by_ratio(of_jobs, pool.ratios[kind].share);
    }
  }
  last_update_ = TraceTime::min();
  catch_up(now);
}

// ---- a heartbeat ----

void RatioPolicy::serve_node(const ClusterModel& cluster, TraceTime now, NodeId node,
                             SlotOffer& offer) {
  const Duration since = last_heartbeat_ == never ? Duration::zero() : now - last_heartbeat_;
  last_heartbeat_ = now;
  for (auto& [id, job] : pools_.jobs()) job.delay.beat(since);
  Turn turn;
  turn.node = node;
  turn.now = now;
  const SlotTable& table = jobs_.table();
  for (const SlotKind kind : slot_kinds) {
    for (auto& [name, pool] : pools_.all()) {
      follow_running(pool, kind);
      turn.demand[kind] += pool.ratios[kind].demand;
    }
    const std::int64_t cap = settings_.assigns_at_most[kind];
    const std::int64_t slots = std::max<std::int64_t>(table.free(node, kind), 0);
    turn.assigned_max[kind] = !settings_.assigns_multiple ? 1
                              : cap == -1                 ? slots
                                                          : std::min(cap, slots);
  }
  for (;;) {
    for (const SlotKind kind : slot_kinds)
      turn.is_over[kind] = turn.is_over[kind] || !may_give(turn, kind);
    const bool has_given = turn.assigned.map + turn.assigned.reduce > 0;
    if (turn.is_over.map && turn.is_over.reduce) break;
    if (has_given && !settings_.assigns_multiple) break;
    const bool maps_come_first =
        table.used(node, SlotKind::map) <= table.used(node, SlotKind::reduce);
    const bool is_map = turn.is_over.reduce || (!turn.is_over.map && maps_come_first);
    const SlotKind kind = is_map ? SlotKind::map : SlotKind::reduce;
    if (!give(cluster, turn, kind, offer)) turn.is_over[kind] = true;
  }
  for (PooledJob* job : turn.looked_at) {
    const bool has_launched =
        std::find(turn.launched.begin(), turn.launched.end(), job) != turn.launched.end();
    if (!has_launched && job->job->pending.map > 0) job->delay.skip();
  }
}

bool RatioPolicy::may_give(const Turn& turn, SlotKind kind) const {
  const SlotTable& table = jobs_.table();
  if (turn.assigned[kind] >= turn.assigned_max[kind]) return false;
  if (jobs_.running(kind) >= turn.demand[kind]) return false;
  return table.used(turn.node, kind) < load_cap(turn.demand[kind], table.total(turn.node, kind),
                                                table.total(kind), settings_.load_difference);
}

bool RatioPolicy::give(const ClusterModel& cluster, Turn& turn, SlotKind kind, SlotOffer& offer) {
  std::vector<SlotPool*> order;
  for (auto& [name, pool] : pools_.all()) order.push_back(&pool);
  std::sort(order.begin(), order.end(),
            [kind](const SlotPool* a, const SlotPool* b) { return precedes(a, b, kind); });
  return std::any_of(order.begin(), order.end(),
                     [&](SlotPool* pool) { return give_of(cluster, turn, *pool, kind, offer); });
}

bool RatioPolicy::give_of(const ClusterModel& cluster, Turn& turn, SlotPool& pool, SlotKind kind,
                          SlotOffer& offer) {
  if (!pool.may_run_more(kind)) return false;
  std::vector<PooledJob*> order = pool.jobs;
  if (!pool.is_fifo) {
    std::sort(order.begin(), order.end(),
              [kind](const PooledJob* a, const PooledJob* b) { return precedes(a, b, kind); });
  }
  for (PooledJob* job : order) {
    if (!job->is_runnable) continue;
    const bool is_map = kind == SlotKind::map;
    if (is_map) turn.looked_at.push_back(job);
    const Locality level = is_map ? allowed_level(cluster, *job, turn.now) : Locality::off_switch;
    const std::optional<Locality> placed = offer.place(*job->job, kind, turn.node, level);
    if (!placed) continue;
    ++turn.assigned[kind];
    follow_running(pool, kind);
    if (is_map) {
      turn.launched.push_back(job);
      job->delay.launched(*placed);
    }
    return true;
  }
  return false;
}

Locality RatioPolicy::allowed_level(const ClusterModel& cluster, const PooledJob& job,
                                    TraceTime now) const {
  const SlotPool& pool = *job.pool;
  const bool is_starving =
      is_overdue(pool.had_minimum.map, pool.rules.minimum_timeout, now) ||
      is_overdue(pool.had_half_share.map, pools_.allocations().fair_share_timeout, now);
  if (is_starving || !has_places(cluster, *job.job)) return Locality::off_switch;
  return job.delay.allowed(settings_.delays);
}

// ---- what is lacking ----

std::int64_t RatioPolicy::slots_to_take_for(const SlotPool& pool, SlotKind kind,
                                            TraceTime now) const {
  return tasks_to_preempt(
      pool.ratios[kind], is_overdue(pool.had_minimum[kind], pool.rules.minimum_timeout, now),
      is_overdue(pool.had_half_share[kind], pools_.allocations().fair_share_timeout, now));
}

std::int64_t RatioPolicy::slots_to_take(SlotKind kind, TraceTime now) const {
  std::int64_t slots = 0;
  for (const auto& [name, pool] : pools_.all()) slots += slots_to_take_for(pool, kind, now);
  return slots;
}

TraceTime RatioPolicy::first_overdue(SlotKind kind) const {
  TraceTime first = never;
  for (const auto& [name, pool] : pools_.all()) {
    const auto consider = [&](bool lacks, TraceTime since, const std::optional<Duration>& timeout) {
      if (lacks && timeout) first = std::min(first, since + *timeout + Duration(1));
    };
    consider(lacks_minimum(pool.ratios[kind]), pool.had_minimum[kind], pool.rules.minimum_timeout);
    consider(lacks_half_share(pool.ratios[kind]), pool.had_half_share[kind],
             pools_.allocations().fair_share_timeout);
  }
  return first;
}

TraceTime RatioPolicy::next_level(TraceTime now) const {
  TraceTime next = never;
  for (const auto& [id, job] : pools_.jobs()) {
    if (!job.delay.was_skipped() || job.job->pending.map == 0) continue;
    const Duration left = job.delay.until_next_level(settings_.delays);
    if (left > Duration::zero()) next = std::min(next, now + left);
  }
  return next;
}

}  // namespace tracebed
