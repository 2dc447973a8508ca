// What suites over every registered scheduler are instantiated with: their names, and those of
// further generations that some have.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/check.h"
#include "schedulers/registry.h"
#include "support/scheduler_parameters.h"

namespace tracebed {

struct SchedulerGeneration {
  std::string_view name;
  std::string_view scheduler;
  std::string_view generation;  // the setting of that name
};
inline constexpr std::array scheduler_generations{
    SchedulerGeneration{"slot_capacity_0_20_0", "slot_capacity", "0.20.0"},
    SchedulerGeneration{"slot_capacity_0_20_2", "slot_capacity", "0.20.2"},
    SchedulerGeneration{"slot_fair_0_20", "slot_fair", "0.20"},
};

inline std::vector<std::string_view> scheduler_names() {
  std::vector<std::string_view> names;
  for (const SchedulerEntry& entry : builtin_schedulers()) names.push_back(entry.name);
  for (const SchedulerGeneration& one : scheduler_generations) names.push_back(one.name);
  return names;
}

// With defaults, by one of these names.
inline std::unique_ptr<Scheduler> make_for_suite(std::string_view name, std::uint64_t seed = 1) {
  std::string_view scheduler = name;
  std::string generation;
  for (const SchedulerGeneration& one : scheduler_generations) {
    if (one.name != name) continue;
    scheduler = one.scheduler;
    generation = one.generation;
  }
  SchedulerParameters parameters = test::parameters_for(scheduler);
  parameters.seed = seed;
  if (!generation.empty()) parameters.settings["generation"] = generation;
  auto made = make_scheduler(scheduler, parameters);
  TRACEBED_CHECK(made.has_value(), "a registered scheduler can be made");
  return std::move(made).value();
}

}  // namespace tracebed
