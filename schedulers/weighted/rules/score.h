// Scores of nodes: from 0 to 10 points, as Kubernetes' priorities gave (MaxPriority). Kubernetes
// rounds each to a whole number; here nothing is rounded, so that a weighted sum, too, tells apart
// what a single priority does. A point is a multiple of 2^60 and of what the numbers 1 to 8 of
// dimensions have in common, so that means of used shares (used_share.h) are exact.
#pragma once

#include <cstdint>

#include "schedulers/placement/used_share.h"

namespace tracebed {

__extension__ using Score = __int128;

inline constexpr Score score_point = Score{84} << used_share_bits;
inline constexpr Score score_max = 10 * score_point;

// Weights are at most this, so that sums of weighted scores, of as many priorities as there are
// names for, do not overflow.
inline constexpr std::int64_t score_weight_max = 1'000'000;

// 10 points for none of `whole`, 0 for all of it. The sum of shares that is used of `dimensions`
// (1 to 8) whole ones.
constexpr Score score_of_unused(std::uint64_t used, std::size_t dimensions) {
  const auto whole = Score{static_cast<std::int64_t>(dimensions)} << used_share_bits;
  return (whole - Score{used}) * (840 / static_cast<std::int64_t>(dimensions));
}

constexpr Score score_of_part(std::uint64_t part, std::uint64_t whole) {
  return score_max * static_cast<Score>(part) / static_cast<Score>(whole);
}

constexpr double in_points(Score score) {
  return static_cast<double>(score) / static_cast<double>(score_point);
}

}  // namespace tracebed
