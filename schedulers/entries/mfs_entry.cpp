// MFS as it is registered.
#include "schedulers/entries/entries.h"
#include "schedulers/multi_resource/mfs.h"

namespace tracebed {
namespace {

using MadeMfs = Result<std::unique_ptr<Scheduler>>;

MadeMfs make_mfs(const SchedulerEntry&, const SchedulerParameters& parameters) {
  Result<MfsSettings> settings = read_mfs_settings(parameters);
  if (!settings) return settings.error();
  if (parameters.names == nullptr) return Error{"scheduler mfs needs names of users and queues"};
  return MadeMfs(std::make_unique<MfsScheduler>(*std::move(settings), *parameters.names,
                                                parameters.dimensions));
}

}  // namespace

SchedulerEntry mfs_entry() {
  return {
      .name = "mfs",
      .summary =
          "Multi-resource fair: a node's next task is one of the group, and of its job, with "
          "the least dominant share.",
      .source = "Ma et al. 2012, MFS, figures 1 to 3; dominant shares: Ghodsi et al., NSDI 2011",
      .settings = mfs_setting_descriptions(),
      .make = make_mfs};
}

}  // namespace tracebed
