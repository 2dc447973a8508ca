// Whether a scheduler proposed far more than could be committed.
#pragma once

#include <string>
#include <vector>

#include "report/run_description.h"

namespace tracebed {

// The names of the RunEnd::counters used here: all decisions, those that were refused, and with a
// reason appended those that were refused for it.
inline constexpr const char* decisions_counter = "decisions";
inline constexpr const char* refusals_counter = "refusals";
inline constexpr const char* refusals_for_counter = "refusals_for_";

// A sentence; empty unless at least a hundred decisions were refused, and as many as were
// committed. A scheduler decides on the state of the cluster that the engine commits to, so one
// that counts its own proposals has hardly any refused, and only if a machine or job has ended
// meanwhile: from half of all on, most of its work is wasted. A hundred, so that a small run in
// which one machine fails causes no warning.
std::string refusal_text(const std::vector<NamedCount>& counters);

}  // namespace tracebed
