// Settings of Hadoop 1's schedulers with deadlines.
#pragma once

#include <vector>

#include "core/time.h"
#include "schedulers/hadoop1/map_delay.h"
#include "schedulers/hadoop1/slot_settings.h"

namespace tracebed {

struct SlotDeadlineSettings {
  enum class Kind : std::uint8_t { soft, hard };
  Kind kind = Kind::soft;
  SlotRule slots;
  TurnOrder order;
  PerKind<Duration> lengths;  // of tasks of which nothing is known; zero: likewise
  // Soft: how often needs are reckoned anew, and whether those that are late need slots.
  Duration update_interval = seconds(1);
  bool hurries_when_missed = true;
  Duration transfer{};  // hard: of the map output
  MapDelays delays;     // none unless they are set
};

const std::vector<SettingDescription>& slot_soft_deadline_setting_descriptions();
const std::vector<SettingDescription>& slot_hard_deadline_setting_descriptions();
Result<SlotDeadlineSettings> read_slot_soft_deadline_settings(
    const SchedulerParameters& parameters);
Result<SlotDeadlineSettings> read_slot_hard_deadline_settings(
    const SchedulerParameters& parameters);

}  // namespace tracebed
