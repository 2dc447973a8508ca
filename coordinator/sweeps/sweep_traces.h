// The traces of a sweep, each read once: in the binary form, which costs its points nothing to
// parse.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "coordinator/sweeps/sweep_plan.h"

namespace tracebed {

// The trace's binary form in `folder`, which is made unless it is there. Of processes that need it
// at the same time one makes it, and the others wait. None if it would lose something of the jobs,
// such as which are submitted after others: points then read the trace itself. `noted` gets a
// sentence when this was found. Throws InputError for what cannot be read, and EnvironmentError.
std::optional<std::filesystem::path> binary_trace(
    const SweptTrace& trace, const std::filesystem::path& folder,
    const std::function<void(const std::string&)>& noted);

}  // namespace tracebed
