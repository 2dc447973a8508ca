// `tracebed trace info FILE`
#include <fmt/core.h>
#include <limits>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/trace_flags.h"
#include "traces/trace_info.h"

namespace tracebed {

void add_trace_info_command(CLI::App& trace) {
  struct Flags {
    std::string file;
    TraceFlags trace;
    bool exact = false;
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = trace.add_subcommand(
      "info", "What a trace holds, and the workload that the rules make of it");
  command->add_option("file", flags->file, "The trace, plain or compressed")->required();
  add_row_flags(*command, flags->trace);
  add_rule_flag(*command, flags->trace);
  command->add_flag("--exact", flags->exact,
                    "Exact percentiles of any number of different values; memory grows with them");
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags] {
    InfoOptions options;
    if (flags->exact) options.exact_max = std::numeric_limits<std::size_t>::max();
    const TraceInfo info = measure_trace(flags->file, trace_options(flags->trace), options);
    if (flags->json) {
      print_json(to_json(info));
    } else {
      fmt::print("{}", to_text(info));
    }
  });
}

}  // namespace tracebed
