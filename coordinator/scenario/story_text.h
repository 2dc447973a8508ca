// A played story for people.
#pragma once

#include <string>

#include "coordinator/scenario/story.h"

namespace tracebed {

// What happened, and what waits and why; everything known if the step says so or `shows_all`.
std::string to_text(const PlayedStep& step, std::size_t number, bool shows_all);

}  // namespace tracebed
