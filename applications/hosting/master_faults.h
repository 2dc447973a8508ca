// Faults of masters that an experiment injects, to observe their consequences: in how they answer
// preemption requests (core/preemption.h), and in how they end.
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
  repeats,             // sends each answer again: the same call, and the same in the next
  is_late,             // answers only after the deadline
  answers_for_others,  // gives up containers that are not its own
  says_garbage,        // sends bytes that are not a message, then meaningless actions
  dies,                // crashes at the first preemption request
};
inline constexpr std::size_t master_fault_count = 6;

struct MasterFaults {
  // The part of all master attempts, from 0 to 1, that have the fault, by its number; together at
  // most 1, since an attempt has at most one fault. That of `none` is ignored.
  std::array<double, master_fault_count> parts{};
  std::uint64_t seed = 1;

  double& part(MasterFault fault) { return parts[static_cast<std::size_t>(fault)]; }
  double part(MasterFault fault) const { return parts[static_cast<std::size_t>(fault)]; }
  bool any() const;
  // The fault of one attempt, from 1.
  MasterFault of(ApplicationId application, std::uint32_t attempt) const;
};

// As settings for a master's process, without the seed; none if no part is above 0.
std::vector<std::pair<std::string, std::string>> to_settings(const MasterFaults& faults);
// Takes them out of such a process's settings. Fails with a sentence for a value out of range.
Result<MasterFaults> take_master_faults(SettingValues& values, std::uint64_t seed);

}  // namespace tracebed
