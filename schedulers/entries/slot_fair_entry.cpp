// Hadoop 1's Fair Scheduler as it is registered.
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/entries/slots_of_machines.h"
#include "schedulers/hadoop1/explain/explain_slots.h"
#include "schedulers/hadoop1/fair/slot_fair.h"
#include "schedulers/hadoop1/fair/slot_fair_settings.h"
#include "schedulers/yarn/configuration/absolute_amounts.h"

namespace tracebed {
namespace {

using MadeSlotFair = Result<std::unique_ptr<Scheduler>>;

MadeSlotFair make_slot_fair(const SchedulerEntry&, const SchedulerParameters& parameters) {
  auto made = SlotFairScheduler::make(parameters);
  if (!made) return made.error();
  return MadeSlotFair(std::move(made).value());
}

Result<std::vector<FileSetting>> settings_of_slot_fair_file(const SchedulerFile& file) {
  if (file.setting != mapred_site_file) return std::vector<FileSetting>();
  return settings_in_mapred_site(file.root, slot_fair_properties());
}

std::vector<std::string> unread_by_slot_fair(const SchedulerFile& file) {
  if (file.setting == mapred_site_file) {
    return as_unknown(unread_in_mapred_site(file.root, slot_fair_properties()));
  }
  const auto generation = file.settings.find("generation");
  const bool is_old = generation != file.settings.end() && generation->second == "0.20";
  const auto read = read_pool_allocations(
      file.root, is_old ? SlotFairGeneration::deficits : SlotFairGeneration::ratios);
  return read ? as_unknown(read->unread) : std::vector<std::string>();
}

Result<ExplainedFile> explain_slot_fair(const SchedulerFile& file,
                                        std::span<const ExplainedMachines> machines) {
  SettingReader reader("scheduler slot_fair", slot_fair_setting_descriptions(), file.settings);
  const auto generation = reader.choice("generation", {"0.20", "1.x"}) == 0
                              ? SlotFairGeneration::deficits
                              : SlotFairGeneration::ratios;
  const SlotRule rule = read_slot_rule(reader);
  if (const Status status = reader.status(); !status) return status.error();
  const Result<PoolAllocations> allocations = read_pool_allocations(file.root, generation);
  if (!allocations) return allocations.error();
  return ExplainedFile{explain_pools(*allocations, generation, slots_of_machines(rule, machines)),
                       as_unknown(allocations->unread)};
}

}  // namespace

SchedulerEntry slot_fair_entry() {
  return {.name = "slot_fair",
          .summary =
              "Hadoop 1's Fair Scheduler: pools share map and reduce slots, by ratio (1.x) or by "
              "deficit (0.20).",
          .source = "Apache Hadoop 0.20.2 and 1.2.1, org.apache.hadoop.mapred.FairScheduler",
          .settings = slot_fair_setting_descriptions(),
          .make = make_slot_fair,
          .imitated = "Hadoop 1",
          .differences = slot_fair_differences(),
          .file_root = "allocations",
          .explainer = FileExplainer{.settings = {"generation", "slots", "slot_split", "map_slots",
                                                  "reduce_slots"},
                                     .is_own_file = is_pools_file,
                                     .amounts = {"fair_share_map", "fair_share_reduce"},
                                     .explain = explain_slot_fair},
          .settings_of_file = settings_of_slot_fair_file,
          .unread = unread_by_slot_fair,
          .absolute_amounts = absolute_amounts};
}

}  // namespace tracebed
