// The suites over every scheduler that Tracebed has, with defaults, and over further generations
// that some have.
#include <array>
#include <string>

#include "contract/suite_schedulers.h"
#include "core/check.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

struct SchedulerGeneration {
  std::string_view name;
  std::string_view scheduler;
  std::string_view generation;  // the setting of that name
};
constexpr std::array scheduler_generations{
    SchedulerGeneration{"slot_capacity_0_20_0", "slot_capacity", "0.20.0"},
    SchedulerGeneration{"slot_capacity_0_20_2", "slot_capacity", "0.20.2"},
    SchedulerGeneration{"slot_fair_0_20", "slot_fair", "0.20"},
};

}  // namespace

std::vector<std::string_view> suite_schedulers() {
  std::vector<std::string_view> names;
  for (const SchedulerEntry& entry : test::schedulers()) names.push_back(entry.name);
  for (const SchedulerGeneration& one : scheduler_generations) names.push_back(one.name);
  return names;
}

std::unique_ptr<Scheduler> make_for_suite(std::string_view name, std::uint64_t seed) {
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
  auto made = test::schedulers().make(scheduler, parameters);
  TRACEBED_CHECK(made.has_value(), "a registered scheduler can be made");
  return std::move(made).value();
}

}  // namespace tracebed
