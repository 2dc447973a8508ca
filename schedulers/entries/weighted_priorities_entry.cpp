// Weighted priorities as they are registered.
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/weighted/weighted_scheduler.h"

namespace tracebed {
namespace {

Result<std::unique_ptr<Scheduler>> make_weighted(const SchedulerEntry&,
                                                 const SchedulerParameters& parameters) {
  const Result<WeightedSettings> settings = read_weighted_settings(parameters);
  if (!settings) return settings.error();
  return Result<std::unique_ptr<Scheduler>>(std::make_unique<WeightedScheduler>(
      *settings, parameters.dimensions.size(), parameters.names));
}

}  // namespace

SchedulerEntry weighted_priorities_entry() {
  return {
      .name = "weighted_priorities",
      .summary =
          "Predicates, then priorities: each unit goes to the node that meets all predicates "
          "and has the largest weighted sum of priorities.",
      .source = "Kubernetes 1.5, plugin/pkg/scheduler/algorithm; Du et al., formulas (1) and (7)",
      .settings = weighted_setting_descriptions(),
      .make = make_weighted,
      .imitated = "Kubernetes 1.5",
      .differences = weighted_priorities_differences(),
      .draws = "choices between equal nodes"};
}

}  // namespace tracebed
