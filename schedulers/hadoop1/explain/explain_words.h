// How figures of slots are written where their schedulers explain themselves.
#pragma once

#include <string>
#include <string_view>

#include "core/time.h"
#include "schedulers/hadoop1/slot_waiting.h"

namespace tracebed {

// "Capacity (map)"
inline std::string of_kind(std::string_view name, SlotKind kind) {
  return std::string(name) + " (" + std::string(name_of(kind)) + ")";
}
inline std::string seconds_text(Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(duration).count()) + " s";
}

}  // namespace tracebed
