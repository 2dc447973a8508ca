// `tracebed run EXPERIMENT.toml`
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <system_error>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/progress_line.h"
#include "coordinator/cli/results_folder.h"
#include "coordinator/cli/run_end.h"
#include "coordinator/cli/run_flags.h"
#include "coordinator/cli/run_on_cluster.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/config/choose_schedulers.h"
#include "coordinator/config/load_experiment.h"
#include "coordinator/runner/experiment_record.h"
#include "coordinator/runner/experiment_report.h"
#include "coordinator/runner/experiment_run.h"
#include "core/input_error.h"
#include "system/interruption.h"

namespace tracebed {
namespace {

Experiment load(const RunFlags& flags) {
  std::optional<std::filesystem::path> traces;
  if (const char* folder = std::getenv("TRACEBED_TRACES")) traces = folder;
  Experiment experiment = load_experiment(flags.file, traces, overrides_of(flags));
  choose_schedulers(flags.schedulers, experiment);
  if (!flags.output.empty()) experiment.output = flags.output;
  return experiment;
}

EndedRun ended_run(const FinishedExperiment& finished, const std::filesystem::path& output) {
  EndedRun run{{}, finished.scale, output};
  for (const std::vector<FinishedReplay>* list : {&finished.replays, &finished.noise}) {
    for (const FinishedReplay& replay : *list) {
      run.replays.push_back({replay.folder, std::string(name(replay.outcome)), replay.wall_seconds,
                             replay.jobs_ended, replay.digest, replay.reason, replay.stall_chain});
    }
  }
  return run;
}

ExitCode exit_code_of(const FinishedExperiment& finished) {
  if (finished.is_cancelled) return ExitCode::interrupted;
  std::vector<std::string> outcomes;
  for (const FinishedReplay& replay : finished.replays) outcomes.emplace_back(name(replay.outcome));
  return exit_code_of_outcomes(outcomes);
}

void print_end(const RunFlags& flags, const Experiment& experiment,
               const FinishedExperiment& finished, const ReportTexts& report) {
  if (flags.json) {
    nlohmann::ordered_json json = to_json(experiment, finished);
    json["comparison"] = nlohmann::ordered_json::parse(report.json);
    print_json(json);
  } else {
    print_lines(run_end_text(ended_run(finished, experiment.output), report, flags.details));
    const bool has_log = experiment.world != World::simulated || experiment.log.keep;
    if (experiment.task_rows == TaskRows::none && has_log) {
      print_plain("rows of tasks: tracebed export {}\n", experiment.output.string());
    }
  }
}

ExitCode run_here(const RunFlags& flags, const SchedulerRegistry& schedulers) {
  Experiment experiment = load(flags);
  const ResultsFolder output(experiment.output, experiment.name);
  experiment.output = output.path();
  const Interruption interruption;
  FinishedExperiment finished;
  {
    ProgressLine progress(interruption,
                          flags.quiet ? ProgressLine::Form::quiet : ProgressLine::form_of_stderr());
    finished = run_experiment(experiment, this_host(schedulers, flags.file), progress);
  }
  // Nobody waits for the report of a run that was left at once.
  const bool is_left = finished.failure && interruption.count() > 1;
  if (is_left) std::rethrow_exception(finished.failure);
  const ReportTexts report = report_runs({run_folders(finished), FileCheck::sizes,
                                          compare_options(experiment.compare), experiment.output});
  try {
    print_end(flags, experiment, finished, report);
  } catch (const std::system_error&) {
    // If closing the terminal ended the run, only the folder gets the report.
    if (!finished.is_cancelled) throw;
  }
  if (finished.failure) std::rethrow_exception(finished.failure);
  return exit_code_of(finished);
}

}  // namespace

void add_run_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result) {
  const auto flags = std::make_shared<RunFlags>();
  CLI::App* command = program.add_subcommand(
      "run", "Run an experiment: replay its trace under each scheduler, and compare them");
  command->add_option("experiment", flags->file, "TOML file of the experiment")->required();
  command->add_option("--output", flags->output,
                      "Folder for the runs and the report (default: runs/NAME-TIME)");
  command->add_option("--world", flags->world,
                      "World to run in: virtual, local or cluster (default: the file's)");
  command
      ->add_option("--scheduler", flags->schedulers,
                   "Schedulers to run: labels from the file, or names of others")
      ->delimiter(',');
  CLI::Option* repetitions = command->add_option(
      "--repetitions", flags->repetitions,
      "Number of repetitions (default: the file's, or ten in the virtual world, one in others)");
  CLI::Option* quick = command->add_flag("--quick", flags->quick,
                                         "Run one repetition only, which gives no verdicts");
  quick->excludes(repetitions);
  command
      ->add_flag("--noise", flags->noise,
                 "Also run the baseline against itself under other seeds, to measure the noise")
      ->excludes(quick);
  command->add_option("--parallel", flags->parallel,
                      "Number of concurrent virtual runs (default: one per processor)");
  command->add_option("--seed", flags->seed, "Seed (default: the file's)");
  command->add_option("--set", flags->settings,
                      "KEY=VALUE: override any key of the file, for example scale.time=20");
  command->add_flag("--paranoid", flags->paranoid,
                    "Recompute every invariant after each round that may have changed it");
  command->add_flag("--ignore-unsupported", flags->ignore_unsupported,
                    "Also take schedulers' files with properties that decide something and are not "
                    "obeyed");
  command->add_flag("--details", flags->details,
                    "Print all figures, every replay, and what scaling changed");
  command->add_flag("--json", flags->json, "Print results as JSON");
  command->add_flag("--quiet", flags->quiet, "Print no progress");
  command
      ->add_option("--on", flags->on,
                   "here, or cluster: on the coordinator's machines; the run then continues if "
                   "this command is ended by SIGTERM or a closed terminal")
      ->check(CLI::IsMember({"here", "cluster"}))
      ->capture_default_str();
  add_coordinator_flags(*command, flags->coordinator);
  command->callback([flags, &schedulers, &result] {
    result =
        flags->on == "cluster" ? run_on_cluster(*flags, schedulers) : run_here(*flags, schedulers);
  });
}

}  // namespace tracebed
