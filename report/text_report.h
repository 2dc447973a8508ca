// A comparison for a terminal of 100 columns.
#pragma once

#include <string>

#include "report/comparison.h"

namespace tracebed {

std::string to_text(const Comparison& comparison);

}  // namespace tracebed
