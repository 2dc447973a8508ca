// Percentiles of a stream of non-negative integers: exact while the values are few, from then on by
// a sketch with logarithmic buckets (DDSketch: Masson, Rim and Lee, VLDB 2019), whose answer is
// within 0.5 % of a value of the asked rank, in memory that does not grow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tracebed {

class Quantiles {
 public:
  static constexpr double relative_error = 0.005;

  // Up to `exact_max` values are kept as they are.
  explicit Quantiles(std::size_t exact_max) : exact_max_(exact_max) {}

  void add(std::int64_t value);

  // The value at position percent/100 × (count − 1) of the sorted values, rounded to the nearest
  // position (halves up), as in the statistics that are published with traces; reports of runs use
  // nearest rank instead (report/percentiles.h). Zero if there is no value. Sorts what is kept, so
  // ask when all values are in.
  std::int64_t percentile(unsigned percent);

  std::uint64_t count() const { return count_; }
  std::int64_t minimum() const { return count_ == 0 ? 0 : minimum_; }
  std::int64_t maximum() const { return maximum_; }
  double sum() const { return sum_high_ * 0x1.0p62 + static_cast<double>(sum_low_); }
  double mean() const { return count_ == 0 ? 0 : sum() / static_cast<double>(count_); }
  bool is_exact() const { return buckets_.empty(); }

 private:
  void add_to_bucket(std::int64_t value);

  std::size_t exact_max_;
  std::vector<std::int64_t> values_;
  bool sorted_ = false;
  std::vector<std::uint64_t> buckets_;  // 0: zeros; k: (γ^(k−2), γ^(k−1)]
  std::uint64_t count_ = 0;
  std::int64_t minimum_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t maximum_ = 0;
  std::uint64_t sum_low_ = 0;  // below 2^62; the sum is exact until it is asked for
  double sum_high_ = 0;        // in units of 2^62
};

}  // namespace tracebed
