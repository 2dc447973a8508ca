// How the properties of the Capacity scheduler's preemption are named. A property that begins with
// the prefix has "preemption." in its place as the name of the setting that says the same; the
// switch is `preemption.enabled` there.
#pragma once

#include <string_view>

namespace tracebed {

inline constexpr std::string_view preemption_prefix =
    "yarn.resourcemanager.monitor.capacity.preemption.";
inline constexpr std::string_view preemption_switch =
    "yarn.resourcemanager.scheduler.monitor.enable";

}  // namespace tracebed
