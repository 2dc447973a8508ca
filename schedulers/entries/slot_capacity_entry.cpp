// Hadoop 1's Capacity Scheduler as it is registered.
#include "core/text.h"
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/entries/slots_of_machines.h"
#include "schedulers/hadoop1/capacity/slot_capacity.h"
#include "schedulers/hadoop1/capacity/slot_capacity_settings.h"
#include "schedulers/hadoop1/explain/explain_slots.h"

namespace tracebed {
namespace {

using MadeSlotCapacity = Result<std::unique_ptr<Scheduler>>;

MadeSlotCapacity make_slot_capacity(const SchedulerEntry&, const SchedulerParameters& parameters) {
  Result<SlotCapacitySettings> settings = read_slot_capacity_settings(parameters);
  if (!settings) return settings.error();
  return MadeSlotCapacity(
      std::make_unique<SlotCapacityScheduler>(std::move(settings).value(), parameters.names));
}

std::vector<std::string> queue_names_in(const SettingValues& settings) {
  const auto names = settings.find("queue_names");
  return names == settings.end() ? std::vector<std::string>() : split_list(names->second);
}

Result<std::vector<FileSetting>> settings_of_slot_capacity_file(const SchedulerFile& file) {
  if (file.setting != mapred_site_file) return std::vector<FileSetting>();
  return settings_in_mapred_site(file.root, slot_capacity_properties());
}

std::vector<std::string> unread_by_slot_capacity(const SchedulerFile& file) {
  if (file.setting == mapred_site_file) {
    return as_unknown(unread_in_mapred_site(file.root, slot_capacity_properties()));
  }
  SettingReader reader("scheduler slot_capacity", slot_capacity_setting_descriptions(),
                       file.settings);
  const auto read = read_slot_queues(file.root, queue_names_in(file.settings),
                                     read_slot_capacity_generation(reader));
  return read ? as_unknown(read->unread) : std::vector<std::string>();
}

Result<ExplainedFile> explain_slot_capacity(const SchedulerFile& file,
                                            std::span<const ExplainedMachines> machines) {
  SettingReader reader("scheduler slot_capacity", slot_capacity_setting_descriptions(),
                       file.settings);
  SlotCapacityGeneration generation = read_slot_capacity_generation(reader);
  const SlotRule rule = read_slot_rule(reader);
  if (const Status status = reader.status(); !status) return status.error();
  if (!file.settings.contains("generation")) {
    generation = generation_of_queues(file.root).value_or(generation);
  }
  const auto read = read_slot_queues(file.root, queue_names_in(file.settings), generation);
  if (!read) return read.error();
  return ExplainedFile{explain_slot_queues(*read, generation, slots_of_machines(rule, machines)),
                       as_unknown(read->unread)};
}

}  // namespace

SchedulerEntry slot_capacity_entry() {
  return {.name = "slot_capacity",
          .summary =
              "Hadoop 1's Capacity Scheduler of 0.20.0, 0.20.2 and 1.x: queues with shares of the "
              "map and reduce slots.",
          .source =
              "Apache Hadoop 0.20.0, 0.20.2 and 1.2.1, "
              "org.apache.hadoop.mapred.CapacityTaskScheduler",
          .settings = slot_capacity_setting_descriptions(),
          .make = make_slot_capacity,
          .imitated = "Hadoop 1",
          .differences = slot_capacity_differences(),
          .explainer = FileExplainer{.settings = {"generation", "queue_names", "slots",
                                                  "slot_split", "map_slots", "reduce_slots"},
                                     .is_own_file = is_slot_queues_file,
                                     .amounts = {"capacity_map", "capacity_reduce",
                                                 "maximum_capacity_map", "maximum_capacity_reduce"},
                                     .explain = explain_slot_capacity},
          .settings_of_file = settings_of_slot_capacity_file,
          .unread = unread_by_slot_capacity};
}

}  // namespace tracebed
