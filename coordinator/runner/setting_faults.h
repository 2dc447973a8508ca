// Finds the setting of an experiment that causes a failure.
#pragma once

#include <fmt/format.h>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "core/input_error.h"
#include "core/settings.h"

namespace tracebed {

inline SettingValues to_values(const std::vector<Setting>& settings) {
  SettingValues values;
  for (const Setting& setting : settings) values[setting.key] = setting.value;
  return values;
}

// The place of the setting without which `make`, which takes a list of settings and returns a
// Result, succeeds or fails with another error; `where` if there is no single such setting.
template <class Make>
std::string place_of_fault(const std::vector<Setting>& settings, const std::string& where,
                           const std::string& message, Make make) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    std::vector<Setting> others = settings;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const auto made = make(others);
    if (made || made.error().message != message) return settings[i].where;
  }
  return where;
}

template <class Make>
auto make_with(const std::vector<Setting>& settings, const std::string& where, Make make) {
  auto made = make(settings);
  if (made) return std::move(*made);
  const std::string& message = made.error().message;
  throw InputError(fmt::format("{}: {}", place_of_fault(settings, where, message, make), message));
}

}  // namespace tracebed
