#include "traces/parts/quantiles.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace tracebed {
namespace {

constexpr double gamma = (1 + Quantiles::relative_error) / (1 - Quantiles::relative_error);
constexpr std::uint64_t carry = std::uint64_t{1} << 62;

std::size_t bucket_of(std::int64_t value) {
  if (value == 0) return 0;
  static const double log_gamma = std::log(gamma);
  return 1 + static_cast<std::size_t>(std::ceil(std::log(static_cast<double>(value)) / log_gamma));
}

// The value whose relative distance to both ends of the bucket is the same.
double middle_of(std::size_t bucket) {
  return bucket == 0 ? 0 : 2 * std::pow(gamma, static_cast<double>(bucket) - 1) / (gamma + 1);
}

}  // namespace

void Quantiles::add(std::int64_t value) {
  TRACEBED_CHECK(value >= 0, "percentiles are taken of values that are not negative");
  ++count_;
  minimum_ = std::min(minimum_, value);
  maximum_ = std::max(maximum_, value);
  sum_low_ += static_cast<std::uint64_t>(value) % carry;
  const std::uint64_t carried = static_cast<std::uint64_t>(value) / carry;
  sum_high_ += static_cast<double>(carried);
  if (sum_low_ >= carry) {
    sum_low_ -= carry;
    sum_high_ += 1;
  }
  if (!is_exact()) return add_to_bucket(value);
  values_.push_back(value);
  sorted_ = false;
  if (values_.size() > exact_max_) {
    for (const std::int64_t kept : values_) add_to_bucket(kept);
    values_ = {};
  }
}

void Quantiles::add_to_bucket(std::int64_t value) {
  const std::size_t bucket = bucket_of(value);
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
  ++buckets_[bucket];
}

std::int64_t Quantiles::percentile(unsigned percent) {
  if (count_ == 0) return 0;
  const std::uint64_t rank = (percent * (count_ - 1) + 50) / 100;
  if (is_exact()) {
    if (!sorted_) std::sort(values_.begin(), values_.end());
    sorted_ = true;
    return values_[rank];
  }
  if (rank == 0) return minimum_;
  if (rank == count_ - 1) return maximum_;
  std::uint64_t below = 0;
  std::size_t bucket = 0;
  while (below + buckets_[bucket] <= rank) below += buckets_[bucket++];
  const double middle = middle_of(bucket);
  if (middle >= static_cast<double>(maximum_)) return maximum_;  // also where it overflows
  return std::max(minimum_, static_cast<std::int64_t>(std::llround(middle)));
}

}  // namespace tracebed
