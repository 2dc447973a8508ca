// Settings that the slot schedulers of Hadoop 1 have in common, and the properties of
// mapred-site.xml that state the same (mapred-default.xml of Hadoop 0.20.2 and 1.2.1). An
// experiment's own setting overrides the file's.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/scheduler_parameters.h"
#include "core/settings.h"
#include "schedulers/hadoop1/node_turns.h"
#include "schedulers/hadoop1/slot_jobs.h"

namespace tracebed {

// A property of mapred-site.xml that is equivalent to a setting.
struct MapredProperty {
  enum class Form : std::uint8_t { text, whole, number, boolean };
  std::string_view property;
  std::string_view setting;
  Form form = Form::whole;
};

// The setting that names the file.
inline constexpr std::string_view mapred_site_file = "mapred_site";

// `slots`, `slot_split`, `map_slots`, `reduce_slots`, `slots_follow_load`, `node_order`,
// `node_order_ms`, `mapred_site`.
// A scheduler's own settings, followed by these.
std::vector<SettingDescription> with_slot_settings(std::span<const SettingDescription> own);
// Those of the slots, which each scheduler reads besides its own.
std::span<const MapredProperty> slot_properties();

SlotRule read_slot_rule(SettingReader& reader);
TurnOrder read_turn_order(SettingReader& reader);

// What the file states of the slots and of a scheduler's own settings. The error names file, line,
// property, what was expected and what was found.
Result<std::vector<FileSetting>> settings_in_mapred_site(const XmlElement& root,
                                                         std::span<const MapredProperty> own);

// The given settings, and for those that are not given the values in the file of the setting
// `mapred_site`, if any. Fails likewise.
Result<SettingValues> with_mapred_site(const SchedulerParameters& parameters,
                                       std::span<const MapredProperty> own);

// The places of those properties of the file that begin with one of the prefixes (or concern slots)
// and are ignored: "FILE:LINE: NAME".
std::vector<std::string> unread_in_mapred_site(const XmlElement& root,
                                               std::span<const MapredProperty> own);

}  // namespace tracebed
