// `tracebed trace merge OUTPUT INPUT INPUT…`
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/cli/trace_flags.h"
#include "traces/convert/trace_merge.h"

namespace tracebed {

void add_trace_merge_command(CLI::App& trace) {
  struct Flags {
    std::string output;
    std::vector<std::string> inputs;
    TraceFlags trace;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = trace.add_subcommand(
      "merge",
      "Merge traces of any formats into one binary trace, in the order of submit times; with "
      "--rule trace.origin=file, on the files' own clocks");
  add_output_file(*command, flags->output);
  command->add_option("inputs", flags->inputs, "Two or more traces; - is standard input")
      ->required()
      ->expected(-2);
  add_row_flags(*command, flags->trace);
  add_rule_flag(*command, flags->trace);
  command->callback([flags] {
    std::FILE* const to = messages_beside(flags->output);
    const MergeResult result =
        merge_traces(flags->inputs, flags->output, trace_options(flags->trace));
    for (const MergeInput& input : result.inputs) {
      print_plain(to, "{} ({}): {} jobs", input.path, input.format, input.jobs);
      if (input.bad_rows > 0) print_plain(to, "; {} bad rows skipped", input.bad_rows);
      if (input.preceded > 0) {
        print_plain(to, "; lost: {} jobs that are submitted after others, now at their own times",
                    input.preceded);
      }
      print_plain(to, "\n");
    }
    print_plain(to, "{}: {} jobs, {} tasks, {} bytes; workload {}\n", flags->output, result.jobs,
                result.tasks, result.bytes_written, result.digest);
  });
}

}  // namespace tracebed
