// Dominant shares: the largest of the parts that somebody uses of each resource (A. Ghodsi et al.,
// Dominant Resource Fairness, NSDI 2011, section 4), divided by a weight. Compared exactly.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "core/resources.h"

namespace tracebed {

__extension__ using WideAmount = __int128;

// In thousandths, positive.
inline constexpr std::int64_t weight_of_one = 1'000;
inline constexpr std::int64_t weight_max = std::int64_t{1} << 20;

class DominantShare {
 public:
  DominantShare() = default;
  // Resources of which there are none do not count. Weights are at most weight_max.
  DominantShare(const Resources& used, const Resources& total, std::int64_t weight);

  std::size_t dimension() const { return dimension_; }  // the dominant one; of equal ones the first
  double value() const;

  std::strong_ordering operator<=>(const DominantShare& other) const {
    return used_ * other.total_ <=> other.used_ * total_;
  }
  bool operator==(const DominantShare& other) const { return (*this <=> other) == 0; }

 private:
  // used / total. With amounts of up to 2^45 and weights of up to weight_max, products of both fit.
  WideAmount used_ = 0;
  WideAmount total_ = 1;
  std::size_t dimension_ = 0;
};

}  // namespace tracebed
