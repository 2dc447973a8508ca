// What the programs' exit codes mean. They are distinct so that a script can tell a typing error
// from a bad trace, and both from a missing permission.
#pragma once

namespace tracebed {

enum class ExitCode : int {
  success = 0,
  run_failed = 1,         // the program worked, but its run or comparison did not succeed
  usage = 2,              // unknown command, flag or argument
  input = 3,              // a trace, experiment or run folder is malformed
  environment = 4,        // a port, permission, program or service is missing
  unexpected = 5,         // a scenario was played, but an expectation in it does not hold
  none_succeeded = 6,     // a run ended, but no job of it succeeded
  stalled = 7,            // a run was given up, as its jobs could make no progress
  failed_invariant = 70,  // a defect of Tracebed itself; nothing printed after it counts
  interrupted = 130,      // Ctrl-C: the partial run is kept
};

constexpr int to_int(ExitCode code) {
  return static_cast<int>(code);
}

}  // namespace tracebed
