// The rights that the launcher gives up itself before it starts anything.
#pragma once

#include "core/result.h"

namespace tracebed::launcher {

// Empties the capability bounding set (capabilities(7)), the capabilities that any executed program
// could ever have; this process keeps its own. Fails if a right is required that it does not have
// (CAP_SETPCAP).
Status drop_capability_bounds();

}  // namespace tracebed::launcher
