#include "traces/parts/quantiles.h"

#include <algorithm>
#include <bit>

#include "core/check.h"

namespace tracebed {
namespace {

__extension__ using Wide = unsigned __int128;

// Every power of two has so many buckets, and smaller values one each. The middle of a bucket is
// at most half its width from its values, which is 1/256 of the smallest: 0.4 %.
constexpr unsigned bits = 7;
constexpr std::size_t per_power = std::size_t{1} << bits;
static_assert(1.0 / (2 * per_power) < Quantiles::relative_error);
// Values have 63 bits.
constexpr std::size_t buckets_all = per_power * (63 - bits + 1);

// By how many bits the bucket of such values drops them.
unsigned shift_of(std::uint64_t value) {
  const auto width = static_cast<unsigned>(std::bit_width(value));
  return width > bits + 1 ? width - (bits + 1) : 0;
}

std::size_t bucket_of(std::int64_t value) {
  const auto bare = static_cast<std::uint64_t>(value);
  const unsigned shift = shift_of(bare);
  return per_power * shift + static_cast<std::size_t>(bare >> shift);
}

std::int64_t middle_of(std::size_t bucket) {
  if (bucket < 2 * per_power) return static_cast<std::int64_t>(bucket);
  const std::size_t shift = bucket / per_power - 1;
  const std::uint64_t low = static_cast<std::uint64_t>(bucket - per_power * shift) << shift;
  return static_cast<std::int64_t>(low + (std::uint64_t{1} << shift) / 2);
}

}  // namespace

void Quantiles::add(std::int64_t value, std::uint64_t times) {
  TRACEBED_CHECK(value >= 0, "percentiles are taken of values that are not negative");
  if (times == 0) return;
  count_ += times;
  minimum_ = std::min(minimum_, value);
  maximum_ = std::max(maximum_, value);
  const Wide product = static_cast<Wide>(value) * times + sum_low_;
  sum_low_ = static_cast<std::uint64_t>(product);
  sum_high_ += static_cast<std::uint64_t>(product >> 64);
  if (!is_exact()) {
    buckets_[bucket_of(value)] += times;
    return;
  }
  exact_.add(static_cast<std::uint64_t>(value), times);
  sorted_.clear();
  if (exact_.size() > exact_max_) go_over_to_sketch();
}

void Quantiles::go_over_to_sketch() {
  buckets_.resize(buckets_all);
  exact_.for_each([this](std::uint64_t value, std::uint64_t times) {
    buckets_[bucket_of(static_cast<std::int64_t>(value))] += times;
  });
  exact_.clear();
}

double Quantiles::sum() const {
  return static_cast<double>(sum_high_) * 0x1.0p64 + static_cast<double>(sum_low_);
}

std::int64_t Quantiles::percentile(unsigned percent) {
  if (count_ == 0) return 0;
  const Wide hundredths = static_cast<Wide>(percent) * (count_ - 1) + 50;
  const auto rank = static_cast<std::uint64_t>(hundredths / 100);
  return is_exact() ? exact_at(rank) : sketched_at(rank);
}

std::int64_t Quantiles::exact_at(std::uint64_t rank) {
  if (sorted_.empty()) {
    sorted_.reserve(exact_.size());
    exact_.for_each([this](std::uint64_t value, std::uint64_t times) {
      sorted_.push_back({static_cast<std::int64_t>(value), times});
    });
    std::sort(sorted_.begin(), sorted_.end(),
              [](const Entry& a, const Entry& b) { return a.value < b.value; });
  }
  std::size_t entry = 0;
  for (std::uint64_t below = 0; below + sorted_[entry].times <= rank; ++entry) {
    below += sorted_[entry].times;
  }
  return sorted_[entry].value;
}

std::int64_t Quantiles::sketched_at(std::uint64_t rank) const {
  if (rank == 0) return minimum_;
  if (rank == count_ - 1) return maximum_;
  std::size_t bucket = 0;
  for (std::uint64_t below = 0; below + buckets_[bucket] <= rank; ++bucket) {
    below += buckets_[bucket];
  }
  return std::clamp(middle_of(bucket), minimum_, maximum_);
}

}  // namespace tracebed
