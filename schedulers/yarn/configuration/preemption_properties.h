// How the properties of the Capacity scheduler's preemption are named. For a property that begins
// with the prefix, the equivalent setting has "preemption." in its place; the switch is
// `preemption.enabled` there.
#pragma once

#include <string_view>

namespace tracebed {

inline constexpr std::string_view preemption_prefix =
    "yarn.resourcemanager.monitor.capacity.preemption.";
inline constexpr std::string_view preemption_switch =
    "yarn.resourcemanager.scheduler.monitor.enable";

}  // namespace tracebed
