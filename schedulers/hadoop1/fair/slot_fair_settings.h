// The settings of Hadoop 1's Fair Scheduler outside its pools file: the properties
// mapred.fairscheduler.* of mapred-site.xml, and its generation.
#pragma once

#include <string>
#include <vector>

#include "schedulers/hadoop1/fair/pool_allocations.h"
#include "schedulers/hadoop1/map_delay.h"
#include "schedulers/hadoop1/slot_settings.h"
#include "schedulers/yarn/configuration/user_groups.h"

namespace tracebed {

struct SlotFairSettings {
  SlotRule slots;
  TurnOrder order;
  SlotFairGeneration generation = SlotFairGeneration::ratios;
  // What determines a job's pool (poolnameproperty): its user, the user's first group, or the job.
  enum class PoolBy : std::uint8_t { user, group, queue };
  PoolBy pool_by = PoolBy::user;
  bool allow_undeclared_pools = true;
  bool assigns_multiple = true;
  PerKind<std::int64_t> assigns_at_most{-1, -1};  // on one heartbeat; -1: as many as fit
  bool weighs_by_size = false;
  bool boosts_new_jobs = false;
  double boost_factor = 3;
  Duration boost_time = std::chrono::minutes(5);
  double load_difference = 0;
  bool reduces_wait_for_maps = true;  // 0.20: until one map and 5 % of the job's have ended
  Duration update_interval = milliseconds(500);
  MapDelays delays;  // after defaults are applied
  bool preempts = false;
  bool only_logs_preemption = false;  // counts what should be preempted, and preempts nothing
  Duration preemption_interval = seconds(15);
  bool asks_back = false;  // sends preemption requests instead of killing at once
  Duration wait_before_kill = seconds(15);
  UserGroups groups;
};

const std::vector<SettingDescription>& slot_fair_setting_descriptions();
std::span<const MapredProperty> slot_fair_properties();

// Fails with a sentence that names the setting or property, what was expected and what was found;
// also for a setting that the generation does not have.
Result<SlotFairSettings> read_slot_fair_settings(const SchedulerParameters& parameters);

}  // namespace tracebed
