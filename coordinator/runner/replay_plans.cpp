#include "coordinator/runner/replay_plans.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/runner/choices.h"
#include "coordinator/runner/repetitions.h"
#include "coordinator/runner/scheduler_files.h"
#include "core/input_error.h"
#include "report/run_json.h"

namespace tracebed {
namespace {

// A run is never written over another; better said before hours of it than after.
void check_is_free(const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder / run_json_file)) {
    throw EnvironmentError(fmt::format(
        "{} already holds a run; choose another output folder or remove it", folder.string()));
  }
}

// The scheduler as the refresh wants it: settings that it does not name stay.
SchedulerChoice refreshed(const SchedulerChoice& scheduler, const RefreshChoice& refresh) {
  SchedulerChoice choice = scheduler;
  choice.where = refresh.where;
  for (const Setting& setting : refresh.settings) {
    std::erase_if(choice.settings,
                  [&](const Setting& earlier) { return earlier.key == setting.key; });
    choice.settings.push_back(setting);
  }
  return choice;
}

ReplayPlan plan_of(const SchedulerRegistry& schedulers, const Experiment& experiment,
                   const SitedExperiment& sited, const SchedulerChoice& scheduler,
                   std::uint32_t repetition, const std::filesystem::path& output) {
  ReplayPlan plan;
  plan.repetition = repetition;
  plan.seed = repetition_seed(experiment.seed, repetition);
  plan.trace_seed = plan.seed;
  plan.folder = output / scheduler.label;
  if (experiment.repetitions > 1) plan.folder /= fmt::format("r{}", repetition);
  check_is_free(plan.folder);
  plan.refreshes = refreshes_of(experiment, scheduler);
  for (auto& [at, refresh] : plan.refreshes) {
    refresh = complete_choice(schedulers, refresh, experiment.scale);
  }
  plan.scheduler = complete_choice(schedulers, scheduler, experiment.scale);
  plan.entry = schedulers.find(scheduler.name);
  plan.remarks =
      passed_over(schedulers, scheduler, ResourceDimensions(experiment.cluster.extra_dimensions));
  plan.remarks.insert(plan.remarks.end(), sited.remarks.begin(), sited.remarks.end());
  for (std::string& remark : changed_by_scale(schedulers, plan.scheduler, experiment.scale)) {
    plan.remarks.push_back(std::move(remark));
  }
  return plan;
}

}  // namespace

std::vector<std::pair<TraceTime, SchedulerChoice>> refreshes_of(const Experiment& experiment,
                                                                const SchedulerChoice& scheduler) {
  std::vector<std::pair<TraceTime, SchedulerChoice>> refreshes;
  SchedulerChoice latest = scheduler;
  for (const RefreshChoice& refresh : experiment.refreshes) {
    if (refresh.scheduler != scheduler.label) continue;
    latest = refreshed(latest, refresh);
    refreshes.emplace_back(refresh.at, latest);
  }
  return refreshes;
}

const SchedulerChoice& baseline_of(const Experiment& experiment) {
  const std::string& wanted = experiment.compare.baseline;
  if (wanted.empty()) return experiment.schedulers.front();
  const auto found =
      std::find_if(experiment.schedulers.begin(), experiment.schedulers.end(),
                   [&](const SchedulerChoice& choice) { return choice.label == wanted; });
  if (found != experiment.schedulers.end()) return *found;
  throw InputError(
      fmt::format("{}: expected the label of one of the experiment's schedulers, got \"{}\"",
                  experiment.compare.baseline_where, wanted));
}

std::vector<ReplayPlan> plans_of(const SchedulerRegistry& schedulers, const Experiment& experiment,
                                 const SitedExperiment& sited) {
  std::vector<ReplayPlan> plans;
  for (std::uint32_t repetition = 1; repetition <= experiment.repetitions; ++repetition) {
    for (const SchedulerChoice& scheduler : experiment.schedulers) {
      plans.push_back(
          plan_of(schedulers, experiment, sited, scheduler, repetition, experiment.output));
      plans.back().position = static_cast<std::uint32_t>(plans.size());
    }
  }
  return plans;
}

std::vector<ReplayPlan> noise_plans_of(const SchedulerRegistry& schedulers,
                                       const Experiment& experiment, const SitedExperiment& sited,
                                       std::size_t replays_before) {
  std::vector<ReplayPlan> plans;
  for (std::uint32_t repetition = 1; repetition <= experiment.repetitions; ++repetition) {
    ReplayPlan& plan =
        plans.emplace_back(plan_of(schedulers, experiment, sited, baseline_of(experiment),
                                   repetition, experiment.output / noise_folder));
    plan.seed = noise_seed(experiment.seed, repetition);
    plan.is_noise = true;
    plan.position = static_cast<std::uint32_t>(replays_before + plans.size());
  }
  return plans;
}

}  // namespace tracebed
