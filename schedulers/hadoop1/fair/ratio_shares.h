// The arithmetic of the Fair Scheduler of Hadoop 1.x (mapred.SchedulingAlgorithms of
// release 1.2.1): shares by bisection, and which is offered a slot next. The same for pools and for
// a pool's jobs.
#pragma once

#include <compare>
#include <cstdint>
#include <span>

namespace tracebed {

// Of one pool or job and one kind.
struct RatioFigures {
  std::int64_t running = 0;
  std::int64_t demand = 0;  // tasks that run or could; of a pool, at most its maximum
  std::int64_t minimum = 0;
  double weight = 1;
  double share = 0;  // slots
};

// Each gets min(demand, max(minimum, weight × r)), where r is such that they add up to the slots,
// or to the demand if that is less: doubled from 1 until they do, then bisected 25 times; the upper
// end is used. So demand caps the share and the minimum.
void divide_by_ratio(std::span<RatioFigures* const> entries, double slots);

// The smaller is offered a slot before the other; of equal ones the rest of the order decides.
struct RatioRank {
  bool is_satisfied = false;
  double part = 0;
  auto operator<=>(const RatioRank&) const = default;
};

// Those that run less than min(minimum, demand) come first, by the part of it that they run,
// ascending; else by running / weight.
RatioRank rank_by_ratio(const RatioFigures& entry);

// What a pool has lacked beyond a timeout: the larger of min(minimum, demand) − running and
// int(min(share, demand)) − running, not their sum; each only if its timeout has passed.
std::int64_t tasks_to_preempt(const RatioFigures& pool, bool is_minimum_overdue,
                              bool is_share_overdue);

// Whether it runs less than min(minimum, demand), and less than floor(min(share / 2, demand)).
bool lacks_minimum(const RatioFigures& pool);
bool lacks_half_share(const RatioFigures& pool);

}  // namespace tracebed
