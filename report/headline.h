// What a reader who stops after one sentence should know: the first line of report.html and of what
// the terminal shows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/comparison.h"

namespace tracebed {

// Indices in WorldComparison::candidates, from the best to the worst in the primary figure. The
// world has one.
std::vector<std::size_t> ranked_candidates(const WorldComparison& world);

// A sentence per world that has verdicts, and one per scheduler that ran in two worlds. Without
// either: how many jobs of the first scheduler succeeded, and in what time.
std::string headline(const Comparison& comparison);

}  // namespace tracebed
