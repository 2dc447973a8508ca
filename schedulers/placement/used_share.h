// How much of a node is used, as one number to rank nodes by.
#pragma once

#include <cstdint>

#include "core/resources.h"

namespace tracebed {

// In units of 2^-60 of the capacity; dimensions of which the node has nothing do not count.
inline constexpr int used_share_bits = 60;

// Of one dimension, rounded down.
std::uint64_t used_share(std::int64_t used, std::int64_t capacity);

// The largest of the dimensions' used shares, each rounded down. Two different fractions with
// denominators up to 2^30 differ by at least one unit, so ranking by it is exact for them.
std::uint64_t dominant_used_share(const Resources& used, const Resources& capacity);

// The sum of the dimensions' used shares, each rounded down. At most 2^63, as there are eight.
std::uint64_t sum_of_used_shares(const Resources& used, const Resources& capacity);

}  // namespace tracebed
