#include "coordinator/runner/replay_plans.h"

#include <fmt/format.h>

#include "coordinator/runner/repetitions.h"
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

ReplayPlan plan_of(const ResolvedExperiment& experiment,
                   const ScheduledConfigurations& configurations, std::uint32_t repetition,
                   const std::filesystem::path& output) {
  ReplayPlan plan;
  plan.configurations = &configurations;
  plan.repetition = repetition;
  plan.seed = repetition_seed(experiment.seed, repetition);
  plan.trace_seed = plan.seed;
  plan.folder = output / configurations.scheduler.label;
  if (experiment.repetitions > 1) plan.folder /= fmt::format("r{}", repetition);
  check_is_free(plan.folder);
  return plan;
}

}  // namespace

std::vector<ReplayPlan> plans_of(const ResolvedExperiment& experiment) {
  std::vector<ReplayPlan> plans;
  for (std::uint32_t repetition = 1; repetition <= experiment.repetitions; ++repetition) {
    for (const ScheduledConfigurations& scheduler : experiment.schedulers) {
      plans.push_back(plan_of(experiment, scheduler, repetition, experiment.output));
      plans.back().position = static_cast<std::uint32_t>(plans.size());
    }
  }
  return plans;
}

std::vector<ReplayPlan> noise_plans_of(const ResolvedExperiment& experiment,
                                       std::size_t replays_before) {
  std::vector<ReplayPlan> plans;
  for (std::uint32_t repetition = 1; repetition <= experiment.repetitions; ++repetition) {
    ReplayPlan& plan =
        plans.emplace_back(plan_of(experiment, experiment.schedulers[experiment.baseline],
                                   repetition, experiment.output / noise_folder));
    plan.seed = noise_seed(experiment.seed, repetition);
    plan.is_noise = true;
    plan.position = static_cast<std::uint32_t>(replays_before + plans.size());
  }
  return plans;
}

}  // namespace tracebed
