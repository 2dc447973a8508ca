// The pools and jobs of Hadoop 1's Fair Scheduler, as of the last update.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schedulers/hadoop1/fair/deficit_shares.h"
#include "schedulers/hadoop1/fair/pool_allocations.h"
#include "schedulers/hadoop1/fair/ratio_shares.h"
#include "schedulers/hadoop1/fair/slot_fair_settings.h"
#include "schedulers/hadoop1/map_delay.h"
#include "schedulers/hadoop1/waiting_by_demand.h"

namespace tracebed {

struct SlotPool;

// The place of a job among those of its pool that may be given tasks.
struct RatioPlace {
  RatioRank rank;
  SlotJobKey key;
  auto operator<=>(const RatioPlace&) const = default;
};

struct PooledJob {
  SlotJob* job = nullptr;  // its address is stable until it is removed
  SlotPool* pool = nullptr;
  std::string user;                           // its name
  bool is_runnable = false;                   // within the limits of running jobs
  PerKind<DeficitFigures> deficits;           // generation 0.20
  PerKind<RatioFigures> ratios;               // generation 1.x, also the following members
  PerKind<std::optional<RatioPlace>> places;  // among those of its pool that may be given tasks
  bool has_changed = false;  // what it runs or demands, since its places were found
  MapDelay delay;
};

struct SlotPool {
  std::string name;
  PoolRules rules;  // defaults filled in
  bool is_fifo = false;
  std::vector<PooledJob*> jobs;  // by priority and submission
  PerKind<RatioFigures> ratios;
  // Generation 1.x: jobs that may run and have tasks to give, and the pool's place among those that
  // have such jobs.
  PerKind<WaitingByDemand<ApplicationId, RatioPlace>> waiting;
  PerKind<std::optional<RatioRank>> place;
  // When it last had its minimum, and half of its share.
  PerKind<TraceTime> had_minimum;
  PerKind<TraceTime> had_half_share;
  // Tasks that it should have been given by preemption, where that is only logged.
  PerKind<std::int64_t> should_have_preempted;

  bool may_run_more(SlotKind kind) const {
    return !rules.maximum[kind] || ratios[kind].running < *rules.maximum[kind];
  }
};

class SlotPools {
 public:
  SlotPools(const SlotFairSettings& settings, PoolAllocations allocations)
      : settings_(settings), allocations_(std::move(allocations)) {}

  const PoolAllocations& allocations() const { return allocations_; }
  // Replaces the rules of all pools.
  void take_rules(PoolAllocations allocations);

  PooledJob& add(SlotJob& job, const std::string& user, const std::string& pool, TraceTime now);
  // How many jobs of the user may run at a time; none: any number.
  std::optional<std::int64_t> maximum_running_of(const std::string& user) const;
  void remove(ApplicationId id);
  PooledJob* find(ApplicationId id);
  const PooledJob* find(ApplicationId id) const;
  std::map<std::string, SlotPool, std::less<>>& all() { return pools_; }
  const std::map<std::string, SlotPool, std::less<>>& all() const { return pools_; }
  std::map<ApplicationId, PooledJob>& jobs() { return jobs_; }
  const std::map<ApplicationId, PooledJob>& jobs() const { return jobs_; }

  // In the order of priority and submission, up to the running limits of users and pools.
  void decide_who_may_run(const SlotJobs& jobs);
  // The raw weight of a job that may run: the priority's (4, 2, 1, 1/2, 1/4), × log2(1 + tasks) and
  // × the boost of new jobs, as configured.
  double weight(const SlotJob& job, std::int64_t tasks, TraceTime now) const;
  // When the next job stops being new; `never` if none does.
  TraceTime next_change_of_age(TraceTime now) const;

 private:
  void fill_in_rules(SlotPool& pool) const;

  const SlotFairSettings& settings_;
  PoolAllocations allocations_;
  std::map<std::string, SlotPool, std::less<>> pools_;
  std::map<ApplicationId, PooledJob> jobs_;
};

}  // namespace tracebed
