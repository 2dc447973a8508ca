// A step of a scenario in words: "heartbeat of n1, 3 times".
#pragma once

#include <string>

#include "coordinator/scenario/scenario.h"

namespace tracebed {

std::string title_of(const ScenarioStep& step);

}  // namespace tracebed
