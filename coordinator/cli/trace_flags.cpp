#include "coordinator/cli/trace_flags.h"

#include "core/input_error.h"
#include "system/output_file.h"
#include "traces/trace_formats.h"

namespace tracebed {

CLI::Option* add_input_file(CLI::App& command, std::string& input) {
  return command.add_option("input", input, "Trace in any format; - is standard input")->required();
}

CLI::Option* add_output_file(CLI::App& command, std::string& output) {
  constexpr const char* help =
      "Output file; - is standard output, and messages then go to standard error; text is "
      "compressed if the name ends in .gz";
  return command.add_option("output", output, help)->required();
}

std::FILE* messages_beside(const std::string& output) {
  return is_standard_output(output) ? stderr : stdout;
}

void add_rule_flag(CLI::App& command, TraceFlags& flags) {
  command.add_option("--rule", flags.rules,
                     "NAME=VALUE: a rule that supplies what the format lacks (see trace rules)");
}

void add_row_flags(CLI::App& command, TraceFlags& flags) {
  command.add_option("--format", flags.format,
                     "One of " + trace_format_names() + "; by default detected by content");
  command.add_flag("--skip-bad,--skip-bad-lines", flags.skip_bad_lines,
                   "Count and skip bad rows instead of stopping at the first");
}

TraceOptions trace_options(const TraceFlags& flags) {
  TraceOptions options;
  options.format = flags.format;
  options.skip_bad = flags.skip_bad_lines;
  for (const std::string& rule : flags.rules) {
    const std::size_t equals = rule.find('=');
    if (equals == std::string::npos) throw InputError("--rule: expected NAME=VALUE, got " + rule);
    const Status status = set_rule(options.rules, rule.substr(0, equals), rule.substr(equals + 1));
    if (!status) throw InputError("--rule: " + status.error().message);
  }
  return options;
}

}  // namespace tracebed
