// How often nodes send heartbeats, for schedulers whose rules count time in them.
#pragma once

#include <string_view>

#include "core/settings.h"
#include "core/time.h"

namespace tracebed {

// What the setting states, in milliseconds; if that is 0, the heartbeat of the run's nodes
// (SchedulerParameters), and `otherwise` where nobody says what that is.
inline Duration assumed_heartbeat(SettingReader& reader, std::string_view setting,
                                  Duration heartbeat_of_run, Duration otherwise) {
  const Duration stated = reader.milliseconds_of(setting, 0, SettingReader::milliseconds_max);
  if (stated > Duration::zero()) return stated;
  return heartbeat_of_run > Duration::zero() ? heartbeat_of_run : otherwise;
}

}  // namespace tracebed
