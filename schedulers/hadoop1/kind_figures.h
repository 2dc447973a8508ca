// How figures of one kind of slots are named.
#pragma once

#include <string>
#include <string_view>

#include "schedulers/hadoop1/slot_waiting.h"

namespace tracebed {

// "Capacity (map)", for people; none for a figure that is for programs alone.
inline std::string label_of_kind(std::string_view label, SlotKind kind) {
  if (label.empty()) return {};
  return std::string(label) + " (" + std::string(name_of(kind)) + ")";
}
// "capacity_map", for programs.
inline std::string id_of_kind(std::string_view id, SlotKind kind) {
  return std::string(id) + "_" + std::string(name_of(kind));
}

}  // namespace tracebed
