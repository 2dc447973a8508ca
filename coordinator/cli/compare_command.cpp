// `tracebed compare RUN…`
#include <fmt/core.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/run_folders.h"
#include "coordinator/runner/experiment_report.h"

namespace tracebed {
namespace {

struct CompareFlags {
  std::vector<std::string> runs;
  std::string baseline;
  std::string output;
  bool json = false;
};

void compare_runs(const CompareFlags& flags) {
  const ReportTexts report =
      report_runs({named_run_folders(flags.runs), flags.baseline, flags.output});
  fmt::print("{}", flags.json ? report.json : report.text);
}

}  // namespace

void add_compare_command(CLI::App& program, ExitCode&) {
  const auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = program.add_subcommand(
      "compare", "Compare runs of one trace: schedulers with each other, virtual with real");
  command->add_option("runs", flags->runs, "Run folders, or output folders of experiments")
      ->required();
  command->add_option("--baseline", flags->baseline,
                      "The scheduler (label) that others are measured against; the first if not "
                      "given");
  command->add_option("--output", flags->output, "Folder for report.html and comparison.json");
  command->add_flag("--json", flags->json, "Print the comparison as JSON");
  command->callback([flags] { compare_runs(*flags); });
}

}  // namespace tracebed
