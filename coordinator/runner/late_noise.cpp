#include "coordinator/runner/late_noise.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

#include "coordinator/config/choose_schedulers.h"
#include "coordinator/config/load_experiment.h"
#include "coordinator/runner/experiment_record.h"
#include "coordinator/runner/experiment_run.h"
#include "coordinator/runner/replay_plans.h"
#include "core/input_error.h"
#include "report/run_json.h"

namespace tracebed {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& output, std::string_view reason) {
  throw InputError(
      fmt::format("{}: the baseline cannot be run against itself: {}", output.string(), reason));
}

std::vector<RunDescription> recorded_runs(const std::filesystem::path& output) {
  const auto folders = recorded_run_folders(output);
  if (!folders) {
    throw InputError(fmt::format(
        "{}: expected the output folder of an experiment (with experiment.json)", output.string()));
  }
  std::vector<RunDescription> runs;
  for (const std::filesystem::path& folder : *folders) {
    runs.push_back(read_run_json(folder / run_json_file).description);
  }
  return runs;
}

// Words for what is not the same; empty if all is.
std::string difference(const RunDescription& now, const RunDescription& then) {
  std::string text;
  const auto check = [&](const char* what, const auto& a, const auto& b) {
    if (a != b) text += std::string(text.empty() ? "" : ", ") + what;
  };
  check("the scheduler's settings or files", now.scheduler_settings, then.scheduler_settings);
  check("the world's settings", now.world_settings, then.world_settings);
  check("the trace", now.trace.digest, then.trace.digest);
  check("the selection of the trace", now.trace_selection, then.trace_selection);
  check("the trace's rules", now.rules, then.rules);
  check("the scale", now.scale, then.scale);
  check("the masters' settings", now.masters, then.masters);
  check("the machines", now.machines, then.machines);
  return text;
}

Experiment recorded_experiment(const std::filesystem::path& output, const RunDescription& run) {
  std::optional<std::filesystem::path> traces;
  if (const char* folder = std::getenv("TRACEBED_TRACES")) traces = folder;
  const std::filesystem::path file = run.experiment_file;
  const TraceFolders folders{file.parent_path(), traces, false};
  Experiment experiment = parse_experiment(run.experiment_text, run.experiment_file, folders,
                                           recorded_overrides(output));
  choose_schedulers({run.scheduler_label}, experiment);
  experiment.compare.baseline.clear();
  experiment.output = output;
  return experiment;
}

void make_noise(const SchedulerRegistry& schedulers, const std::filesystem::path& output,
                const RunDescription& baseline, std::uint32_t repetitions, RunObserver& observer) {
  if (baseline.world != "virtual") {
    refuse(output, fmt::format("it ran in the {} world, whose conditions cannot be reproduced; run "
                               "the experiment with --noise",
                               baseline.world));
  }
  Experiment experiment = recorded_experiment(output, baseline);
  experiment.repetitions = repetitions;
  const FileIdentity trace = identify_file(experiment.trace.file);
  if (trace.digest != baseline.trace.digest) {
    refuse(output, fmt::format("{} is no longer the trace that was replayed", trace.file));
  }
  const FinishedExperiment made =
      run_noise(experiment, this_host(schedulers, baseline.experiment_file), observer);
  if (made.failure) std::rethrow_exception(made.failure);
  if (made.is_cancelled) throw RunInterrupted();
  const RunDescription first = read_run_json(made.noise.front().folder / run_json_file).description;
  if (const std::string what = difference(first, baseline); !what.empty()) {
    refuse(output, fmt::format("since it ran, these have changed: {}", what));
  }
}

}  // namespace

void add_noise(const SchedulerRegistry& schedulers,
               const std::vector<std::filesystem::path>& outputs, std::string baseline,
               RunObserver& observer) {
  bool is_found = false;
  for (const std::filesystem::path& output : outputs) {
    const std::vector<RunDescription> runs = recorded_runs(output);
    if (baseline.empty() && !runs.empty()) baseline = runs.front().scheduler_label;
    const auto is_baseline = [&](const RunDescription& run) {
      return run.scheduler_label == baseline;
    };
    const auto first = std::find_if(runs.begin(), runs.end(), is_baseline);
    if (first == runs.end()) continue;
    is_found = true;
    const auto noise = std::find_if(runs.begin(), runs.end(),
                                    [](const RunDescription& run) { return run.is_noise; });
    if (noise != runs.end() && is_baseline(*noise)) continue;
    if (noise != runs.end()) {
      refuse(output,
             fmt::format("its noise runs are of {}; compare with --baseline {}, or remove {}",
                         noise->scheduler_label, noise->scheduler_label,
                         (output / noise_folder).string()));
    }
    if (std::filesystem::exists(output / noise_folder)) {
      refuse(output, fmt::format("{} is in the way", (output / noise_folder).string()));
    }
    const auto repetitions = std::count_if(runs.begin(), runs.end(), is_baseline);
    try {
      make_noise(schedulers, output, *first, static_cast<std::uint32_t>(repetitions), observer);
    } catch (...) {
      std::error_code ignored;
      std::filesystem::remove_all(output / noise_folder, ignored);
      throw;
    }
  }
  if (is_found) return;
  throw InputError(
      fmt::format("expected runs of the baseline {} in one of the folders, got none", baseline));
}

}  // namespace tracebed
