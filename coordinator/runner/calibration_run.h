// Measures how this machine launches and runs the tasks of a local world.
#pragma once

#include <filesystem>

#include "coordinator/config/calibration_file.h"
#include "coordinator/monitoring/run_observer.h"
#include "coordinator/worlds/run_host.h"

namespace tracebed {

// Runs some hundred tasks of about a second on two agents, alone and beside each other. They use
// from a third to all of their containers' CPU time, and in all so much less than a machine of two
// cores has that they do not contend for it. They are part of no experiment that is compared
// between worlds.
//
// Takes about forty seconds, in which the machine should do nothing else. `folder` is empty, and
// gets the run. Throws as run_experiment() does; EnvironmentError if a task failed, as what is
// measured then is not what an experiment would see; RunInterrupted if the observer cancels.
Calibration calibrate(const RunHost& host, const std::filesystem::path& folder,
                      RunObserver& observer);

}  // namespace tracebed
