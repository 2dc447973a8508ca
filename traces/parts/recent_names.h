// Ids of names that come again and again, found without the table's own hashing: a name is looked
// up in a small direct-mapped memory of those seen lately, and only then in the table.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/names.h"

namespace tracebed {

template <class IdType>
class RecentNames {
 public:
  // `table` outlives this, and keeps its names where they are.
  explicit RecentNames(NameTable<IdType>& table) : table_(table) {}

  IdType intern(std::string_view name) {
    Slot& slot = slots_[slot_of(name)];
    if (slot.id.is_valid() && slot.name == name) return slot.id;
    slot.id = table_.intern(name);
    slot.name = table_.name(slot.id);
    return slot.id;
  }

 private:
  static constexpr std::size_t slots = 256;
  struct Slot {
    std::string_view name;
    IdType id;
  };

  // Names differ in their ends mostly: those bytes and the size choose the slot.
  static std::size_t slot_of(std::string_view name) {
    std::uint64_t end = 0;
    if (name.size() >= sizeof(end)) {
      std::memcpy(&end, name.data() + name.size() - sizeof(end), sizeof(end));
    } else {
      for (const char letter : name) end = end << 8 | static_cast<unsigned char>(letter);
    }
    return ((end ^ name.size()) * 0x9E3779B97F4A7C15) >> 56;
  }

  NameTable<IdType>& table_;
  std::array<Slot, slots> slots_;
};

}  // namespace tracebed
