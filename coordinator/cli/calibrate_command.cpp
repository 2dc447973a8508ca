// `tracebed calibrate`
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/progress_line.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/runner/calibration_run.h"
#include "core/input_error.h"
#include "system/interruption.h"
#include "system/locked_folder.h"
#include "system/quantities.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

struct CalibrateFlags {
  std::string output = "calibration.toml";
  std::string experiments;  // a folder
  std::string from;         // a run's folder, as the next
  std::string with_masters;
  bool quiet = false;
};

// Known before a minute is spent.
void check_output(const std::filesystem::path& file) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw InputError(
        fmt::format("--output: expected a file in a folder that exists, got {}: "
                    "there is no folder {}",
                    file.string(), folder.string()));
  }
  if (std::filesystem::is_directory(file, ignored)) {
    throw InputError(fmt::format("--output: expected a file, got the folder {}", file.string()));
  }
}

Calibration measured_here(const CalibrateFlags& flags, const SchedulerRegistry& schedulers) {
  const LockedFolder folder("tracebed-calibration-");
  const Interruption interruption;
  ProgressLine progress(interruption,
                        flags.quiet ? ProgressLine::Form::quiet : ProgressLine::form_of_stderr());
  return calibrate(this_host(schedulers, ""), folder.path(), progress);
}

Calibration of_runs(const CalibrateFlags& flags) {
  const RunFolder tasks = RunFolder::load(flags.from);
  if (flags.with_masters.empty()) return calibration_of(tasks, nullptr);
  const RunFolder with_masters = RunFolder::load(flags.with_masters);
  return calibration_of(tasks, &with_masters);
}

void print_calibration(const Calibration& calibration, const std::string& file) {
  const std::string processors =
      calibration.processor.empty()
          ? fmt::format("{} vcores", calibration.processors)
          : fmt::format("{} × {}", calibration.processors, calibration.processor);
  print_plain(
      "On {} ({}, isolation {}), over {} tasks: launch latency {} (95th percentile: {:.3g} "
      "times that), overhead of a task {} (95th percentile: {:.3g} times that).\n",
      calibration.machine, processors, calibration.isolation, calibration.tasks,
      duration_text(calibration.launch_latency), calibration.launch_spread,
      duration_text(calibration.task_overhead), calibration.task_overhead_spread);
  if (const auto& startup = calibration.master_startup) {
    print_plain("Masters in containers start up in {} (95th percentile: {:.3g} times that).\n",
                duration_text(startup->median), startup->spread);
  }
  print_plain("written to {}; an experiment takes it by [virtual] calibration = \"{}\"\n", file,
              file);
}

void run_calibration(const CalibrateFlags& flags, const SchedulerRegistry& schedulers) {
  if (!flags.experiments.empty()) {
    for (const auto& file : write_calibration_experiments(flags.experiments)) {
      print_plain("written: {}\n", file.string());
    }
    return;
  }
  check_output(flags.output);
  const Calibration calibration =
      flags.from.empty() ? measured_here(flags, schedulers) : of_runs(flags);
  replace_file(flags.output, to_toml(calibration));
  print_calibration(calibration, flags.output);
}

}  // namespace

void add_calibrate_command(CLI::App& program, const SchedulerRegistry& schedulers) {
  const auto flags = std::make_shared<CalibrateFlags>();
  CLI::App* command = program.add_subcommand("calibrate",
                                             "Measure how machines launch and run tasks, for "
                                             "modelled machines that behave like them: this "
                                             "machine, which takes about a minute, or others by "
                                             "runs on a cluster");
  CLI::Option* const output =
      command->add_option("--output", flags->output, "File for the result, replaced if it exists")
          ->capture_default_str();
  CLI::Option* const experiments = command->add_option(
      "--write-experiments", flags->experiments,
      "Measure nothing: write experiments for a cluster, and their trace, to this folder");
  CLI::Option* const from = command->add_option(
      "--from", flags->from, "Take the figures of this run's folder, of such an experiment");
  command
      ->add_option("--with-masters", flags->with_masters,
                   "The run of the experiment whose masters are in containers")
      ->needs(from);
  from->excludes(experiments);
  output->excludes(experiments);
  command->add_flag("--quiet", flags->quiet, "Print no progress");
  command->callback([flags, &schedulers] { run_calibration(*flags, schedulers); });
}

}  // namespace tracebed
