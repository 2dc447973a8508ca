// The suites over every scheduler that Tracebed has, with defaults, and over what some are with a
// setting: further generations and policies.
#include <algorithm>
#include <array>
#include <string>

#include "contract/suite_schedulers.h"
#include "core/check.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

struct SetScheduler {
  std::string_view name;
  std::string_view scheduler;
  std::string_view setting;
  std::string_view value;
  std::string_view further_setting = {};
  std::string_view further_value = {};
};
constexpr std::array set_schedulers{
    SetScheduler{"drf_asset", "drf", "policy", "asset"},
    SetScheduler{"drf_ceei", "drf", "policy", "ceei"},
    SetScheduler{"hdrf_delayed", "hdrf", "locality_delay_of_rack_ms", "3000"},
    SetScheduler{"hdrf_naive", "hdrf", "policy", "naive"},
    SetScheduler{"mfs_delayed", "mfs", "locality_delay_of_node_ms", "4000"},
    SetScheduler{"mfs_measured", "mfs", "utilisation", "measured", "utilisation_max", "0.7"},
    SetScheduler{"shared_state_full", "shared_state", "rescheduling", "full"},
    SetScheduler{"shared_state_sequence_numbers", "shared_state", "conflict", "sequence_numbers"},
    SetScheduler{"shared_state_weighted", "shared_state", "policy", "weighted_priorities"},
    SetScheduler{"shared_state_healthy_nodes", "shared_state", "policy", "weighted_priorities",
                 "policy_settings",
                 "predicates=label,not_stale,not_under_pressure;priorities=least_loaded=1"},
    SetScheduler{"slot_capacity_0_20_0", "slot_capacity", "generation", "0.20.0"},
    SetScheduler{"slot_capacity_0_20_2", "slot_capacity", "generation", "0.20.2"},
    SetScheduler{"slot_capacity_follows_load", "slot_capacity", "slots_follow_load", "true"},
    SetScheduler{"slot_dynamic_priority_delayed", "slot_dynamic_priority",
                 "locality_delay_of_node_ms", "4000"},
    SetScheduler{"slot_fair_0_20", "slot_fair", "generation", "0.20"},
    SetScheduler{"slot_fair_follows_load", "slot_fair", "slots_follow_load", "true", "node_order",
                 "least_loaded"},
    SetScheduler{"slot_fifo_most_loaded", "slot_fifo", "node_order", "most_loaded",
                 "slots_follow_load", "true"},
    SetScheduler{"slot_hard_deadline_known", "slot_hard_deadline", "map_ms", "5000"},
    SetScheduler{"slot_soft_deadline_wait", "slot_soft_deadline", "missed", "wait"},
    SetScheduler{"two_level_dbd", "two_level", "policy", "dbd"},
    SetScheduler{"weighted_by_load", "weighted_priorities", "priorities",
                 "least_loaded=3,spread_by_job=1", "predicates",
                 "label,not_stale,not_under_pressure"},
};

}  // namespace

std::vector<std::string_view> suite_schedulers() {
  std::vector<std::string_view> names;
  for (const SchedulerEntry& entry : test::schedulers()) names.push_back(entry.name);
  for (const SetScheduler& one : set_schedulers) names.push_back(one.name);
  return names;
}

std::unique_ptr<Scheduler> make_for_suite(std::string_view name, std::uint64_t seed,
                                          const ResourceDimensions& dimensions,
                                          Duration heartbeat) {
  const auto* const found = std::find_if(set_schedulers.begin(), set_schedulers.end(),
                                         [&](const SetScheduler& one) { return one.name == name; });
  const bool is_set = found != set_schedulers.end();
  const std::string_view scheduler = is_set ? found->scheduler : name;
  SchedulerParameters parameters = test::parameters_for(scheduler);
  parameters.seed = seed;
  parameters.dimensions = dimensions;
  parameters.heartbeat = heartbeat;
  if (is_set) parameters.settings[std::string(found->setting)] = found->value;
  if (is_set && !found->further_setting.empty()) {
    parameters.settings[std::string(found->further_setting)] = found->further_value;
  }
  auto made = test::schedulers().make(scheduler, parameters);
  TRACEBED_CHECK(made.has_value(), "a registered scheduler can be made");
  return std::move(made).value();
}

}  // namespace tracebed
