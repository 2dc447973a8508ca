// YARN's two resource calculators, which decide what "more", "fits" and "rounded" mean, and with it
// the outcome of most limits (org.apache.hadoop.yarn.util.resource).
//
// `memory` (DefaultResourceCalculator) considers memory only; amounts that it returns are zero in
// the other dimensions. `dominant` (DominantResourceCalculator) considers all: the largest share of
// the cluster decides a comparison, then the next largest.
//
// Deviations, each on purpose:
// - [available-vcores] Where more vcores are given than there are, none are shown as available;
//   YARN shows less than none (webapp.dao.NodeInfo, QueueMetrics).
//
// YARN counts vcores in whole ones, Tracebed in thousandths. Wherever a fraction is truncated or
// rounded here, it is that of a whole vcore, so results are YARN's. Fractions of a vcore in
// arguments count exactly.
#pragma once

#include <compare>
#include <cstdint>

#include "core/limited_dimensions.h"
#include "core/resources.h"

namespace tracebed {

// What YARN counts as one in a dimension.
constexpr std::int64_t yarn_unit(std::size_t dimension) {
  return dimension == Resources::vcores_dimension ? 1000 : 1;
}

class ResourceCalculator {
 public:
  enum class Kind : std::uint8_t { memory, dominant };

  constexpr explicit ResourceCalculator(Kind kind) : kind_(kind) {}
  constexpr Kind kind() const { return kind_; }
  // Of a node, by which FifoScheduler and CapacityScheduler decide whether a container has room
  // there (computeAvailableContainers, fitsIn). `memory`: all but vcores. YARN does not start with
  // it if there are further resources (CapacityScheduler.initResourceCalculator); here these limit.
  constexpr LimitedDimensions limited_dimensions() const {
    return kind_ == Kind::memory ? LimitedDimensions::all_but_vcores() : LimitedDimensions::all();
  }

  // Dimensions that are zero in the cluster do not count. On a cluster without any resources
  // `dominant` finds a greater than b if it is so in some dimension, and less in none.
  std::strong_ordering compare(const Resources& a, const Resources& b,
                               const Resources& cluster) const;
  bool fits(const Resources& smaller, const Resources& larger) const;

  // The largest of a's parts of b, in 32-bit float as in YARN; a part of nothing is infinite, and
  // nothing of nothing does not count.
  float ratio(const Resources& a, const Resources& b) const;
  // a's dominant share of the cluster over b's; `memory`: ratio(a, b).
  float divide(const Resources& a, const Resources& b, const Resources& cluster) const;

  // Raised to the next multiple of `step`, or cut to the one before. A step of zero: `memory` gives
  // zero, `dominant` leaves the amount as it is.
  Resources round_up(const Resources& amount, const Resources& step) const;
  Resources round_down(const Resources& amount, const Resources& step) const;
  // At least `minimum`, raised to a multiple of `step`, at most `maximum`. A step of zero: `memory`
  // takes the minimum as the step.
  Resources normalize(const Resources& amount, const Resources& minimum, const Resources& maximum,
                      const Resources& step) const;

  // "Multiply and normalise up" is not a ceiling with `memory`: it rounds to the nearest, then up
  // to the step. `dominant` takes the ceiling of the product as a 32-bit float, so that 40 × 0.1f
  // stays 4.
  Resources multiply_and_normalize_up(const Resources& amount, double factor,
                                      const Resources& step) const;
  Resources multiply_and_normalize_down(const Resources& amount, double factor,
                                        const Resources& step) const;
  // Each counted dimension divided and rounded up; by zero gives zero.
  Resources divide_and_ceil(const Resources& amount, std::int64_t divisor) const;
  Resources divide_and_ceil(const Resources& amount, float divisor) const;

 private:
  template <class Operation>
  Resources each(const Resources& amount, const Resources& step, Operation&& operation) const;

  Kind kind_;
};

// Every dimension multiplied and cut to whole units (Resources.multiply).
Resources multiply_and_cut(const Resources& amount, double factor);

}  // namespace tracebed
