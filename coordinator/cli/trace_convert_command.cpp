// `tracebed trace convert FILE --to FORMAT OUTPUT`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/cli/trace_flags.h"
#include "traces/convert/trace_convert.h"

namespace tracebed {
namespace {

void print(const std::string& output, const ConvertResult& result) {
  std::FILE* const to = messages_beside(output);
  print_plain(to, "{}: {} of {} jobs, {} bytes; workload {}\n", output, result.jobs_written,
              result.jobs_read, result.bytes_written, result.digest);
  if (result.machines > 0) print_plain(to, "  with {} machines\n", result.machines);
  if (result.bad_rows > 0) print_plain(to, "  skipped: {} bad rows\n", result.bad_rows);
  for (const auto& [rule, count] : result.left_out) {
    print_plain(to, "  left out by rule {}: {} rows\n", rule, count);
  }
  if (result.lost.empty()) print_plain(to, "  nothing was lost\n");
  for (const auto& [field, count] : result.lost) print_plain(to, "  lost: {}: {}\n", field, count);
}

}  // namespace

void add_trace_convert_command(CLI::App& trace) {
  struct Flags {
    std::string input;
    std::string output;
    std::string to;
    std::string machines;
    TraceFlags trace;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = trace.add_subcommand(
      "convert", "Convert a trace to a binary trace, SLS JSON or SWF, and report what is lost");
  add_input_file(*command, flags->input);
  add_output_file(*command, flags->output);
  const auto targets = conversion_targets();
  command->add_option("--to", flags->to, "Target format: binary, sls or swf")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(targets.begin(), targets.end())));
  command->add_option("--machines", flags->machines, "Machine file to include in a binary trace");
  add_row_flags(*command, flags->trace);
  add_rule_flag(*command, flags->trace);
  command->callback([flags] {
    print(flags->output, convert_trace(flags->input, flags->output, flags->to,
                                       trace_options(flags->trace), flags->machines));
  });
}

}  // namespace tracebed
