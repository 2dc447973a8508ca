// What a file of queues may hold at most, so that reading one takes a bounded time and memory,
// whoever submitted it. The largest clusters that are known have some thousands of queues.
#pragma once

#include <cstddef>

namespace tracebed {

inline constexpr std::size_t queues_max = 20'000;
inline constexpr std::size_t queue_levels_max = 100;
// Of users, in all queues together: children inherit those of their parents.
inline constexpr std::size_t user_weights_max = 1'000'000;
// The number of queues times that of node labels.
inline constexpr std::size_t queues_by_labels_max = 1'000'000;
// Of all values that have variables, once these are replaced: four times the largest file.
inline constexpr std::size_t replaced_bytes_max = std::size_t{4} << 20;

}  // namespace tracebed
