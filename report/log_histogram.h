// Counts of many durations in little memory: how a run of a hundred million attempts keeps the
// percentiles of its launch latency. Values below 2048 µs are counted one by one; larger ones share
// a class with values within 0.1 % of them, and a percentile that falls there is reported as the
// mean of its class: the error is below 0.1 %, and zero if all are equal. Count, mean and maximum
// are exact.
#pragma once

#include <cstdint>
#include <vector>

#include "core/time.h"
#include "report/percentiles.h"

namespace tracebed {

class LogHistogram {
 public:
  // Negative durations are allowed: a task may end sooner than its nominal time.
  void add(Duration value);

  std::uint64_t count() const { return count_; }
  // In seconds.
  Spread spread() const;

 private:
  struct Class {
    std::uint64_t count = 0;
    std::int64_t sum = 0;  // µs
  };
  // The value at a position, from 1, in ascending order; in seconds.
  double value_at(std::uint64_t rank) const;

  std::vector<Class> negative_;  // by class of the magnitude
  std::vector<Class> positive_;
  std::uint64_t count_ = 0;
  __extension__ __int128 sum_ = 0;
  Duration max_ = Duration::min();
};

}  // namespace tracebed
