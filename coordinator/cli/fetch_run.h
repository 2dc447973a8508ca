// Fetches the folder of a run from its coordinator.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "coordinator/cli/retrying_client.h"

namespace tracebed {

// All files of an ended run into `folder`, which is empty, or is created once the coordinator has
// sent the list of files. Nothing is written outside of it, whatever the names that the coordinator
// sends, and nothing is overwritten. Calls `look` repeatedly, which may throw. Throws
// EnvironmentError, also for a disk with too little room; ControlRefusal for a run that has not
// ended, or no longer exists.
void fetch_run(RetryingClient& client, std::int64_t run, const std::filesystem::path& folder,
               const std::function<void()>& look);

// NAME of the run's default folder (results_folder.h), whatever the coordinator calls it.
std::string output_name(const control::RunStatus& status);

}  // namespace tracebed
