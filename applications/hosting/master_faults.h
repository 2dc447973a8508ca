// Faults of masters that an experiment asks for, to see what becomes of them: in what they say when
// containers are wanted back (core/preemption.h), and in how they end.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "core/settings.h"

namespace tracebed {

enum class MasterFault : std::uint8_t {
  none,
  repeats,             // says each answer again: the same call, and the same in the next
  is_late,             // answers only when the deadline is over
  answers_for_others,  // gives up containers that are not its own
  says_garbage,        // says bytes that are no message, then actions that mean nothing
  dies,                // crashes as soon as it is asked to give up containers
};
inline constexpr std::size_t master_fault_count = 6;

struct MasterFaults {
  // Of all attempts at masters the part, from 0 to 1, that have the fault, by its number; together
  // at most 1, since an attempt has one fault at most. That of `none` means nothing.
  std::array<double, master_fault_count> parts{};
  std::uint64_t seed = 1;

  double& part(MasterFault fault) { return parts[static_cast<std::size_t>(fault)]; }
  double part(MasterFault fault) const { return parts[static_cast<std::size_t>(fault)]; }
  bool any() const;
  // That of one attempt, from 1.
  MasterFault of(ApplicationId application, std::uint32_t attempt) const;
};

// Without the seed, as a master's process is told them; none if no part is above 0.
std::vector<std::pair<std::string, std::string>> to_settings(const MasterFaults& faults);
// Takes them out of what such a process is told. Fails with a sentence for a value out of range.
Result<MasterFaults> take_master_faults(SettingValues& values, std::uint64_t seed);

}  // namespace tracebed
