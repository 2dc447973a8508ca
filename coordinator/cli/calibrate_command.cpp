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
  bool quiet = false;
};

// Known before forty seconds are spent.
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

void run_calibration(const CalibrateFlags& flags, const SchedulerRegistry& schedulers) {
  check_output(flags.output);
  const LockedFolder folder("tracebed-calibration-");
  const Interruption interruption;
  Calibration calibration;
  {
    ProgressLine progress(interruption,
                          flags.quiet ? ProgressLine::Form::quiet : ProgressLine::form_of_stderr());
    calibration = calibrate(this_host(schedulers, ""), folder.path(), progress);
  }
  replace_file(flags.output, to_toml(calibration));
  print_plain(
      "On {} ({} × {}, isolation {}), over {} tasks: launch latency {} (95th percentile: {:.3g} "
      "times that), overhead of a task {} (95th percentile: {:.3g} times that).\n"
      "written to {}; an experiment takes it by [virtual] calibration = \"{}\"\n",
      calibration.machine, calibration.processors, calibration.processor, calibration.isolation,
      calibration.tasks, duration_text(calibration.launch_latency), calibration.launch_spread,
      duration_text(calibration.task_overhead), calibration.task_overhead_spread, flags.output,
      flags.output);
}

}  // namespace

void add_calibrate_command(CLI::App& program, const SchedulerRegistry& schedulers) {
  const auto flags = std::make_shared<CalibrateFlags>();
  CLI::App* command = program.add_subcommand("calibrate",
                                             "Measure how this machine launches and runs tasks, "
                                             "for modelled machines that behave like it; "
                                             "takes about 40 seconds");
  command->add_option("--output", flags->output, "File for the result, replaced if it exists")
      ->capture_default_str();
  command->add_flag("--quiet", flags->quiet, "Print no progress");
  command->callback([flags, &schedulers] { run_calibration(*flags, schedulers); });
}

}  // namespace tracebed
