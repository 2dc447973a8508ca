#include "coordinator/reproductions/reproduction_run.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/config/load_experiment.h"
#include "coordinator/runner/experiment_run.h"
#include "core/check.h"
#include "core/input_error.h"
#include "report/run_folder.h"
#include "system/near_match.h"
#include "system/replace_file.h"
#include "system/taken_folder.h"

namespace tracebed {
namespace {

constexpr const char* record_file = "reproduction.json";
constexpr const char* text_file = "reproduction.txt";

// Names the experiment of each replay. What an experiment notes about itself would be repeated for
// each, and is in its folder.
class ExperimentObserver final : public RunObserver {
 public:
  ExperimentObserver(RunObserver& observer, std::string experiment)
      : observer_(observer), experiment_(std::move(experiment)) {}

  bool should_continue() override { return observer_.should_continue(); }
  void progressed(const RunProgress& progress) override {
    RunProgress named = progress;
    named.scheduler = experiment_ + ", " + progress.scheduler;
    observer_.progressed(named);
  }
  void warned(const std::string& message) override {
    observer_.warned(experiment_ + ": " + message);
  }

 private:
  RunObserver& observer_;
  std::string experiment_;
};

std::vector<PlannedExperiment> chosen(std::vector<PlannedExperiment> planned,
                                      const std::vector<std::string>& only,
                                      std::vector<std::string>& left_out) {
  std::vector<std::string_view> names;
  for (const PlannedExperiment& experiment : planned) names.push_back(experiment.name);
  for (const std::string& wanted : only) {
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    throw InputError(
        fmt::format("--only: there is no experiment {}{}", wanted, name_hint(wanted, names)));
  }
  std::vector<PlannedExperiment> kept;
  for (PlannedExperiment& experiment : planned) {
    const bool is_wanted =
        only.empty() || std::find(only.begin(), only.end(), experiment.name) != only.end();
    if (is_wanted) {
      kept.push_back(std::move(experiment));
    } else {
      left_out.push_back(experiment.name);
    }
  }
  return kept;
}

Experiment experiment_of(const PlannedExperiment& planned, const ReproductionOptions& options) {
  const std::filesystem::path file = options.output / (planned.name + ".toml");
  replace_file(file, planned.toml);
  const bool has_all = planned.repetition == 0;
  const std::uint32_t repetitions = has_all ? options.repetitions : 1;
  const std::uint64_t seed = has_all ? options.seed : options.seed + planned.repetition - 1;
  std::vector<Override> overrides{{"--repetitions", "repetitions", std::to_string(repetitions)},
                                  {"--seed", "seed", std::to_string(seed)}};
  if (options.parallel) {
    overrides.push_back({"--parallel", "virtual.parallel", std::to_string(*options.parallel)});
  }
  Experiment experiment = load_experiment(file, std::nullopt, overrides);
  TRACEBED_CHECK(experiment.output.empty(), "a reproduction's experiments have its output folder");
  experiment.output = options.output / "runs" / planned.name;
  return experiment;
}

MeasuredRun measured(const PlannedExperiment& planned, const FinishedReplay& replay) {
  MeasuredRun run;
  run.experiment = planned.name;
  run.label = replay.label;
  run.repetition = planned.repetition == 0 ? replay.repetition : planned.repetition;
  run.seed = replay.seed;
  run.outcome = replay.outcome;
  run.reason = replay.reason;
  run.digest = replay.digest;
  const RunFolder folder = RunFolder::load(replay.folder, FileCheck::sizes);
  run.metrics = folder.metrics();
  run.counters = folder.end.counters;
  run.machine_loads = folder.end.machine_loads;
  run.folder = replay.folder;
  return run;
}

// What a user sets and nothing would obey is refused.
void check_settings(const RealPart& part, const SettingValues& settings) {
  for (const std::string_view name : part.without) {
    if (settings.contains(std::string(name))) {
      throw InputError(fmt::format("--set {}: it has no use in the local world", name));
    }
  }
}

}  // namespace

std::vector<const MeasuredRun*> ReproductionResults::find(std::string_view experiment,
                                                          std::string_view label) const {
  std::vector<const MeasuredRun*> found;
  for (const MeasuredRun& run : runs_) {
    if (run.experiment == experiment && run.label == label) found.push_back(&run);
  }
  std::sort(found.begin(), found.end(), [](const MeasuredRun* a, const MeasuredRun* b) {
    return a->repetition < b->repetition;
  });
  return found;
}

FinishedReproduction run_reproduction(const Reproduction& reproduction,
                                      const SchedulerRegistry& schedulers,
                                      const ReproductionOptions& options, RunObserver& observer) {
  const TakenFolder taken(options.output);
  if (std::filesystem::exists(options.output / record_file) ||
      std::filesystem::exists(options.output / "runs")) {
    throw InputError(fmt::format("--output: expected a folder without a reproduction, got {}",
                                 options.output.string()));
  }
  if (options.is_real) check_settings(reproduction.real_part, options.settings);
  FinishedReproduction finished;
  finished.request = {options.output, options.seed, options.repetitions, options.settings};
  finished.is_real = options.is_real;
  ReproductionPlan plan =
      (options.is_real ? reproduction.real_part.plan : reproduction.plan)(finished.request);
  finished.experiments = chosen(std::move(plan.experiments), options.only, finished.left_out);
  // Nothing is written before all was checked.
  for (const PlannedFile& file : plan.files) {
    replace_file(options.output / file.name, file.text);
  }
  std::size_t number = 0;
  for (const PlannedExperiment& planned : finished.experiments) {
    observer.noted(fmt::format("experiment {} of {}: {}", ++number, finished.experiments.size(),
                               planned.name));
    ExperimentObserver watched(observer, planned.name);
    const FinishedExperiment ended = run_experiment(
        experiment_of(planned, options), this_host(schedulers, planned.name + ".toml"), watched);
    if (ended.failure) std::rethrow_exception(ended.failure);
    finished.is_cancelled = ended.is_cancelled;
    if (ended.is_cancelled) return finished;
    for (const FinishedReplay& replay : ended.replays) {
      finished.results.add(measured(planned, replay));
    }
  }
  finished.tables = (options.is_real ? reproduction.real_part.tables : reproduction.tables)(
      finished.request, finished.results);
  replace_file(options.output / record_file, to_json(reproduction, finished));
  replace_file(options.output / text_file, to_text(reproduction, finished));
  return finished;
}

}  // namespace tracebed
