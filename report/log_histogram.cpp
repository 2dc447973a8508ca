#include "report/log_histogram.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "core/check.h"

namespace tracebed {
namespace {

constexpr unsigned exact_bits = 11;
constexpr std::size_t exact_count = std::size_t{1} << exact_bits;
constexpr std::size_t classes_per_octave = exact_count / 2;

std::size_t class_of(std::uint64_t magnitude) {
  if (magnitude < exact_count) return magnitude;
  const auto shift = static_cast<std::size_t>(std::bit_width(magnitude)) - exact_bits;
  return exact_count + (shift - 1) * classes_per_octave + (magnitude >> shift) - classes_per_octave;
}

}  // namespace

void LogHistogram::add(Duration value) {
  const std::int64_t microseconds = value.count();
  const bool is_negative = microseconds < 0;
  const std::uint64_t magnitude = is_negative ? 0 - static_cast<std::uint64_t>(microseconds)
                                              : static_cast<std::uint64_t>(microseconds);
  std::vector<Class>& classes = is_negative ? negative_ : positive_;
  const std::size_t index = class_of(magnitude);
  if (index >= classes.size()) classes.resize(index + 1);
  ++classes[index].count;
  classes[index].sum += microseconds;
  ++count_;
  sum_ += microseconds;
  max_ = std::max(max_, value);
}

Spread LogHistogram::spread() const {
  Spread spread;
  if (count_ == 0) return spread;
  spread.count = count_;
  spread.mean = static_cast<double>(sum_) / static_cast<double>(count_) / 1e6;
  spread.p50 = value_at(percentile_rank(count_, 50));
  spread.p95 = value_at(percentile_rank(count_, 95));
  spread.p99 = value_at(percentile_rank(count_, 99));
  spread.max = to_seconds(max_);
  return spread;
}

double LogHistogram::value_at(std::uint64_t rank) const {
  const auto mean = [](const Class& values) {
    return static_cast<double>(values.sum) / static_cast<double>(values.count) / 1e6;
  };
  for (std::size_t index = negative_.size(); index-- > 0;) {
    if (rank <= negative_[index].count) return mean(negative_[index]);
    rank -= negative_[index].count;
  }
  for (const Class& values : positive_) {
    if (rank <= values.count) return mean(values);
    rank -= values.count;
  }
  invariant_failed("rank <= count_", __FILE__, __LINE__,
                   "a histogram's counts add up to the number of its values");
}

}  // namespace tracebed
