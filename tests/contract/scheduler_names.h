// What suites over every registered scheduler are instantiated with.
#pragma once

#include <string_view>
#include <vector>

#include "schedulers/registry.h"

namespace tracebed {

inline std::vector<std::string_view> scheduler_names() {
  std::vector<std::string_view> names;
  for (const SchedulerEntry& entry : builtin_schedulers()) names.push_back(entry.name);
  return names;
}

}  // namespace tracebed
