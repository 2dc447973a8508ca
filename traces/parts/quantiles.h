// Percentiles of a stream of non-negative integers in memory that does not grow with the stream:
// exact while the different values are few, from then on by a sketch whose answer is within 0.5 %
// of a value of the asked rank. The sketch is DDSketch (Masson, Rim and Lee, VLDB 2019) with
// buckets that are linear between powers of two, so that everything is integer arithmetic and the
// answer is the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "traces/parts/flat_counts.h"

namespace tracebed {

class Quantiles {
 public:
  static constexpr double relative_error = 0.005;

  // Up to `exact_max` different values are kept as they are, with how often each came.
  explicit Quantiles(std::size_t exact_max) : exact_max_(exact_max) {}

  void add(std::int64_t value) { add(value, 1); }
  // Adds the value `times` times, which may be 0.
  void add(std::int64_t value, std::uint64_t times);

  // The value at position percent/100 × (count − 1) of the sorted values, rounded to the nearest
  // position (halves up), as in the statistics that are published with traces; reports of runs use
  // nearest rank instead (report/percentiles.h). Zero if there is no value. Sorts the values if
  // they have changed, so it should be called after the last add().
  std::int64_t percentile(unsigned percent);

  std::uint64_t count() const { return count_; }
  std::int64_t minimum() const { return count_ == 0 ? 0 : minimum_; }
  std::int64_t maximum() const { return maximum_; }
  double sum() const;
  double mean() const { return count_ == 0 ? 0 : sum() / static_cast<double>(count_); }
  bool is_exact() const { return buckets_.empty(); }

 private:
  struct Entry {
    std::int64_t value = 0;
    std::uint64_t times = 0;
  };

  void go_over_to_sketch();
  std::int64_t exact_at(std::uint64_t rank);
  std::int64_t sketched_at(std::uint64_t rank) const;

  std::size_t exact_max_;
  FlatCounts exact_;
  std::vector<Entry> sorted_;           // exact_ by value; empty where that has changed
  std::vector<std::uint64_t> buckets_;  // times, by bucket; empty: the values are in exact_
  std::uint64_t count_ = 0;
  std::int64_t minimum_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t maximum_ = 0;
  // The sum, which is exact until it is asked for: 2^63 values of 63 bits have 126.
  std::uint64_t sum_low_ = 0;
  std::uint64_t sum_high_ = 0;  // in units of 2^64
};

}  // namespace tracebed
