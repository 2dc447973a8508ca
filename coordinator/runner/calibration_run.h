// Measures how machines launch and run tasks and application masters: those of a local world, or a
// cluster's agents.
#pragma once

#include <filesystem>
#include <vector>

#include "coordinator/config/calibration_file.h"
#include "coordinator/monitoring/run_observer.h"
#include "coordinator/worlds/run_host.h"
#include "report/run_folder.h"

namespace tracebed {

// Runs some hundred tasks of about a second on two agents, alone and beside each other. They use
// from a third to all of their containers' CPU time, and in all so much less than a machine of two
// cores has that they do not contend for it. Then half as many jobs, whose masters are in
// containers. They are part of no experiment that is compared between worlds.
//
// Takes about a minute, in which the machine should do nothing else. `folder` is empty, and gets
// the runs. Throws as run_experiment() does; EnvironmentError if a task failed, as what is measured
// then is not what an experiment would see; RunInterrupted if the observer cancels.
Calibration calibrate(const RunHost& host, const std::filesystem::path& folder,
                      RunObserver& observer);

// The same experiments for a cluster's agents, and their trace, which belongs in the coordinator's
// trace folder. Returns the files; replaces them if they exist.
std::vector<std::filesystem::path> write_calibration_experiments(
    const std::filesystem::path& folder);

// From runs of them: the second, which may be null, is the one with masters in containers. Throws
// InputError for runs that are not such, and EnvironmentError for one in which a task failed.
Calibration calibration_of(const RunFolder& tasks, const RunFolder* with_masters);

}  // namespace tracebed
