#include "traces/weighted_choice.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/random.h"

namespace tracebed {

WeightedChoice WeightedChoice::zipf(std::int64_t count, double exponent) {
  WeightedChoice choice;
  for (std::int64_t k = 1; k <= count; ++k) choice.add(std::pow(static_cast<double>(k), -exponent));
  return choice;
}

void WeightedChoice::add(double weight) {
  TRACEBED_CHECK(weight >= 0, "weights are not negative");
  cumulative_.push_back(cumulative_.empty() ? weight : cumulative_.back() + weight);
}

std::size_t WeightedChoice::at(double unit) const {
  TRACEBED_CHECK(!cumulative_.empty() && cumulative_.back() > 0, "there is something to draw");
  TRACEBED_CHECK(unit >= 0 && unit < 1, "a share of the whole is below it");
  // unit × sum, rounded, is still below the sum.
  const auto found =
      std::upper_bound(cumulative_.begin(), cumulative_.end(), unit * cumulative_.back());
  return static_cast<std::size_t>(found - cumulative_.begin());
}

double unit_draw(std::uint64_t seed, std::uint64_t position) {
  return static_cast<double>(mix(mix(seed) + position) >> 11) * 0x1.0p-53;
}

}  // namespace tracebed
