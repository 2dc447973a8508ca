// Whether a scheduler proposed far more than could be committed.
#pragma once

#include <string>
#include <vector>

#include "report/run_description.h"

namespace tracebed {

// The names of RunEnd::counters that this looks at: all decisions, those that were refused, and
// with a reason behind it those that were refused for that.
inline constexpr const char* decisions_counter = "decisions";
inline constexpr const char* refusals_counter = "refusals";
inline constexpr const char* refusals_for_counter = "refusals_for_";

// A sentence; empty unless at least a hundred decisions were refused, and as many as were
// committed. A scheduler decides on the state of the cluster that the engine commits to, so one
// that counts its own proposals is refused next to nothing, and only where a machine or job has
// gone meanwhile: from half of all on, most of its work is for nothing. A hundred, so that a small
// run in which one machine fails is not warned about.
std::string refusal_text(const std::vector<NamedCount>& counters);

}  // namespace tracebed
