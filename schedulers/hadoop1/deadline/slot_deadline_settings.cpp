#include "schedulers/hadoop1/deadline/slot_deadline_settings.h"

#include <array>

#include "schedulers/hadoop1/delayed_jobs.h"

namespace tracebed {
namespace {

constexpr std::int64_t day_ms = 86'400'000;

constexpr SettingDescription map_length{
    "map_ms", "0",
    "what a map takes while none of the job or of its user has ended, in milliseconds; 0: unknown"};
constexpr SettingDescription reduce_length{"reduce_ms", "0", "the same of a reduce"};

void read_common(SettingReader& reader, SlotDeadlineSettings& settings) {
  settings.slots = read_slot_rule(reader);
  settings.order = read_turn_order(reader);
  settings.lengths.map = reader.milliseconds_of("map_ms", 0, day_ms);
  settings.lengths.reduce = reader.milliseconds_of("reduce_ms", 0, day_ms);
  settings.delays = read_map_delays(reader);
}

}  // namespace

const std::vector<SettingDescription>& slot_soft_deadline_setting_descriptions() {
  constexpr std::array own{
      SettingDescription{"missed", "hurry",
                         "what a job needs after its deadline: `hurry`: a slot for each of its "
                         "tasks; `wait`: none, so that it gets what others leave"},
      SettingDescription{"updates_every_ms", "1000",
                         "interval at which it is reckoned anew how many slots jobs need, in "
                         "milliseconds"},
      map_length,
      reduce_length,
      node_delay_setting,
      rack_delay_setting};
  static const std::vector<SettingDescription> all = with_slot_settings(own);
  return all;
}

const std::vector<SettingDescription>& slot_hard_deadline_setting_descriptions() {
  constexpr std::array own{
      SettingDescription{"transfer_ms", "0",
                         "what the transfer of a job's map output takes, in milliseconds"},
      map_length, reduce_length, node_delay_setting, rack_delay_setting};
  static const std::vector<SettingDescription> all = with_slot_settings(own);
  return all;
}

Result<SlotDeadlineSettings> read_slot_soft_deadline_settings(
    const SchedulerParameters& parameters) {
  const Result<SettingValues> values = with_mapred_site(parameters, {});
  if (!values) return values.error();
  SettingReader reader("scheduler slot_soft_deadline", slot_soft_deadline_setting_descriptions(),
                       *values);
  SlotDeadlineSettings settings;
  read_common(reader, settings);
  settings.hurries_when_missed = reader.choice("missed", {"hurry", "wait"}) == 0;
  settings.update_interval = reader.milliseconds_of("updates_every_ms", 1, day_ms);
  if (const Status status = reader.status(); !status) return status.error();
  return settings;
}

Result<SlotDeadlineSettings> read_slot_hard_deadline_settings(
    const SchedulerParameters& parameters) {
  const Result<SettingValues> values = with_mapred_site(parameters, {});
  if (!values) return values.error();
  SettingReader reader("scheduler slot_hard_deadline", slot_hard_deadline_setting_descriptions(),
                       *values);
  SlotDeadlineSettings settings;
  settings.kind = SlotDeadlineSettings::Kind::hard;
  read_common(reader, settings);
  settings.transfer = reader.milliseconds_of("transfer_ms", 0, day_ms);
  if (const Status status = reader.status(); !status) return status.error();
  return settings;
}

}  // namespace tracebed
