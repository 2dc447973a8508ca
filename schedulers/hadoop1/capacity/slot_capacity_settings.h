// The settings of Hadoop 1's Capacity Scheduler: its generation, capacity-scheduler.xml, and the
// properties of mapred-site.xml that concern it.
#pragma once

#include <vector>

#include "schedulers/hadoop1/capacity/slot_queues.h"
#include "schedulers/hadoop1/slot_settings.h"

namespace tracebed {

struct SlotCapacitySettings {
  SlotRule slots;
  TurnOrder order;
  SlotCapacityGeneration generation = SlotCapacityGeneration::has_maxima;
  SlotQueueRulesFile file;
  SlotSizes sizes;                     // mapred.cluster.{map,reduce}.memory.mb
  PerKind<std::int64_t> task_mib_max;  // mapred.cluster.max.{map,reduce}.memory.mb; 0: any
  Duration heartbeat = seconds(3);
};

const std::vector<SettingDescription>& slot_capacity_setting_descriptions();
std::span<const MapredProperty> slot_capacity_properties();

SlotCapacityGeneration read_slot_capacity_generation(SettingReader& reader);

// Without a file there is one queue, default, with all slots. Fails with a sentence that names the
// setting or property, what was expected and what was found; also for a setting that the generation
// does not have.
Result<SlotCapacitySettings> read_slot_capacity_settings(const SchedulerParameters& parameters);

}  // namespace tracebed
