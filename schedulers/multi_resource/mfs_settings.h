// The settings of MFS.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/scheduler_parameters.h"

namespace tracebed {

struct MfsSettings {
  enum class Groups : std::uint8_t { by_user, by_queue };
  Groups groups = Groups::by_user;
  // Of groups, by name, in thousandths; 1 if it is not named.
  std::map<std::string, std::int64_t, std::less<>> weights;
  bool skips = false;                          // jobs without room; false: they block the node
  bool needs_more = false;                     // more than the demand must be free
  bool gives_several = false;                  // tasks per heartbeat
  std::int64_t utilisation_max_milli = 1'000;  // θ
};

const std::vector<SettingDescription>& mfs_setting_descriptions();
Result<MfsSettings> read_mfs_settings(const SchedulerParameters& parameters);

}  // namespace tracebed
