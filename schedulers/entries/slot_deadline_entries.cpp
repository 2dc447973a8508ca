// Hadoop 1's schedulers with deadlines as they are registered.
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/hadoop1/deadline/slot_deadline.h"

namespace tracebed {
namespace {

using MadeSlotDeadline = Result<std::unique_ptr<Scheduler>>;

MadeSlotDeadline made_of(const Result<SlotDeadlineSettings>& settings) {
  if (!settings) return settings.error();
  return MadeSlotDeadline(std::make_unique<SlotDeadlineScheduler>(*settings));
}

}  // namespace

SchedulerEntry slot_soft_deadline_entry() {
  return with_slot_files(
      {.name = "slot_soft_deadline",
       .summary =
           "Hadoop 1 with soft deadlines: jobs get the map and reduce slots with which they are "
           "estimated to end by their deadlines.",
       .source = "Polo et al., Performance-Driven Task Co-Scheduling for MapReduce Environments, "
                 "NOMS 2010",
       .settings = slot_soft_deadline_setting_descriptions(),
       .make =
           [](const SchedulerEntry&, const SchedulerParameters& parameters) {
             return made_of(read_slot_soft_deadline_settings(parameters));
           },
       .imitated = "Polo et al. (2010)",
       .differences = slot_soft_deadline_differences()});
}

SchedulerEntry slot_hard_deadline_entry() {
  return with_slot_files(
      {.name = "slot_hard_deadline",
       .summary =
           "Hadoop 1 with hard deadlines: a job is admitted if the least map and reduce slots with "
           "which it ends by its deadline are there, and rejected otherwise.",
       .source = "Kc and Anyanwu, Scheduling Hadoop Jobs to Meet Deadlines, CloudCom 2010",
       .settings = slot_hard_deadline_setting_descriptions(),
       .make =
           [](const SchedulerEntry&, const SchedulerParameters& parameters) {
             return made_of(read_slot_hard_deadline_settings(parameters));
           },
       .imitated = "Kc and Anyanwu (2010)",
       .differences = slot_hard_deadline_differences()});
}

}  // namespace tracebed
