// What a terminal shows of a comparison unless details are asked for: the headline, and the figures
// that lead to it.
#pragma once

#include <cstddef>
#include <string>

#include "report/comparison.h"

namespace tracebed {

inline constexpr std::size_t summary_table_lines_max = 25;
inline constexpr std::size_t summary_notes_max = 5;

// Lines of at most 100 columns, unless a name is longer: the headline; tables that have together at
// most summary_table_lines_max lines, the primary figure always among them; at most
// summary_notes_max notes.
std::string summary_text(const Comparison& comparison);

}  // namespace tracebed
