// A comparison as JSON, for programs: everything the terminal tables show, unrounded.
#pragma once

#include <filesystem>
#include <string>

#include "report/comparison.h"

namespace tracebed {

// Ends with a newline. Folders of runs are given relative to the folder `base`; empty: unchanged.
std::string to_json(const Comparison& comparison, const std::filesystem::path& base);

}  // namespace tracebed
