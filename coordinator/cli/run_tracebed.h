// The command line as a function: `tracebed` for programs with schedulers of their own, whose
// experiments, comparisons and logs then know these like all others.
#pragma once

#include "schedulers/registry.h"

namespace tracebed {

// To be called once, by main, with its arguments. Returns what main returns (core/exit_codes.h);
// nothing is thrown. Runs of the local world start the daemons that lie beside the running program.
int run_tracebed(int argc, char** argv, const SchedulerRegistry& schedulers);

}  // namespace tracebed
