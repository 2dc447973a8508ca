#include "schedulers/hadoop1/fair/slot_fair_settings.h"

#include <algorithm>
#include <array>

#include "schedulers/parts/assumed_heartbeat.h"

namespace tracebed {
namespace {

using Form = MapredProperty::Form;

constexpr std::array fair_properties{
    MapredProperty{"mapred.fairscheduler.assignmultiple", "assignmultiple", Form::boolean},
    MapredProperty{"mapred.fairscheduler.assignmultiple.maps", "assignmultiple_maps"},
    MapredProperty{"mapred.fairscheduler.assignmultiple.reduces", "assignmultiple_reduces"},
    MapredProperty{"mapred.fairscheduler.sizebasedweight", "sizebasedweight", Form::boolean},
    MapredProperty{"mapred.fairscheduler.weightadjuster", "weightadjuster", Form::text},
    MapredProperty{"mapred.newjobweightbooster.factor", "newjobweightbooster_factor", Form::number},
    MapredProperty{"mapred.newjobweightbooster.duration", "newjobweightbooster_duration_ms"},
    MapredProperty{"mapred.fairscheduler.load.max.diff", "load_max_diff", Form::number},
    MapredProperty{"mapred.fairscheduler.poolnameproperty", "poolnameproperty", Form::text},
    MapredProperty{"mapred.fairscheduler.allow.undeclared.pools", "undeclared_pools",
                   Form::boolean},
    MapredProperty{"mapred.fairscheduler.update.interval", "updates_every_ms"},
    MapredProperty{"mapred.fairscheduler.preemption", "preemption", Form::boolean},
    MapredProperty{"mapred.fairscheduler.preemption.only.log", "preemption_only_log",
                   Form::boolean},
    MapredProperty{"mapred.fairscheduler.preemption.interval", "preemption_interval_ms"},
    MapredProperty{"mapred.fairscheduler.locality.delay", "locality_delay_ms"},
    MapredProperty{"mapred.fairscheduler.locality.delay.node", "locality_delay_of_node_ms"},
    MapredProperty{"mapred.fairscheduler.locality.delay.rack", "locality_delay_of_rack_ms"},
};

// What generation 0.20 has not.
constexpr std::array<std::string_view, 11> late_settings{
    "assignmultiple_maps",      "assignmultiple_reduces",
    "undeclared_pools",         "preemption",
    "preemption_only_log",      "preemption_interval_ms",
    "preemption_delivery",      "preemption_wait_ms",
    "locality_delay_ms",        "locality_delay_of_node_ms",
    "locality_delay_of_rack_ms"};

constexpr std::string_view booster = "org.apache.hadoop.mapred.NewJobWeightBooster";

constexpr std::array fair_settings{
    SettingDescription{"config", "", "path of the pools file (fair-scheduler.xml)", true},
    SettingDescription{"generation", "1.x",
                       "`1.x`: by running tasks over weight, with preemption and delay "
                       "scheduling; `0.20`: by deficit"},
    SettingDescription{
        "poolnameproperty", "user.name",
        "property that names a job's pool: `user.name`, `group.name` (the first group), or any "
        "other, which means the job's queue; jobs without one go to the pool default"},
    SettingDescription{"undeclared_pools", "true",
                       "whether jobs may use pools that are not in the file (1.x; "
                       "mapred.fairscheduler.allow.undeclared.pools)"},
    SettingDescription{"assignmultiple", "generation",
                       "whether one heartbeat may assign several tasks (1.x: true), in 0.20 a map "
                       "and a reduce (false)"},
    SettingDescription{
        "assignmultiple_maps", "-1",
        "maximum number of maps per heartbeat with assign_multiple, -1: no limit (1.x)"},
    SettingDescription{
        "assignmultiple_reduces", "-1",
        "maximum number of reduces per heartbeat with assign_multiple, -1: no limit (1.x)"},
    SettingDescription{"sizebasedweight", "false",
                       "whether a job's weight is log2(1 + its running and runnable tasks)"},
    SettingDescription{
        "weightadjuster", "none",
        "`none`, or `org.apache.hadoop.mapred.NewJobWeightBooster`: new jobs have more weight"},
    SettingDescription{"newjobweightbooster_factor", "3",
                       "factor of the weight of new jobs, 0 to 1000"},
    SettingDescription{"newjobweightbooster_duration_ms", "300000", "how long a job counts as new"},
    SettingDescription{"load_max_diff", "0",
                       "tasks that a node may run beyond its even share of all tasks, as a "
                       "fraction of its slots, 0 to 1"},
    SettingDescription{"wait_for_maps_before_launching_reduces", "true",
                       "whether a job's reduces count only when at least one map and 5 % of its "
                       "maps have ended (0.20; in 1.x the job's own slow start applies)"},
    SettingDescription{"updates_every_ms", "500",
                       "interval at which ended tasks are counted and deficits are updated "
                       "(mapred.fairscheduler.update.interval)"},
    SettingDescription{"preemption", "false",
                       "whether starving pools preempt tasks of others (1.x)"},
    SettingDescription{
        "preemption_only_log", "false",
        "whether preemption is only reported: each pool shows how many tasks would have been "
        "preempted for it (1.x; mapred.fairscheduler.preemption.only.log)"},
    SettingDescription{"preemption_interval_ms", "15000",
                       "interval between preemption checks (1.x)"},
    SettingDescription{
        "preemption_delivery", "kill",
        "how tasks are preempted: `kill` (at once, as in Hadoop 1), or `contract` (requested, and "
        "killed at the deadline if their slots are still needed) (1.x)"},
    SettingDescription{"preemption_wait_ms", "15000",
                       "with `contract`: time until the deadline (1.x)"},
    SettingDescription{"locality_delay_ms", "-1",
                       "how long a job waits for a node with its input, and then for a node in its "
                       "rack; -1: min(15 s, 1.5 heartbeats) (1.x)"},
    SettingDescription{"locality_delay_of_node_ms", "-1",
                       "the same for the node only; without locality_delay_ms it applies only if "
                       "that for the rack is given, too (1.x)"},
    SettingDescription{"locality_delay_of_rack_ms", "-1", "the same for the rack (1.x)"},
    SettingDescription{"heartbeat_ms", "0",
                       "heartbeat interval that these delays assume; 0: that of the cluster's "
                       "nodes"},
    SettingDescription{"users_groups", "",
                       "groups of users: USER=GROUP+GROUP, separated by commas, the first group "
                       "first; a user who is not listed has one group of the same name"},
};

constexpr std::int64_t fair_milliseconds_max = std::int64_t{1} << 40;

// JobTracker.HEARTBEAT_INTERVAL_MIN_DEFAULT, of release 0.20.
constexpr Duration heartbeat_of_tracker = seconds(3);

MapDelays read_delays(SettingReader& reader, Duration heartbeat_of_run) {
  constexpr Duration automatic_max = seconds(15);
  const auto delay = [&](std::string_view name) {
    return reader.milliseconds_of(name, -1, fair_milliseconds_max);
  };
  const Duration none = milliseconds(-1);
  const Duration both = delay("locality_delay_ms");
  Duration node = delay("locality_delay_of_node_ms");
  Duration rack = delay("locality_delay_of_rack_ms");
  const Duration beat =
      assumed_heartbeat(reader, "heartbeat_ms", heartbeat_of_run, heartbeat_of_tracker);
  if (both == none && (node == none || rack == none)) {
    node = rack = std::min(automatic_max, beat + beat / 2);
  }
  return {.node = node == none ? both : node, .rack = rack == none ? both : rack};
}

Status check_generation(const SettingValues& values) {
  for (const std::string_view name : late_settings) {
    const auto given = values.find(name);
    if (given == values.end()) continue;
    const auto* const described =
        std::find_if(fair_settings.begin(), fair_settings.end(),
                     [&](const SettingDescription& setting) { return setting.name == name; });
    if (given->second == described->default_value) continue;
    return Error{"scheduler slot_fair, setting " + std::string(name) +
                     ": expected generation 1.x, since 0.20 has no such setting, got \"" +
                     given->second + "\"",
                 given->first};
  }
  return success();
}

}  // namespace

const std::vector<SettingDescription>& slot_fair_setting_descriptions() {
  static const std::vector<SettingDescription> all = with_slot_settings(fair_settings);
  return all;
}

std::span<const MapredProperty> slot_fair_properties() {
  return fair_properties;
}

Result<SlotFairSettings> read_slot_fair_settings(const SchedulerParameters& parameters) {
  Result<SettingValues> values = with_mapred_site(parameters, fair_properties);
  if (!values) return values.error();
  SettingReader reader("scheduler slot_fair", slot_fair_setting_descriptions(), *values);
  SlotFairSettings settings;
  settings.slots = read_slot_rule(reader);
  settings.order = read_turn_order(reader);
  const bool is_old = reader.choice("generation", {"0.20", "1.x"}) == 0;
  settings.generation = is_old ? SlotFairGeneration::deficits : SlotFairGeneration::ratios;
  settings.allow_undeclared_pools = reader.choice("undeclared_pools", {"false", "true"}) == 1;
  const std::size_t multiple = reader.choice("assignmultiple", {"false", "true", "generation"});
  settings.assigns_multiple = multiple == 1 || (multiple == 2 && !is_old);
  constexpr std::int64_t tasks_max = std::int64_t{1} << 30;
  settings.assigns_at_most.map = reader.integer("assignmultiple_maps", -1, tasks_max);
  settings.assigns_at_most.reduce = reader.integer("assignmultiple_reduces", -1, tasks_max);
  settings.weighs_by_size = reader.choice("sizebasedweight", {"false", "true"}) == 1;
  settings.boosts_new_jobs = reader.choice("weightadjuster", {"none", booster}) == 1;
  constexpr double factor_max = 1000;
  settings.boost_factor = reader.fraction("newjobweightbooster_factor", 0, factor_max);
  settings.boost_time =
      reader.milliseconds_of("newjobweightbooster_duration_ms", 0, fair_milliseconds_max);
  settings.load_difference = reader.fraction("load_max_diff", 0, 1);
  settings.reduces_wait_for_maps =
      reader.choice("wait_for_maps_before_launching_reduces", {"false", "true"}) == 1;
  settings.update_interval = reader.milliseconds_of("updates_every_ms", 1, fair_milliseconds_max);
  settings.preempts = reader.choice("preemption", {"false", "true"}) == 1;
  settings.only_logs_preemption = reader.choice("preemption_only_log", {"false", "true"}) == 1;
  settings.preemption_interval =
      reader.milliseconds_of("preemption_interval_ms", 1, fair_milliseconds_max);
  settings.asks_back = reader.choice("preemption_delivery", {"kill", "contract"}) == 1;
  settings.wait_before_kill =
      reader.milliseconds_of("preemption_wait_ms", 1, fair_milliseconds_max);
  settings.delays = read_delays(reader, parameters.heartbeat);
  if (const Status status = reader.status(); !status) return status.error();
  if (is_old) {
    if (const Status status = check_generation(*values); !status) return status.error();
  }
  const auto property = values->find("poolnameproperty");
  if (property != values->end() && property->second == "group.name") {
    settings.pool_by = SlotFairSettings::PoolBy::group;
  } else if (property != values->end() && property->second != "user.name") {
    settings.pool_by = SlotFairSettings::PoolBy::queue;
  }
  const auto groups = values->find("users_groups");
  if (groups == values->end()) return settings;
  Result<UserGroups> parsed = UserGroups::parse(groups->second);
  if (!parsed) {
    return Error{"scheduler slot_fair, setting users_groups: " + parsed.error().message +
                     ", got \"" + groups->second + "\"",
                 groups->first};
  }
  settings.groups = std::move(*parsed);
  return settings;
}

}  // namespace tracebed
