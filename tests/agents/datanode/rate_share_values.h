// What tests of RateShare use: round figures, and grants as values.
#pragma once

#include <vector>

#include "agents/datanode/rate_share.h"

namespace tracebed::test {

using Moment = RateShare::Moment;

constexpr std::uint64_t kilobyte = 1'000;
constexpr std::uint64_t megabyte = 1'000 * kilobyte;
constexpr Moment begin{std::chrono::hours(1)};

inline RateLimits limit(std::uint64_t bytes_per_second, std::chrono::nanoseconds burst = {}) {
  RateLimits limits;
  limits.bytes_per_second = bytes_per_second;
  limits.burst = burst;
  return limits;
}

inline std::vector<StreamId> due(RateShare& share, Moment now) {
  std::vector<StreamId> granted;
  share.grant_due(now, granted);
  return granted;
}

}  // namespace tracebed::test
