// The one definition of mean and percentile that every figure of a report uses.
//
// The p-th percentile of n values is the ⌈p/100 × n⌉-th smallest of them (nearest rank): always a
// value that was really measured, and the same on every machine. So p50 of four values is the
// second smallest, and p99 of fewer than a hundred is the largest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/check.h"

namespace tracebed {

// Summary of a set of measured values; all zero if there are none. Durations are in seconds.
struct Spread {
  std::uint64_t count = 0;
  double mean = 0;
  double p50 = 0;
  double p95 = 0;
  double p99 = 0;
  double max = 0;

  bool operator==(const Spread&) const = default;
};

// The position, from 1, of a percentile among `count` sorted values; `count` is positive.
constexpr std::uint64_t percentile_rank(std::uint64_t count, unsigned percent) {
  return std::max<std::uint64_t>(1, (count * percent + 99) / 100);
}

template <class T>
T percentile_of_sorted(std::span<const T> sorted, unsigned percent) {
  TRACEBED_CHECK(!sorted.empty(), "a percentile is asked only of values");
  return sorted[percentile_rank(sorted.size(), percent) - 1];
}

// Reorders `values`, which must not be empty.
template <class T>
T percentile_by_selection(std::span<T> values, unsigned percent) {
  TRACEBED_CHECK(!values.empty(), "a percentile is asked only of values");
  const auto rank = static_cast<std::ptrdiff_t>(percentile_rank(values.size(), percent) - 1);
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

// Reorders `values`.
inline Spread spread_of(std::span<double> values) {
  Spread spread;
  if (values.empty()) return spread;
  spread.count = values.size();
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (double value : values) sum += value;
  spread.mean = sum / static_cast<double>(values.size());
  const std::span<const double> sorted = values;
  spread.p50 = percentile_of_sorted(sorted, 50);
  spread.p95 = percentile_of_sorted(sorted, 95);
  spread.p99 = percentile_of_sorted(sorted, 99);
  spread.max = sorted.back();
  return spread;
}

}  // namespace tracebed
