// Run folders as people name them: a run's own, or the output folder of an experiment, which stands
// for all of its runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tracebed {

// Throws InputError for a folder that is neither.
std::vector<std::filesystem::path> named_run_folders(const std::vector<std::string>& names);

}  // namespace tracebed
