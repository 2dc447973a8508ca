// Hadoop 1's first scheduler as it is registered.
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/hadoop1/slot_fifo.h"

namespace tracebed {
namespace {

using MadeSlotFifo = Result<std::unique_ptr<Scheduler>>;

MadeSlotFifo make_slot_fifo(const SchedulerEntry&, const SchedulerParameters& parameters) {
  const Result<SlotFifoSettings> settings = read_slot_fifo_settings(parameters);
  if (!settings) return settings.error();
  return MadeSlotFifo(std::make_unique<SlotFifoScheduler>(*settings));
}

}  // namespace

SchedulerEntry slot_fifo_entry() {
  return {.name = "slot_fifo",
          .summary =
              "Hadoop 1's default scheduler: jobs in order of priority and submission, in map and "
              "reduce slots.",
          .source = "Apache Hadoop 0.20.2, org.apache.hadoop.mapred.JobQueueTaskScheduler",
          .settings = slot_fifo_setting_descriptions(),
          .make = make_slot_fifo,
          .imitated = "Hadoop 1",
          .differences = slot_fifo_differences(),
          .settings_of_file =
              [](const SchedulerFile& file) {
                return settings_in_mapred_site(file.root, slot_fifo_properties());
              },
          .unread =
              [](const SchedulerFile& file) {
                return as_unknown(unread_in_mapred_site(file.root, slot_fifo_properties()));
              }};
}

}  // namespace tracebed
