// Brings the folder of a run from its coordinator.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "coordinator/cli/patient_client.h"

namespace tracebed {

// All files of an ended run into `folder`, which is empty, or made once the coordinator has said
// what they are. Nothing is written outside of it, whatever the coordinator says they are called,
// and nothing is written over. Calls `look` now and then, which may throw. Throws EnvironmentError,
// also for a disk with less room than is needed; ControlRefusal for a run that has not ended, or is
// no longer there.
void fetch_run(RetryingClient& client, std::int64_t run, const std::filesystem::path& folder,
               const std::function<void()>& look);

// Where a run's folder goes if nobody says: runs/NAME-TIME, whatever the coordinator calls it.
std::filesystem::path default_output(const control::RunStatus& status);

}  // namespace tracebed
