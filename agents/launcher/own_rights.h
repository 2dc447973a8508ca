// What the launcher gives up itself before it starts anything.
#pragma once

#include "core/result.h"

namespace tracebed::launcher {

// Empties the set of capabilities that a program which is executed could ever have
// (capabilities(7): bounding set); what this process has, it keeps. Fails where that takes a right
// that it does not have (CAP_SETPCAP).
Status drop_capability_bounds();

}  // namespace tracebed::launcher
