// How loaded a node is: by what its last heartbeat measured, and by what was allocated since, which
// that figure does not have yet and which counts in full.
#pragma once

#include <cstdint>

#include "core/cluster_model.h"

namespace tracebed {

inline constexpr std::int64_t unloaded_whole = 1'000'000;

// In millionths, rounded down: what is left of the node's vcores or of its memory, of whichever it
// is less. `free` is Node::free, less what a scheduler proposes. A resource of which the node has
// nothing does not count. Containers may use more than they were allocated, so it is never below 0.
std::int64_t unloaded_part(const Node& node, const Resources& free);

}  // namespace tracebed
