// A comparison as JSON, for programs: everything the terminal tables show, unrounded.
#pragma once

#include <string>

#include "report/comparison.h"

namespace tracebed {

// Ends with a newline.
std::string to_json(const Comparison& comparison);

}  // namespace tracebed
