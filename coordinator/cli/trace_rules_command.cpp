// `tracebed trace rules`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/cli/trace_flags.h"
#include "traces/trace_info.h"

namespace tracebed {

void add_trace_rules_command(CLI::App& trace) {
  struct Flags {
    TraceFlags trace;
    bool json = false;
  };
  const auto flags = std::make_shared<Flags>();
  CLI::App* command = trace.add_subcommand(
      "rules", "List the rules that supply what a format lacks, with their values and sources");
  add_rule_flag(*command, flags->trace);
  command->add_flag("--json", flags->json, "Print as JSON");
  command->callback([flags] {
    const TraceRules rules = trace_options(flags->trace).rules;
    if (flags->json) {
      print_json(rules_to_json(rules));
    } else {
      print_lines(rules_to_text(rules));
    }
  });
}

}  // namespace tracebed
