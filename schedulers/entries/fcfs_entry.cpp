// First come, first served as it is registered.
#include "schedulers/entries/entries.h"
#include "schedulers/hpc/fcfs.h"
#include "schedulers/parts/entry_settings.h"

namespace tracebed {
namespace {

Result<std::unique_ptr<Scheduler>> make_fcfs(const SchedulerEntry& entry,
                                             const SchedulerParameters& parameters) {
  if (const Status status = reader_of(entry, parameters).status(); !status) return status.error();
  return Result<std::unique_ptr<Scheduler>>(std::make_unique<FcfsScheduler>());
}

}  // namespace

SchedulerEntry fcfs_entry() {
  return {.name = "fcfs",
          .summary =
              "First come, first served: the first application in the queue waits until all its "
              "units fit at once.",
          .source = "Feitelson and Rudolph 1995, space sharing without backfilling",
          .settings = {},
          .make = make_fcfs};
}

}  // namespace tracebed
