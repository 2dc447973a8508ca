// `tracebed sweep …`: the group of commands on sweeps.
#include "coordinator/cli/commands.h"

namespace tracebed {

void add_sweep_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result) {
  CLI::App* sweep = program.add_subcommand(
      "sweep", "Run an experiment with many settings, on all cores or machines, and find the best");
  sweep->require_subcommand(1);
  add_sweep_plan_command(*sweep, schedulers);
  add_sweep_run_command(*sweep, schedulers, result);
  add_sweep_collect_command(*sweep);
}

}  // namespace tracebed
