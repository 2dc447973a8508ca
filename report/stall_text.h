// A stall in words (core/stall.h).
#pragma once

#include <string>
#include <vector>

#include "core/resources.h"
#include "core/stall.h"

namespace tracebed {

// "deadlock of masters alone: …": the kind, and a sentence with the figures.
std::string stall_text(const Stall& stall, const ResourceDimensions& dimensions);

// What jobs wait for, then the jobs, each with what it holds and whom it waits for: a line each, of
// a bounded number.
std::vector<std::string> stall_chain(const Stall& stall, const ResourceDimensions& dimensions);

}  // namespace tracebed
