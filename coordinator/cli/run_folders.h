// Run folders as given on the command line: a run's own, or the output folder of an experiment,
// which means all of its runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tracebed {

// Throws InputError for a folder that is neither.
std::vector<std::filesystem::path> named_run_folders(const std::vector<std::string>& names);

}  // namespace tracebed
