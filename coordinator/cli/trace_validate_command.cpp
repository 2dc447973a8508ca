// `tracebed trace validate FILE`
#include <algorithm>
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/cli/trace_flags.h"
#include "traces/trace_formats.h"
#include "traces/trace_validate.h"

namespace tracebed {
namespace {

void print_problems(const ValidateResult& found, std::size_t most) {
  const std::size_t listed = std::min(most, found.messages.size());
  for (std::size_t i = 0; i < listed; ++i) print_plain("{}\n", found.messages[i]);
  if (listed > 0 && listed < found.problems) {
    print_plain("… and {} more\n", found.problems - listed);
  }
}

}  // namespace

void add_trace_validate_command(CLI::App& trace, ExitCode& result) {
  struct Flags {
    std::string file;
    TraceFlags trace;
    std::size_t list = 100;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = trace.add_subcommand(
      "validate",
      "List the bad rows of a trace and count them by reason; exit with 3 if there are any");
  command->add_option("file", flags->file, "Trace, plain or compressed; - is standard input")
      ->required();
  command->add_option("--format", flags->trace.format,
                      "One of " + trace_format_names() + "; by default detected by content");
  add_rule_flag(*command, flags->trace);
  command->add_flag("--skip-bad", flags->trace.skip_bad_lines,
                    "Exit with 0 although there are bad rows, which other commands skip with it");
  command->add_option("--list", flags->list, "Maximum number of bad rows to list (default: 100)")
      ->check(CLI::Range(std::size_t{0}, BadRows::messages_max));
  command->callback([flags, &result] {
    const ValidateResult found = validate_trace(flags->file, trace_options(flags->trace));
    print_plain("{}: {} ({}): {} rows, {} jobs, {} tasks, {} problem{}\n", flags->file,
                found.format, found.format_reason, found.rows, found.jobs, found.tasks,
                found.problems, found.problems == 1 ? "" : "s");
    for (const BadRowSummary& each : found.by_reason) {
      print_plain("  {}: {}; the first: {}\n", each.reason, each.rows, each.first);
    }
    print_problems(found, flags->list);
    for (const auto& [rule, count] : found.left_out) {
      print_plain("  left out by rule {}: {} rows\n", rule, count);
    }
    for (const auto& [what, count] : found.notes) print_plain("  tolerated: {}: {}\n", what, count);
    print_lines("Span of jobs, recorded and replayed on an unlimited, ideal cluster\n" +
                to_text(found.spans, found.span_text));
    if (found.repeated_ids > 0) {
      print_plain(
          "  job ids that come more than once: {} jobs have the id of another, such as {}\n",
          found.repeated_ids, shown(found.repeated_id));
    }
    if (found.problems > 0 && !flags->trace.skip_bad_lines) result = ExitCode::input;
  });
}

}  // namespace tracebed
