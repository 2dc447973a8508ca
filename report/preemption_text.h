// What was asked back and how long queues starved, as tables for a terminal.
#pragma once

#include <string>

#include "report/comparison.h"

namespace tracebed {

// Means over a scheduler's runs, by the queues of jobs and by leaf queues; empty where no run asked
// for anything back and no queue starved for as long as could be seen.
std::string preemption_text(const WorldComparison& world);

}  // namespace tracebed
