// Verdicts on differences, in words.
#pragma once

#include <string>
#include <vector>

#include "report/comparison.h"

namespace tracebed {

// A sentence with its figures: "better by 20.5 % (95 % CI 12.1..28.3)", "on this trace and seed:
// -43.5 %", "no difference that matters (-0.2 %, 95 % CI -0.4..+0.1)", "cannot tell (-2.3 %, 95 %
// CI -6.0..+1.5): would need about 34 repetitions", "identical decisions". Figures whose baseline
// is zero have no per cent and show their difference and unit.
std::string verdict_text(const ComparedFigure& figure, const FigureDifference& difference);

// The same for a table that has the figures in columns of their own: "better", "cannot tell, needs
// about 34", …
std::string short_verdict(const FigureDifference& difference);
// "-43.5 %", and "-6.0..+1.5 %"; with the unit if there is no per cent, and empty without an
// interval.
std::string change_text(const ComparedFigure& figure, const FigureDifference& difference);
std::string interval_text(const ComparedFigure& figure, const FigureDifference& difference);
// "±1.2 %"; empty if it was not measured.
std::string noise_text(const FigureDifference& difference);

// What the verdicts on a candidate are based on: "Student's t of 10 differences between runs with
// the same seed".
std::string test_text(const WorldComparison& world, const Candidate& candidate);

// What a reader must know about the verdicts as a whole, a sentence or two each.
std::vector<std::string> judgement_texts(const WorldComparison& world);

}  // namespace tracebed
