// The commands of `tracebed`, each in a file of its own. A command adds itself to the program with
// its flags; when it was chosen and parsed it runs and stores its exit code. Every error is thrown:
// InputError, EnvironmentError, ControlRefusal, RunInterrupted; main maps them to exit codes. The
// schedulers outlive the program.
#pragma once

#include <CLI/CLI.hpp>

#include "core/exit_codes.h"
#include "schedulers/registry.h"

namespace tracebed {

// Names the program and adds all of its commands.
void add_commands(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result);

void add_run_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result);
void add_calibrate_command(CLI::App& program, const SchedulerRegistry& schedulers);
void add_compare_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result);
void add_reproduce_command(CLI::App& program, const SchedulerRegistry& schedulers,
                           ExitCode& result);
void add_sweep_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result);
void add_keys_command(CLI::App& program);
void add_columns_command(CLI::App& program, ExitCode& result);
void add_replay_log_command(CLI::App& program, const SchedulerRegistry& schedulers,
                            ExitCode& result);
void add_export_command(CLI::App& program, const SchedulerRegistry& schedulers);
void add_log_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result);
void add_scenario_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result);
void add_schedulers_command(CLI::App& program, const SchedulerRegistry& schedulers,
                            ExitCode& result);
void add_trace_command(CLI::App& program, ExitCode& result);
void add_submit_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result);
void add_status_command(CLI::App& program, ExitCode& result);
void add_list_command(CLI::App& program, ExitCode& result);
void add_fetch_command(CLI::App& program, ExitCode& result);
void add_cancel_command(CLI::App& program, ExitCode& result);
void add_delete_command(CLI::App& program, ExitCode& result);
void add_cluster_command(CLI::App& program, ExitCode& result);
void add_storage_command(CLI::App& program, ExitCode& result);
void add_completion_command(CLI::App& program, const SchedulerRegistry& schedulers);

// The subcommands of `trace`.
void add_trace_info_command(CLI::App& trace);
void add_trace_convert_command(CLI::App& trace);
void add_trace_cut_command(CLI::App& trace);
void add_trace_merge_command(CLI::App& trace);
void add_trace_validate_command(CLI::App& trace, ExitCode& result);
void add_trace_generate_command(CLI::App& trace);
void add_trace_histories_command(CLI::App& trace);
void add_trace_formats_command(CLI::App& trace);
void add_trace_rules_command(CLI::App& trace);

// The subcommands of `sweep`.
void add_sweep_plan_command(CLI::App& sweep, const SchedulerRegistry& schedulers);
void add_sweep_run_command(CLI::App& sweep, const SchedulerRegistry& schedulers, ExitCode& result);
void add_sweep_collect_command(CLI::App& sweep);

// The subcommand of `schedulers`.
void add_explain_command(CLI::App& command, const SchedulerRegistry& schedulers);

}  // namespace tracebed
