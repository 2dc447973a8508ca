// The arithmetic of the Fair Scheduler of Hadoop 0.20 (mapred.FairScheduler of release 0.20.2): of
// each job and kind a weight, a minimum, a share of the slots, and the deficit.
#pragma once

#include <compare>
#include <cstdint>
#include <span>

#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

// The results of the last update, for one job and one kind; running and needed tasks are adjusted
// for what is assigned until the next.
struct DeficitFigures {
  bool is_runnable = false;  // within the limits of running jobs
  std::int64_t running = 0;
  std::int64_t needed = 0;
  double weight = 0;
  std::int64_t minimum = 0;
  double share = 0;
  std::int64_t deficit = 0;  // slot-milliseconds

  std::int64_t runnable_tasks() const { return needed + running; }
};

// deficit += (share − running) × elapsed, with the figures from before an update, truncated to
// whole slot-milliseconds each time.
void add_deficit(DeficitFigures& job, Duration elapsed);

// `jobs` are those of one pool; their weights are raw before the call, and after it those of
// runnable jobs with tasks add up to the pool's. Others get one, too, but no share.
void normalise_weights(std::span<DeficitFigures* const> jobs, double weight_of_pool);

// Divides the pool's minimum: in rounds of floor(left × weight / weights) to each that has more
// tasks than its minimum so far, and once that gives nothing, ceil() of the same to the heaviest
// first, of equal ones to those with the larger deficit. `jobs` are in the order of submission,
// which breaks further ties.
void divide_minimum(std::span<DeficitFigures* const> jobs, std::int64_t slots);

// Divides all slots by weight; a job whose minimum exceeds its part gets the minimum and is left
// out, and the rest is divided again. `jobs` are those of all pools.
void divide_slots(std::span<DeficitFigures* const> jobs, std::int64_t slots);

// The smaller is offered a slot before the other; equal ones go by submission.
struct DeficitRank {
  bool is_satisfied = false;  // it runs its minimum
  std::int64_t debt = 0;      // the deficit, negated
  auto operator<=>(const DeficitRank&) const = default;
};

// Those that run less than their minimum come first, then by the larger deficit.
DeficitRank rank_by_deficit(const DeficitFigures& job, std::int64_t running);

}  // namespace tracebed
