// Points as k-means reads them: coordinates that are integers, so that all distances and sums are
// exact, in 32 bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/bytes.h"

namespace tracebed::kernels {

inline constexpr std::size_t dimensions = 16;
// Of either sign. A squared distance then is below 2^32.
inline constexpr std::int16_t coordinate_max = 8'000;

using Point = std::array<std::int16_t, dimensions>;
inline constexpr std::size_t point_bytes = sizeof(Point);
static_assert(point_bytes == 32);

// `bytes` has point_bytes bytes (the caller's check).
inline Point load_point(Bytes bytes) {
  return load<Point>(bytes.data());
}

inline bool is_in_range(const Point& point) {
  return std::all_of(point.begin(), point.end(), [](std::int16_t coordinate) {
    return coordinate >= -coordinate_max && coordinate <= coordinate_max;
  });
}

// For points in range. In this form the compiler makes it multiply eight coordinates at a time:
// each half's sum, of 8 × 16,000², is below 2^31.
inline std::uint32_t squared_distance(const Point& left, const Point& right) {
  constexpr std::size_t half = dimensions / 2;
  std::array<std::int32_t, 2> sums{};
  for (std::size_t i = 0; i < half; ++i) {
    const auto first = static_cast<std::int16_t>(left[i] - right[i]);
    const auto second = static_cast<std::int16_t>(left[half + i] - right[half + i]);
    sums[0] += first * first;
    sums[1] += second * second;
  }
  return static_cast<std::uint32_t>(sums[0]) + static_cast<std::uint32_t>(sums[1]);
}

}  // namespace tracebed::kernels
