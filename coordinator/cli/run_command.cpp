// `tracebed run EXPERIMENT.toml`
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <system_error>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/progress_line.h"
#include "coordinator/cli/run_flags.h"
#include "coordinator/cli/run_on_cluster.h"
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
  if (experiment.output.empty()) experiment.output = default_output(experiment.name);
  return experiment;
}

void print_replays(const std::vector<FinishedReplay>& replays) {
  for (const FinishedReplay& replay : replays) {
    fmt::print("{}: {} after {:.1f} s, {} jobs, digest {}\n", replay.folder.string(),
               name(replay.outcome), replay.wall_seconds, replay.jobs_ended, replay.digest);
  }
}

void print_scale(const FinishedExperiment& finished) {
  if (finished.scale_effects.empty()) return;
  fmt::print("\nThe workload that was run, against the trace's own\n");
  for (const auto& [statistic, effect] : finished.scale_effects) {
    fmt::print("  {:<34}{}\n", statistic, effect);
  }
}

ExitCode exit_code_of(const FinishedExperiment& finished) {
  if (finished.is_cancelled) return ExitCode::interrupted;
  ExitCode code = ExitCode::success;
  for (const FinishedReplay& replay : finished.replays) {
    if (replay.outcome == RunOutcome::complete) continue;
    if (replay.outcome != RunOutcome::unsuccessful) return ExitCode::run_failed;
    code = ExitCode::none_succeeded;
  }
  return code;
}

void print_end(const RunFlags& flags, const Experiment& experiment,
               const FinishedExperiment& finished, const ReportTexts& report) {
  if (flags.json) {
    nlohmann::ordered_json json = to_json(experiment, finished);
    json["comparison"] = nlohmann::ordered_json::parse(report.json);
    print_json(json);
  } else {
    print_replays(finished.replays);
    print_replays(finished.noise);
    print_scale(finished);
    fmt::print("\n{}\nreport: {}\n", report.text, (experiment.output / "report.html").string());
  }
}

ExitCode run_here(const RunFlags& flags, const SchedulerRegistry& schedulers) {
  const Experiment experiment = load(flags);
  const Interruption interruption;
  FinishedExperiment finished;
  {
    ProgressLine progress(interruption,
                          flags.quiet ? ProgressLine::Form::quiet : ProgressLine::form_of_stderr());
    finished = run_experiment(experiment, this_host(schedulers, flags.file), progress);
  }
  // Of a run that was left at once, nobody waits for a report.
  const bool is_left = finished.failure && interruption.count() > 1;
  if (is_left) std::rethrow_exception(finished.failure);
  const ReportTexts report = report_runs({run_folders(finished), FileCheck::sizes,
                                          compare_options(experiment.compare), experiment.output});
  try {
    print_end(flags, experiment, finished, report);
  } catch (const std::system_error&) {
    // The terminal whose closing ended the run takes no report; the folder has it.
    if (!finished.is_cancelled) throw;
  }
  if (finished.failure) std::rethrow_exception(finished.failure);
  return exit_code_of(finished);
}

}  // namespace

void add_run_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode& result) {
  const auto flags = std::make_shared<RunFlags>();
  CLI::App* command = program.add_subcommand(
      "run", "Run an experiment: its trace under each of its schedulers, then compare them");
  command->add_option("experiment", flags->file, "The experiment's TOML file")->required();
  command->add_option("--output", flags->output,
                      "Folder for the run folders and the report (runs/NAME-TIME unless given)");
  command->add_option("--world", flags->world, "virtual, local or cluster, instead of the file's");
  command
      ->add_option("--scheduler", flags->schedulers,
                   "Only these: labels of the file's schedulers, or names of others")
      ->delimiter(',');
  CLI::Option* repetitions = command->add_option(
      "--repetitions", flags->repetitions,
      "Instead of the file's; without either ten in the virtual world, one in real ones");
  CLI::Option* quick = command->add_flag(
      "--quick", flags->quick,
      "One repetition: a look at this trace and seed, from which no verdict follows");
  quick->excludes(repetitions);
  command
      ->add_flag("--noise", flags->noise,
                 "Run the baseline against itself under other seeds, too, to see how far it is "
                 "from itself")
      ->excludes(quick);
  command->add_option("--parallel", flags->parallel,
                      "So many virtual runs at a time; as many as there are processors if not "
                      "given");
  command->add_option("--seed", flags->seed, "Instead of the file's");
  command->add_option("--set", flags->settings, "KEY=VALUE: any other key, e.g. scale.time=20");
  command->add_flag("--paranoid", flags->paranoid, "Recompute every invariant after every round");
  command->add_flag("--json", flags->json, "Print results as JSON");
  command->add_flag("--quiet", flags->quiet, "No progress");
  command
      ->add_option("--on", flags->on,
                   "cluster: on the machines of the coordinator that --coordinator names, which "
                   "keeps the run if this command is left by SIGTERM or a closed terminal")
      ->check(CLI::IsMember({"here", "cluster"}))
      ->capture_default_str();
  add_coordinator_flags(*command, flags->coordinator);
  command->callback([flags, &schedulers, &result] {
    result =
        flags->on == "cluster" ? run_on_cluster(*flags, schedulers) : run_here(*flags, schedulers);
  });
}

}  // namespace tracebed
