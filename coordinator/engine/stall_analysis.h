// Explains a run that is given up: who holds what, who waits for whom, and which kind of stall it
// is. Made of the cluster model and of the scheduler's own reasons; it changes nothing.
#pragma once

#include "core/stall.h"

namespace tracebed {

class Engine;

// Between rounds, before the run's jobs are killed. Of open jobs the first 1,000 are looked at.
// Takes time in proportion to them times the nodes.
Stall explain_stall(const Engine& engine);

}  // namespace tracebed
