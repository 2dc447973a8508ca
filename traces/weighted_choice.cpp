#include "traces/weighted_choice.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/random.h"

namespace tracebed {

WeightedChoice WeightedChoice::zipf(std::int64_t count, double exponent) {
  WeightedChoice choice;
  for (std::int64_t k = 1; k <= count; ++k) choice.add(std::pow(static_cast<double>(k), -exponent));
  choice.make_guide();
  return choice;
}

void WeightedChoice::add(double weight) {
  TRACEBED_CHECK(weight >= 0, "weights are not negative");
  guide_.clear();
  cumulative_.push_back(cumulative_.empty() ? weight : cumulative_.back() + weight);
}

std::size_t WeightedChoice::at(double unit) const {
  TRACEBED_CHECK(!cumulative_.empty() && cumulative_.back() > 0, "there is something to draw");
  TRACEBED_CHECK(unit >= 0 && unit < 1, "a share of the whole is below it");
  if (guide_.empty()) return first_above(unit * cumulative_.back());
  // Rounding keeps order, so whoever falls into a span lies at or behind who begins it.
  const double above = unit * cumulative_.back();
  std::size_t index = guide_[static_cast<std::size_t>(unit * guide_spans)];
  while (cumulative_[index] <= above) ++index;
  return index;
}

std::size_t WeightedChoice::first_above(double amount) const {
  // unit × sum, rounded, is still below the sum.
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), amount);
  return static_cast<std::size_t>(found - cumulative_.begin());
}

void WeightedChoice::make_guide() {
  if (cumulative_.empty() || cumulative_.size() > guide_spans) return;  // of more, none helps
  guide_.resize(guide_spans);
  for (std::size_t span = 0; span < guide_spans; ++span) {
    const double unit = static_cast<double>(span) / guide_spans;
    guide_[span] = static_cast<std::uint32_t>(first_above(unit * cumulative_.back()));
  }
}

double unit_draw(std::uint64_t seed, std::uint64_t position) {
  return static_cast<double>(mix(mix(seed) + position) >> 11) * 0x1.0p-53;
}

}  // namespace tracebed
