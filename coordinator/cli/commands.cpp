#include "coordinator/cli/commands.h"

#include "coordinator/cli/value_names.h"

namespace tracebed {

void add_commands(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result) {
  program.name("tracebed");
  program.description("Replay job traces under cluster schedulers, and compare the schedulers.");
  program.set_version_flag("--version", "tracebed " TRACEBED_VERSION " (" TRACEBED_BUILD_TYPE ")");
  program.require_subcommand(1);
  program.failure_message(CLI::FailureMessage::help);
  add_run_command(program, schedulers, result);
  add_calibrate_command(program, schedulers);
  add_compare_command(program, schedulers, result);
  add_reproduce_command(program, schedulers, result);
  add_sweep_command(program, schedulers, result);
  add_columns_command(program, result);
  add_replay_log_command(program, schedulers, result);
  add_export_command(program, schedulers);
  add_log_command(program, schedulers, result);
  add_schedulers_command(program, schedulers, result);
  add_keys_command(program);
  add_scenario_command(program, schedulers, result);
  add_trace_command(program, result);
  add_submit_command(program, schedulers, result);
  add_status_command(program, result);
  add_list_command(program, result);
  add_fetch_command(program, result);
  add_cancel_command(program, result);
  add_delete_command(program, result);
  add_cluster_command(program, result);
  add_storage_command(program, result);
  add_completion_command(program, schedulers);
  name_values(program);
}

}  // namespace tracebed
