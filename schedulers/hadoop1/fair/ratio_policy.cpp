#include "schedulers/hadoop1/fair/ratio_policy.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/check.h"
#include "schedulers/hadoop1/load_cap.h"

namespace tracebed {
namespace {

bool is_overdue(TraceTime since, const std::optional<Duration>& timeout, TraceTime now) {
  return timeout && now - since > *timeout;
}

}  // namespace

// One heartbeat.
struct RatioPolicy::Turn {
  NodeId node;
  TraceTime now{};
  PerKind<std::int64_t> assigned;
  PerKind<std::int64_t> assigned_max;
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

void RatioPolicy::count_demand() {
  demand_ = {};
  for (const ApplicationId id : std::exchange(stale_, {})) {
    if (PooledJob* job = pools_.find(id)) job->has_changed = true;
  }
  for (auto& [name, pool] : pools_.all()) {
    for (const SlotKind kind : slot_kinds) {
      RatioFigures& of_pool = pool.ratios[kind];
      of_pool.minimum = pool.rules.minimum[kind];
      of_pool.weight = pool.rules.weight;
      of_pool.demand = of_pool.running = 0;
      const std::int64_t most =
          pool.rules.maximum[kind].value_or(std::numeric_limits<std::int64_t>::max());
      for (PooledJob* job : pool.jobs) {
        RatioFigures& figures = job->ratios[kind];
        figures.running = job->job->running[kind];
        figures.demand = job->is_runnable ? job->job->pending[kind] + figures.running : 0;
        of_pool.running += figures.running;
        of_pool.demand = std::min(most, of_pool.demand + figures.demand);
      }
      demand_[kind] += of_pool.demand;
    }
  }
}

void RatioPolicy::update(TraceTime now) {
  pools_.decide_who_may_run(jobs_);
  skipped_.clear();
  for (auto& [id, job] : pools_.jobs()) {
    if (job.job->pending.map == 0) job.delay.stop();
    if (job.delay.was_skipped()) skipped_.push_back(&job);
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
      for (PooledJob* job : pool.jobs) put_in_order(*job, kind);
      put_in_order(pool, kind);
    }
  }
  for (auto& [id, job] : pools_.jobs()) job.has_changed = false;
  last_update_ = TraceTime::min();
  catch_up(now);
}

// ---- the order of pools and jobs ----

// FairShareComparator, which ends on start and name; pools have no start.
void RatioPolicy::put_in_order(SlotPool& pool, SlotKind kind) {
  std::optional<RatioRank>& place = pool.place[kind];
  std::optional<RatioRank> rank;
  if (!pool.waiting[kind].empty()) rank = rank_by_ratio(pool.ratios[kind]);
  if (rank == place) return;
  if (place) order_[kind].erase({*place, pool.name});
  if (rank) order_[kind].insert({*rank, pool.name, &pool});
  place = rank;
}

void RatioPolicy::put_in_order(PooledJob& job, SlotKind kind) {
  const SlotJob& slots = *job.job;
  std::optional<RatioPlace> place;
  if (job.is_runnable && slots.pending[kind] > 0) place = place_of(job, kind);
  if (place == job.places[kind] && !job.has_changed) return;
  job.places[kind] = place;
  auto& waiting = job.pool->waiting[kind];
  if (!place) return waiting.remove(slots.id);
  waiting.set(slots.id, *place, waiting_demands(slots, kind));
}

RatioPlace RatioPolicy::place_of(const PooledJob& job, SlotKind kind) {
  if (job.pool->is_fifo) return {{}, job.job->key()};
  return {rank_by_ratio(job.ratios[kind]), job.job->key_by_submission()};
}

void RatioPolicy::verify() const {
  for (const SlotKind kind : slot_kinds) {
    std::size_t pools = 0;
    std::int64_t demand = 0;
    for (const auto& [name, pool] : pools_.all()) {
      std::set<RatioPlace> expected;
      std::int64_t running = 0;
      for (const PooledJob* job : pool.jobs) {
        running += job->ratios[kind].running;
        if (!job->is_runnable || job->job->pending[kind] == 0) continue;
        expected.insert(place_of(*job, kind));
      }
      TRACEBED_CHECK(pool.waiting[kind].keys() == expected,
                     "jobs are in the order of their ratios");
      TRACEBED_CHECK(pool.ratios[kind].running == running, "a pool runs what its jobs run");
      demand += pool.ratios[kind].demand;
      if (expected.empty()) continue;
      ++pools;
      TRACEBED_CHECK(order_[kind].contains({rank_by_ratio(pool.ratios[kind]), name, nullptr}),
                     "pools are in the order of their ratios");
    }
    TRACEBED_CHECK(order_[kind].size() == pools, "only pools with jobs to serve are in the order");
    TRACEBED_CHECK(demand_[kind] == demand, "the demand is that of all pools");
  }
  for (const auto& [id, job] : pools_.jobs()) {
    const bool is_known = std::find(skipped_.begin(), skipped_.end(), &job) != skipped_.end();
    TRACEBED_CHECK(is_known == job.delay.was_skipped(), "it is known which jobs were passed over");
  }
}

void RatioPolicy::follow_running() {
  for (const ApplicationId id : stale_) {
    PooledJob* job = pools_.find(id);
    if (job == nullptr) continue;
    for (const SlotKind kind : slot_kinds) follow_running(*job, kind);
  }
  stale_.clear();
}

void RatioPolicy::follow_running(PooledJob& job, SlotKind kind) {
  const std::int64_t running = job.job->running[kind];
  job.pool->ratios[kind].running += running - std::exchange(job.ratios[kind].running, running);
  job.has_changed = true;
  put_in_order(job, kind);
  job.has_changed = false;
  put_in_order(*job.pool, kind);
}

// ---- a heartbeat ----

void RatioPolicy::serve_node(const ClusterModel& cluster, TraceTime now, NodeId node,
                             SlotOffer& offer) {
  pass_time(now);
  follow_running();
  Turn turn;
  turn.node = node;
  turn.now = now;
  const SlotTable& table = jobs_.table();
  for (const SlotKind kind : slot_kinds) {
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
    if (has_launched && job->delay.was_skipped()) {  // by another node, at this moment
      job->delay.stop();
      std::erase(skipped_, job);
    }
    if (has_launched || job->job->pending.map == 0 || job->delay.was_skipped()) continue;
    job->delay.skip();
    skipped_.push_back(job);
  }
}

void RatioPolicy::pass_time(TraceTime now) {
  if (now == last_heartbeat_) return;
  for (PooledJob* job : skipped_) job->delay.beat(now - last_heartbeat_);
  skipped_.clear();
  last_heartbeat_ = now;
}

bool RatioPolicy::may_give(const Turn& turn, SlotKind kind) const {
  const SlotTable& table = jobs_.table();
  if (turn.assigned[kind] >= turn.assigned_max[kind]) return false;
  if (jobs_.running(kind) >= demand_[kind]) return false;
  return table.used(turn.node, kind) < load_cap(demand_[kind], table.total(turn.node, kind),
                                                table.total(kind), settings_.load_difference);
}

bool RatioPolicy::give(const ClusterModel& cluster, Turn& turn, SlotKind kind, SlotOffer& offer) {
  return std::any_of(order_[kind].begin(), order_[kind].end(), [&](const PoolPlace& place) {
    return give_of(cluster, turn, *place.pool, kind, offer);
  });
}

bool RatioPolicy::give_of(const ClusterModel& cluster, Turn& turn, SlotPool& pool, SlotKind kind,
                          SlotOffer& offer) {
  if (!pool.may_run_more(kind)) return false;
  const bool is_map = kind == SlotKind::map;
  const auto give_to = [&](const RatioPlace& place) {
    PooledJob& job = *pools_.find(place.key.id);
    if (is_map) turn.looked_at.push_back(&job);
    const Locality level = is_map ? allowed_level(cluster, job, turn.now) : Locality::off_switch;
    const std::optional<Locality> placed = offer.place(*job.job, kind, turn.node, level);
    if (!placed) return false;
    ++turn.assigned[kind];
    follow_running(job, kind);
    if (is_map) {
      turn.launched.push_back(&job);
      job.delay.launched(*placed);
    }
    return true;
  };
  return pool.waiting[kind].visit_with_room(
      [&](const Resources& demand) { return offer.has_room(turn.node, demand); }, give_to);
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
  for (const PooledJob* job : skipped_) {
    if (job->job->pending.map == 0) continue;
    const Duration left = job->delay.until_next_level(settings_.delays);
    if (left > Duration::zero()) next = std::min(next, now + left);
  }
  return next;
}

}  // namespace tracebed
