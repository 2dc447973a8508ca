// `tracebed run --on cluster`: submits the experiment to a coordinator, follows the run, and
// fetches the folder.
#pragma once

#include "coordinator/cli/run_flags.h"
#include "core/exit_codes.h"
#include "schedulers/registry.h"

namespace tracebed {

// Runs in the cluster world unless --world selects another. Prints what a local run would.
ExitCode run_on_cluster(const RunFlags& flags, const SchedulerRegistry& schedulers);

}  // namespace tracebed
