// tracebed-coordinator as a function, for programs with schedulers of their own: takes experiments
// over the control service and runs them one after another.
#pragma once

#include "schedulers/registry.h"

namespace tracebed {

// To be called once, by main, with its arguments. Returns what main returns (core/exit_codes.h);
// nothing is thrown.
int run_coordinator(int argc, char** argv, const SchedulerRegistry& schedulers);

}  // namespace tracebed
