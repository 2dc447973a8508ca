// The settings of a scheduler, read as its entry describes them.
#pragma once

#include <string>

#include "schedulers/scheduler_entry.h"

namespace tracebed {

// Entry and parameters outlive it.
inline SettingReader reader_of(const SchedulerEntry& entry, const SchedulerParameters& parameters) {
  return SettingReader("scheduler " + std::string(entry.name), entry.settings, parameters.settings);
}

}  // namespace tracebed
