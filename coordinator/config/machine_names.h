// The machines of an experiment, to look up what its tables name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/machines.h"

namespace tracebed {

class MachineNames {
 public:
  // `machines` outlive it.
  explicit MachineNames(const std::vector<Machine>& machines) {
    for (const Machine& machine : machines) names_.insert(machine.name);
  }

  // True for any name where no machine is known yet.
  bool may_have(const std::string& name) const { return names_.empty() || names_.contains(name); }
  std::size_t size() const { return names_.size(); }

 private:
  std::unordered_set<std::string_view> names_;
};

}  // namespace tracebed
