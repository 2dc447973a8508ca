// MFS, DRF, hierarchical DRF and Tetris as they are registered.
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/multi_resource/hierarchical_scheduler.h"
#include "schedulers/multi_resource/share_scheduler.h"
#include "schedulers/multi_resource/tetris.h"

namespace tracebed {
namespace {

using MadeShares = Result<std::unique_ptr<Scheduler>>;

template <class Made, class Settings>
MadeShares make_shares(Result<Settings> settings, const SchedulerEntry& entry,
                       const SchedulerParameters& parameters) {
  if (!settings) return settings.error();
  if (parameters.names == nullptr) {
    return Error{"scheduler " + std::string(entry.name) + " needs names of users and queues"};
  }
  return MadeShares(std::make_unique<Made>(std::move(settings).value(), *parameters.names,
                                           parameters.dimensions));
}

MadeShares make_mfs(const SchedulerEntry& entry, const SchedulerParameters& parameters) {
  return make_shares<ShareScheduler>(read_mfs_settings(parameters), entry, parameters);
}

MadeShares make_drf(const SchedulerEntry& entry, const SchedulerParameters& parameters) {
  return make_shares<ShareScheduler>(read_drf_settings(parameters), entry, parameters);
}

MadeShares make_hdrf(const SchedulerEntry& entry, const SchedulerParameters& parameters) {
  return make_shares<HierarchicalScheduler>(read_hdrf_settings(parameters), entry, parameters);
}

MadeShares make_tetris(const SchedulerEntry&, const SchedulerParameters& parameters) {
  const auto settings = read_tetris_settings(parameters);
  if (!settings) return settings.error();
  return MadeShares(std::make_unique<TetrisScheduler>(settings.value(), parameters.dimensions));
}

}  // namespace

SchedulerEntry drf_entry() {
  return {
      .name = "drf",
      .summary =
          "Dominant resource fairness: the next task is one of the user with the least dominant "
          "share; also asset fairness and competitive equilibrium from equal incomes.",
      .source = "Ghodsi et al., NSDI 2011, algorithm 1 and section 5",
      .settings = drf_setting_descriptions(),
      .make = make_drf,
      .imitated = "Ghodsi et al. (2011)",
      .differences = drf_differences()};
}

SchedulerEntry hdrf_entry() {
  return {
      .name = "hdrf",
      .summary =
          "Hierarchical dominant resource fairness: from the root of a tree of queues on, the next "
          "task is one of the child with the least dominant share that is not blocked.",
      .source = "Bhattacharya et al., SoCC 2013, the dynamic algorithm",
      .settings = hdrf_setting_descriptions(),
      .make = make_hdrf,
      .imitated = "Bhattacharya et al. (2013)",
      .differences = hdrf_differences()};
}

SchedulerEntry mfs_entry() {
  return {
      .name = "mfs",
      .summary =
          "Multi-resource fair: a node's next task is one of the group, and of its job, with "
          "the least dominant share.",
      .source = "Ma et al. 2012, MFS, figures 1 to 3; dominant shares: Ghodsi et al., NSDI 2011",
      .settings = mfs_setting_descriptions(),
      .make = make_mfs,
      .imitated = "Ma et al. (2012)",
      .differences = mfs_differences()};
}

SchedulerEntry tetris_entry() {
  return {.name = "tetris",
          .summary =
              "Tetris: a node's next task is the one that is best aligned with what is free there, "
              "less the remaining work of its job, among the jobs furthest below their fair share.",
          .source = "Grandl et al., SIGCOMM 2014, section 3",
          .settings = tetris_setting_descriptions(),
          .make = make_tetris,
          .imitated = "Grandl et al. (2014)",
          .differences = tetris_differences()};
}

}  // namespace tracebed
