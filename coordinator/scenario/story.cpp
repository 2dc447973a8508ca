#include "coordinator/scenario/story.h"

#include "coordinator/resolving/resolved_scheduler.h"
#include "coordinator/scenario/expectations.h"
#include "coordinator/scenario/player.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

PlayedStep play_refusal(const Scenario& scenario, const SchedulerRegistry& schedulers) {
  PlayedStep step{"the scheduler is to be refused", {}, false, {}, {}};
  const Names names;
  try {
    (void)make_scheduler(resolve_scheduler(schedulers, scenario.scheduler, scenario.dimensions),
                         {scenario.seed, names, scenario.dimensions});
    step.facts["refused"] = "";
  } catch (const InputError& error) {
    step.facts["refused"] = error.what();
  }
  const ExpectedFact expected{scenario.scheduler.where, "refused", scenario.refused};
  step.unmet = unmet(std::span(&expected, 1), step.facts);
  return step;
}

}  // namespace

void play(const Scenario& scenario, const SchedulerRegistry& schedulers,
          const StepListener& listener) {
  if (!scenario.refused.empty()) return listener(play_refusal(scenario, schedulers));
  Player player(scenario, schedulers);
  listener(player.start());
  for (const ScenarioStep& step : scenario.steps) listener(player.perform(step));
}

std::vector<PlayedStep> play(const Scenario& scenario, const SchedulerRegistry& schedulers) {
  std::vector<PlayedStep> steps;
  play(scenario, schedulers, [&](PlayedStep step) { steps.push_back(std::move(step)); });
  return steps;
}

}  // namespace tracebed
