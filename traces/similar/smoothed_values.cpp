#include "traces/similar/smoothed_values.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace tracebed {
namespace {

constexpr double largest_move = 0.1;

}  // namespace

void SmoothedValues::sort() {
  std::sort(values_.begin(), values_.end());
  for (const std::int64_t grain : {1'000'000, 1'000}) {
    const auto is_whole = [grain](std::int64_t value) { return value % grain == 0; };
    if (!std::all_of(values_.begin(), values_.end(), is_whole)) continue;
    grain_ = grain;
    return;
  }
}

std::int64_t SmoothedValues::near(std::int64_t value, double tie, double shift) const {
  const auto [first, last] = std::equal_range(values_.begin(), values_.end(), value);
  TRACEBED_CHECK(first != last, "only values of the sample are smoothed");
  const auto at = first + static_cast<std::ptrdiff_t>(tie * static_cast<double>(last - first));
  if (value == 0 || (shift < 0 ? at == values_.begin() : at + 1 == values_.end())) return value;
  const std::int64_t neighbour = shift < 0 ? *(at - 1) : *(at + 1);
  if (neighbour == 0 || neighbour == value) return value;
  const auto from = static_cast<double>(value);
  const double ratio = std::pow(static_cast<double>(neighbour) / from, std::abs(shift));
  const double between = from * std::clamp(ratio, 1 - largest_move, 1 + largest_move);
  const auto grains = static_cast<std::int64_t>(std::round(between / static_cast<double>(grain_)));
  // Rounding of large values must not lead out of the two.
  return std::clamp(grains * grain_, std::min(value, neighbour), std::max(value, neighbour));
}

}  // namespace tracebed
