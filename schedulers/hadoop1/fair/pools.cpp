#include "schedulers/hadoop1/fair/pools.h"

#include <algorithm>
#include <cmath>

namespace tracebed {
namespace {

// FairScheduler.getPriorityFactor. Hadoop 1 has five priorities; 0 is NORMAL here, and whatever is
// beyond the outer ones counts as they do.
double priority_factor(std::int32_t priority) {
  constexpr std::int32_t outermost = 2;
  return std::ldexp(1.0, std::clamp(priority, -outermost, outermost));
}

}  // namespace

void SlotPools::fill_in_rules(SlotPool& pool) const {
  pool.rules = allocations_.of(pool.name);
  if (!pool.rules.maximum_running)
    pool.rules.maximum_running = allocations_.maximum_running_of_pool;
  if (!pool.rules.minimum_timeout) pool.rules.minimum_timeout = allocations_.minimum_timeout;
  pool.is_fifo = pool.rules.is_fifo.value_or(allocations_.is_fifo);
}

void SlotPools::take_rules(PoolAllocations allocations) {
  allocations_ = std::move(allocations);
  for (auto& [name, pool] : pools_) fill_in_rules(pool);
}

std::optional<std::int64_t> SlotPools::maximum_running_of(const std::string& user) const {
  if (allocations_.maximum_running_of_users.empty()) return allocations_.maximum_running_of_user;
  const auto own = allocations_.maximum_running_of_users.find(user);
  if (own != allocations_.maximum_running_of_users.end()) return own->second;
  return allocations_.maximum_running_of_user;
}

PooledJob& SlotPools::add(SlotJob& job, const std::string& user, const std::string& pool_name,
                          TraceTime now) {
  const auto [place, is_new] = pools_.try_emplace(pool_name);
  SlotPool& pool = place->second;
  if (is_new) {
    pool.name = pool_name;
    pool.had_minimum = pool.had_half_share = {now, now};
    fill_in_rules(pool);
  }
  PooledJob& added = jobs_[job.id];
  added.job = &job;
  added.user = user;
  added.pool = &pool;
  const auto behind = std::upper_bound(
      pool.jobs.begin(), pool.jobs.end(), &added,
      [](const PooledJob* a, const PooledJob* b) { return a->job->key() < b->job->key(); });
  pool.jobs.insert(behind, &added);
  return added;
}

void SlotPools::remove(ApplicationId id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return;
  SlotPool& pool = *found->second.pool;
  std::erase(pool.jobs, &found->second);
  for (const SlotKind kind : slot_kinds) pool.waiting[kind].remove(id);
  jobs_.erase(found);
}

PooledJob* SlotPools::find(ApplicationId id) {
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : &found->second;
}

const PooledJob* SlotPools::find(ApplicationId id) const {
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : &found->second;
}

void SlotPools::decide_who_may_run(const SlotJobs& jobs) {
  std::map<std::string, std::int64_t> of_users;
  std::map<std::string, std::int64_t> of_pools;
  for (const auto& [key, slot_job] : jobs.all()) {
    PooledJob* job = find(slot_job.id);
    if (job == nullptr) continue;
    const std::optional<std::int64_t> most_of_user = maximum_running_of(job->user);
    const std::optional<std::int64_t>& most_of_pool = job->pool->rules.maximum_running;
    // Nothing is counted where there is no limit.
    std::int64_t* const of_user = most_of_user ? &of_users[job->user] : nullptr;
    std::int64_t* const of_pool = most_of_pool ? &of_pools[job->pool->name] : nullptr;
    job->is_runnable = (of_user == nullptr || *of_user < *most_of_user) &&
                       (of_pool == nullptr || *of_pool < *most_of_pool);
    if (!job->is_runnable) continue;
    if (of_user != nullptr) ++*of_user;
    if (of_pool != nullptr) ++*of_pool;
  }
}

double SlotPools::weight(const SlotJob& job, std::int64_t tasks, TraceTime now) const {
  double weight = 1;
  if (settings_.weighs_by_size) weight = std::log1p(static_cast<double>(tasks)) / std::log(2.0);
  weight *= priority_factor(job.priority);
  const bool is_new = now - job.submitted < settings_.boost_time;
  return settings_.boosts_new_jobs && is_new ? weight * settings_.boost_factor : weight;
}

TraceTime SlotPools::next_change_of_age(TraceTime now) const {
  TraceTime next = never;
  if (!settings_.boosts_new_jobs) return next;
  for (const auto& [id, job] : jobs_) {
    const TraceTime old_at = job.job->submitted + settings_.boost_time;
    if (old_at > now) next = std::min(next, old_at);
  }
  return next;
}

}  // namespace tracebed
