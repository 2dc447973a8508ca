// The schedulers that Tracebed has, by name. A new one is a folder of its own and an entry here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/scheduler.h"
#include "core/scheduler_parameters.h"

namespace tracebed {

struct SchedulerEntry {
  std::string_view name;
  std::string_view summary;  // one sentence for `tracebed schedulers`
  std::string_view source;   // the text or program whose rules it follows
  std::vector<SettingDescription> settings;
  // Fails with a sentence that names the setting, what was expected and what came.
  std::function<Result<std::unique_ptr<Scheduler>>(const SchedulerEntry&,
                                                   const SchedulerParameters&)>
      make;
};

// In alphabetical order.
std::span<const SchedulerEntry> builtin_schedulers();

// Null if there is none with this name.
const SchedulerEntry* find_scheduler(std::string_view name);

// Fails for an unknown name, listing the known ones, and as SchedulerEntry::make does.
Result<std::unique_ptr<Scheduler>> make_scheduler(std::string_view name,
                                                  const SchedulerParameters& parameters);

}  // namespace tracebed
