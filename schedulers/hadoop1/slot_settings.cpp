#include "schedulers/hadoop1/slot_settings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/property_reader.h"

namespace tracebed {
namespace {

constexpr std::int64_t slots_max = 1'000'000;

constexpr std::array descriptions{
    SettingDescription{"slots", "0",
                       "slots per node, divided by slot_split; 0: one per whole core of the scaled "
                       "node, at least two"},
    SettingDescription{"slot_split", "total",
                       "`total`: `slots` are for maps and reduces together, max(1, round(n/4)) of "
                       "them for reduces; `each`: as many for maps and as many for reduces"},
    SettingDescription{"map_slots", "0",
                       "map slots per node; 0: derived from slots and slot_split "
                       "(mapred.tasktracker.map.tasks.maximum)"},
    SettingDescription{"reduce_slots", "0",
                       "reduce slots per node; 0: derived from slots and slot_split "
                       "(mapred.tasktracker.reduce.tasks.maximum)"},
    SettingDescription{"slots_follow_load", "false",
                       "`true`: with each heartbeat a node has the slots that are in use, and of "
                       "its number the part that its measured load leaves of vcores or memory"},
    SettingDescription{"node_order", "arrival",
                       "in which order nodes that sent heartbeats get tasks: as they came "
                       "(`arrival`), or `least_loaded` or `most_loaded` first, as measured"},
    SettingDescription{"node_order_ms", "2000",
                       "how long heartbeats are gathered for an order by load"},
    SettingDescription{
        mapred_site_file, "",
        "path of a mapred-site.xml; its values apply to settings that are not given here", true},
};

using Form = MapredProperty::Form;
constexpr std::array properties_of_slots{
    MapredProperty{"mapred.tasktracker.map.tasks.maximum", "map_slots"},
    MapredProperty{"mapred.tasktracker.reduce.tasks.maximum", "reduce_slots"},
};

std::string value_of(PropertyReader& reader, const MapredProperty& entry) {
  constexpr double most = std::numeric_limits<double>::max();
  switch (entry.form) {
    case Form::whole:
      return std::to_string(reader.integer(entry.property, 0));
    case Form::number:
      (void)reader.number(entry.property, 0, -most, most);
      return reader.text(entry.property, "0");
    case Form::boolean:
      return reader.flag(entry.property, false) ? "true" : "false";
    case Form::text:
      break;
  }
  return reader.text(entry.property, "");
}

}  // namespace

std::vector<SettingDescription> with_slot_settings(std::span<const SettingDescription> own) {
  std::vector<SettingDescription> all(own.begin(), own.end());
  all.insert(all.end(), descriptions.begin(), descriptions.end());
  return all;
}

std::span<const MapredProperty> slot_properties() {
  return properties_of_slots;
}

SlotRule read_slot_rule(SettingReader& reader) {
  SlotRule rule;
  rule.per_node = reader.integer("slots", 0, slots_max);
  rule.is_of_each = reader.choice("slot_split", {"total", "each"}) == 1;
  rule.stated.map = reader.integer("map_slots", 0, slots_max);
  rule.stated.reduce = reader.integer("reduce_slots", 0, slots_max);
  rule.follows_load = reader.choice("slots_follow_load", {"false", "true"}) == 1;
  return rule;
}

TurnOrder read_turn_order(SettingReader& reader) {
  TurnOrder order;
  order.by = static_cast<TurnOrder::By>(
      reader.choice("node_order", {"arrival", "least_loaded", "most_loaded"}));
  order.gather = reader.milliseconds_of("node_order_ms", 0, SettingReader::milliseconds_max);
  return order;
}

Result<std::vector<FileSetting>> settings_in_mapred_site(const XmlElement& root,
                                                         std::span<const MapredProperty> own) {
  HadoopProperties properties;
  if (const Status status = properties.add(root); !status) {
    return about(mapred_site_file, status.error());
  }
  PropertyReader reader(properties);
  std::vector<FileSetting> settings;
  for (const auto& list : {slot_properties(), own}) {
    for (const MapredProperty& entry : list) {
      if (!reader.has(entry.property)) continue;
      settings.push_back(
          {std::string(entry.setting), value_of(reader, entry), properties.place(entry.property)});
    }
  }
  if (const Status status = reader.status(); !status) {
    return about(mapred_site_file, status.error());
  }
  return settings;
}

Result<SettingValues> with_mapred_site(const SchedulerParameters& parameters,
                                       std::span<const MapredProperty> own) {
  SettingValues values = parameters.settings;
  const auto document = parameters.documents.find(mapred_site_file);
  if (document == parameters.documents.end()) return values;
  Result<std::vector<FileSetting>> stated = settings_in_mapred_site(document->second, own);
  if (!stated) return stated.error();
  for (FileSetting& setting : *stated) values.try_emplace(setting.name, setting.value);
  return values;
}

std::vector<std::string> unread_in_mapred_site(const XmlElement& root,
                                               std::span<const MapredProperty> own) {
  HadoopProperties properties;
  if (!properties.add(root)) return {};
  std::vector<std::string> places;
  const auto is_read = [&](std::string_view name) {
    const auto names_it = [&](const MapredProperty& entry) { return entry.property == name; };
    return std::any_of(own.begin(), own.end(), names_it) ||
           std::any_of(properties_of_slots.begin(), properties_of_slots.end(), names_it);
  };
  // mapred-site.xml states much that is no matter of a scheduler; these are.
  constexpr std::array<std::string_view, 3> prefixes{
      "mapred.fairscheduler.", "mapred.capacity-scheduler.", "mapred.tasktracker."};
  for (const auto& [name, property] : properties.all()) {
    const bool is_ours =
        std::any_of(prefixes.begin(), prefixes.end(),
                    [&](std::string_view prefix) { return name.starts_with(prefix); });
    if (is_ours && !is_read(name)) places.push_back(properties.place(name));
  }
  return places;
}

}  // namespace tracebed
