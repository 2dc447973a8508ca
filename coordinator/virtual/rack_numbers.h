// The racks of machines as numbers from 0, in the order in which they first appear.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "core/machines.h"

namespace tracebed {

// By machine.
inline std::vector<std::uint32_t> rack_numbers(const std::vector<Machine>& machines) {
  std::map<std::string_view, std::uint32_t> numbers;
  std::vector<std::uint32_t> racks;
  for (const Machine& machine : machines) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    racks.push_back(numbers.emplace(machine.rack, next).first->second);
  }
  return racks;
}

}  // namespace tracebed
