// `tracebed run --on cluster`: hands the experiment to a coordinator, watches, and brings the
// folder.
#pragma once

#include "coordinator/cli/run_flags.h"
#include "core/exit_codes.h"
#include "schedulers/registry.h"

namespace tracebed {

// Runs in the cluster world unless another is wanted by --world. Prints what a run here would.
ExitCode run_on_cluster(const RunFlags& flags, const SchedulerRegistry& schedulers);

}  // namespace tracebed
