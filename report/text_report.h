// All figures of a comparison, for a terminal of 100 columns; report/summary_text.h has the short
// form.
#pragma once

#include <string>

#include "report/comparison.h"

namespace tracebed {

std::string to_text(const Comparison& comparison);

// A sentence in lines of a terminal's width, the later ones indented.
std::string wrapped(const std::string& sentence);

}  // namespace tracebed
