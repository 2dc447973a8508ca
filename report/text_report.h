// A comparison for a terminal of 100 columns.
#pragma once

#include <string>

#include "report/comparison.h"

namespace tracebed {

std::string to_text(const Comparison& comparison);

// "better by 20.5 % (95 % CI 12.1..28.3)", "too small to tell (0.0 %, 95 % CI 0.0..0.1)",
// "inside the noise (-1.2 %, 95 % CI -4.0..+2.2)", "-3.1 % (too few repetitions to tell from
// noise)". Figures that start from zero have no per cent and show their difference and unit.
std::string verdict_text(const ComparedFigure& figure, const FigureDifference& difference);

}  // namespace tracebed
