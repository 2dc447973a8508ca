// The description with which a controller is registered.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/controller.h"
#include "core/result.h"
#include "core/settings.h"

namespace tracebed {

struct ControllerEntry {
  // All texts outlive the entry.
  std::string_view name;     // in lower case, as experiments name it
  std::string_view summary;  // one sentence
  std::string_view source;   // the text or program that it follows
  std::vector<SettingDescription> settings;
  // `value` is the parameter's when the run begins, as the scheduler's file has it. Fails with a
  // sentence that names the setting, what was expected and what was found.
  std::function<Result<std::unique_ptr<Controller>>(const SettingValues&, std::int64_t value)> make;
};

// Those that Tracebed has, by name.
std::span<const ControllerEntry> builtin_controllers();
// Null if there is none of that name.
const ControllerEntry* find_controller(std::string_view name);

}  // namespace tracebed
