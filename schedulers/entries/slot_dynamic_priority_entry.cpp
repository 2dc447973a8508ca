// Hadoop 1's dynamic priority scheduler as it is registered.
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/hadoop1/bids/slot_dynamic_priority.h"

namespace tracebed {
namespace {

using MadeDynamicPriority = Result<std::unique_ptr<Scheduler>>;

MadeDynamicPriority make_slot_dynamic_priority(const SchedulerEntry&,
                                               const SchedulerParameters& parameters) {
  Result<SlotDynamicPrioritySettings> settings = read_slot_dynamic_priority_settings(parameters);
  if (!settings) return settings.error();
  return MadeDynamicPriority(
      std::make_unique<SlotDynamicPriorityScheduler>(std::move(*settings), parameters.names));
}

}  // namespace

SchedulerEntry slot_dynamic_priority_entry() {
  return with_slot_files(
      {.name = "slot_dynamic_priority",
       .summary =
           "Hadoop's dynamic priority scheduler: users bid a spending rate, and share map and "
           "reduce slots in proportion to their bids while their budgets last.",
       .source = "Sandholm and Lai, JSSPP 2010; Apache Hadoop 0.21, contrib/dynamic-scheduler",
       .settings = slot_dynamic_priority_setting_descriptions(),
       .make = make_slot_dynamic_priority,
       .imitated = "Hadoop 1",
       .differences = slot_dynamic_priority_differences()});
}

}  // namespace tracebed
