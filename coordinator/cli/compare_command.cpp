// `tracebed compare RUN…`
#include <fmt/core.h>
#include <memory>
#include <optional>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/progress_line.h"
#include "coordinator/cli/run_folders.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/runner/experiment_record.h"
#include "coordinator/runner/experiment_report.h"
#include "coordinator/runner/late_noise.h"
#include "system/interruption.h"
#include "system/taken_folder.h"

namespace tracebed {
namespace {

struct CompareFlags {
  std::vector<std::string> runs;
  std::string baseline;
  std::optional<std::string> primary;
  std::optional<double> matters_from;
  std::string output;
  bool noise = false;
  bool details = false;
  bool json = false;
};

// Runs those that are missing first.
void make_noise(const CompareFlags& flags, const SchedulerRegistry& schedulers) {
  const Interruption interruption;
  ProgressLine progress(interruption, ProgressLine::form_of_stderr());
  add_noise(schedulers, {flags.runs.begin(), flags.runs.end()}, flags.baseline, progress);
}

void compare_runs(const CompareFlags& flags, const SchedulerRegistry& schedulers) {
  if (flags.noise) make_noise(flags, schedulers);
  const std::vector<std::filesystem::path> folders = named_run_folders(flags.runs);
  CompareOptions options = compare_options(recorded_compare_choice(flags.runs.front()));
  if (!flags.baseline.empty()) options.baseline = flags.baseline;
  if (flags.primary) options.primary = *flags.primary;
  if (flags.matters_from) options.matters_from = *flags.matters_from;
  std::optional<TakenFolder> taken;
  if (!flags.output.empty()) taken.emplace(flags.output);
  const ReportTexts report = report_runs({folders, FileCheck::contents, options, flags.output});
  print_lines(flags.json ? report.json : flags.details ? report.text : report.summary);
}

}  // namespace

void add_compare_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode&) {
  const auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = program.add_subcommand(
      "compare", "Compare runs of one trace: schedulers, or the virtual and a real world");
  command->add_option("runs", flags->runs, "Run folders, or output folders of experiments")
      ->required();
  command->add_option("--baseline", flags->baseline,
                      "Label of the scheduler to compare with (default: the first)");
  command->add_option("--primary", flags->primary,
                      "Key of the figure that is judged first, for example makespan (default: the "
                      "experiment's, or jct_mean)");
  command
      ->add_option("--matters-from", flags->matters_from,
                   "Fraction of the baseline's figure below which differences do not matter "
                   "(default: the experiment's, or 0.01)")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--output", flags->output, "Folder for report.html and comparison.json");
  command->add_flag(
      "--noise", flags->noise,
      "Include runs of the baseline against itself; if a virtual experiment has none, "
      "run them now");
  command->add_flag("--details", flags->details, "Print all figures");
  command->add_flag("--json", flags->json, "Print the comparison as JSON");
  command->callback([flags, &schedulers] { compare_runs(*flags, schedulers); });
}

}  // namespace tracebed
