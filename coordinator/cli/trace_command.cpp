// `tracebed trace …`: the group of commands on trace files.
#include "coordinator/cli/commands.h"

namespace tracebed {

void add_trace_command(CLI::App& program, ExitCode& result) {
  CLI::App* trace =
      program.add_subcommand("trace", "Inspect, convert, validate, cut, merge and generate traces");
  trace->require_subcommand(1);
  add_trace_info_command(*trace);
  add_trace_convert_command(*trace);
  add_trace_cut_command(*trace);
  add_trace_merge_command(*trace);
  add_trace_validate_command(*trace, result);
  add_trace_generate_command(*trace);
  add_trace_histories_command(*trace);
  add_trace_formats_command(*trace);
  add_trace_rules_command(*trace);
}

}  // namespace tracebed
