// The configuration of weighted priorities.
#pragma once

#include <cstdint>
#include <vector>

#include "core/scheduler_parameters.h"
#include "schedulers/weighted/rules/predicate.h"
#include "schedulers/weighted/rules/priority.h"

namespace tracebed {

struct WeightedPriority {
  const Priority* priority = nullptr;
  std::int64_t weight = 1;
};

struct WeightedSettings {
  static constexpr std::size_t ties_max = 3;

  std::vector<const Predicate*> predicates;  // in their order; the constant ones first
  std::vector<WeightedPriority> priorities;  // added up
  std::vector<const Priority*> ties;         // compared one after the other; at most ties_max
  bool draws_last = false;                   // of equal nodes one is drawn; false: the least id
  UsedShare share = UsedShare::sum;
  std::uint32_t percentage_of_nodes = 100;
  NodeConditionLimits conditions;
  std::uint64_t seed = 1;
};

const std::vector<SettingDescription>& weighted_setting_descriptions();
// Fails with a sentence that names the setting.
Result<WeightedSettings> read_weighted_settings(const SchedulerParameters& parameters);

}  // namespace tracebed
