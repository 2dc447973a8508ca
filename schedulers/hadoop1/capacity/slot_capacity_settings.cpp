#include "schedulers/hadoop1/capacity/slot_capacity_settings.h"

#include <array>

#include "core/text.h"
#include "schedulers/parts/assumed_heartbeat.h"

namespace tracebed {
namespace {

using Form = MapredProperty::Form;

constexpr std::array capacity_properties{
    MapredProperty{"mapred.queue.names", "queue_names", Form::text},
    MapredProperty{"mapred.cluster.map.memory.mb", "map_slot_mib"},
    MapredProperty{"mapred.cluster.reduce.memory.mb", "reduce_slot_mib"},
    MapredProperty{"mapred.cluster.max.map.memory.mb", "map_task_max_mib"},
    MapredProperty{"mapred.cluster.max.reduce.memory.mb", "reduce_task_max_mib"},
};

constexpr std::array capacity_settings{
    SettingDescription{
        "config", "",
        "path of a capacity-scheduler.xml; without one, the queue default has all slots", true},
    SettingDescription{
        "generation", "1.x",
        "`0.20.0`: capacity is reclaimed by a deadline; `0.20.2`: user limits with a second pass, "
        "and tasks of several slots; `1.x`: maximum capacities of queues and users"},
    SettingDescription{
        "queue_names", "",
        "names of the queues, separated by commas; empty: those in the file (mapred.queue.names)"},
    SettingDescription{
        "map_slot_mib", "-1",
        "memory of a map slot: larger tasks take several; if this or any of the next three is -1, "
        "every task takes one (0.20.2, 1.x; mapred.cluster.map.memory.mb)"},
    SettingDescription{"reduce_slot_mib", "-1", "memory of a reduce slot"},
    SettingDescription{
        "map_task_max_mib", "-1",
        "maximum memory of a map; jobs above it are refused (mapred.cluster.max.map.memory.mb)"},
    SettingDescription{"reduce_task_max_mib", "-1", "the same for reduces"},
    SettingDescription{"heartbeat_ms", "0",
                       "heartbeat interval that is assumed: tasks are killed three heartbeats "
                       "before the deadline (0.20.0); 0: that of the cluster's nodes"},
};

Result<SlotQueueRulesFile> read_file(const SchedulerParameters& parameters,
                                     const SettingValues& values,
                                     SlotCapacityGeneration generation) {
  std::vector<std::string> names;
  const auto given = values.find("queue_names");
  if (given != values.end()) names = split_list(given->second);
  const auto document = parameters.documents.find("config");
  if (document != parameters.documents.end()) {
    Result<SlotQueueRulesFile> read = read_slot_queues(document->second, names, generation);
    if (!read) return about("config", read.error());
    return read;
  }
  if (names.size() > 1 || (names.size() == 1 && names.front() != "default")) {
    return Error{
        "scheduler slot_capacity, setting config: expected the path of a capacity-scheduler.xml, "
        "since there are other queues than default, got none",
        "queue_names"};
  }
  XmlElement root;
  root.name = "configuration";
  root.where = "no file";
  const char* key = generation == SlotCapacityGeneration::reclaims
                        ? "mapred.capacity-scheduler.queue.default.guaranteed-capacity"
                        : "mapred.capacity-scheduler.queue.default.capacity";
  XmlElement property;
  property.name = "property";
  property.attributes = {{"name", key}, {"value", "100"}};
  root.children.push_back(std::move(property));
  return read_slot_queues(root, {"default"}, generation);
}

}  // namespace

const std::vector<SettingDescription>& slot_capacity_setting_descriptions() {
  static const std::vector<SettingDescription> all = with_slot_settings(capacity_settings);
  return all;
}

std::span<const MapredProperty> slot_capacity_properties() {
  return capacity_properties;
}

SlotCapacityGeneration read_slot_capacity_generation(SettingReader& reader) {
  return static_cast<SlotCapacityGeneration>(
      reader.choice("generation", {"0.20.0", "0.20.2", "1.x"}));
}

Result<SlotCapacitySettings> read_slot_capacity_settings(const SchedulerParameters& parameters) {
  Result<SettingValues> values = with_mapred_site(parameters, capacity_properties);
  if (!values) return values.error();
  SettingReader reader("scheduler slot_capacity", slot_capacity_setting_descriptions(), *values);
  SlotCapacitySettings settings;
  settings.slots = read_slot_rule(reader);
  settings.order = read_turn_order(reader);
  settings.generation = read_slot_capacity_generation(reader);
  constexpr std::int64_t mib_max = std::int64_t{1} << 40;
  const PerKind<std::int64_t> sizes{.map = reader.integer("map_slot_mib", -1, mib_max),
                                    .reduce = reader.integer("reduce_slot_mib", -1, mib_max)};
  const PerKind<std::int64_t> most{.map = reader.integer("map_task_max_mib", -1, mib_max),
                                   .reduce = reader.integer("reduce_task_max_mib", -1, mib_max)};
  settings.heartbeat =
      assumed_heartbeat(reader, "heartbeat_ms", parameters.heartbeat, settings.heartbeat);
  if (const Status status = reader.status(); !status) return status.error();
  // MemoryMatcher.isSchedulingBasedOnMemEnabled.
  const bool has_sizes = sizes.map > 0 && sizes.reduce > 0 && most.map > 0 && most.reduce > 0;
  if (has_sizes && settings.generation == SlotCapacityGeneration::reclaims) {
    return Error{
        "scheduler slot_capacity, setting map_slot_mib: expected generation 0.20.2 or 1.x, since "
        "in 0.20.0 every task takes one slot, got \"" +
            std::to_string(sizes.map) + "\"",
        "map_slot_mib"};
  }
  if (has_sizes) {
    settings.sizes.slot_mib = sizes;
    settings.task_mib_max = most;
  }
  Result<SlotQueueRulesFile> file = read_file(parameters, *values, settings.generation);
  if (!file) return file.error();
  settings.file = std::move(*file);
  return settings;
}

}  // namespace tracebed
