// Preemption requests and how long queues starved, as tables for a terminal.
#pragma once

#include <string>

#include "report/comparison.h"

namespace tracebed {

// Means over a scheduler's runs, by the queues of jobs and by leaf queues; empty if no run had
// preemption requests and no queue was seen to starve.
std::string preemption_text(const WorldComparison& world);

}  // namespace tracebed
