#include <algorithm>
#include <array>

#include "controllers/controller_entry.h"
#include "controllers/lian2020.h"
#include "controllers/pid.h"
#include "controllers/zhang2015.h"
#include "controllers/zhang2016.h"

namespace tracebed {

std::span<const ControllerEntry> builtin_controllers() {
  static const std::array all{lian2020_entry(), pid_entry(), zhang2015_entry(), zhang2016_entry()};
  return all;
}

const ControllerEntry* find_controller(std::string_view name) {
  const std::span<const ControllerEntry> all = builtin_controllers();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ControllerEntry& entry) { return entry.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace tracebed
