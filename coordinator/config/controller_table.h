// The tables [[controller]]: control loops that change a parameter of a scheduler while it runs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "system/toml_value.h"

namespace tracebed {

void read_controllers(const TomlValue& value, std::vector<ControllerChoice>& controllers);
// What needs the whole experiment: each is of one of its schedulers, which has no other, and
// masters run in containers. Throws InputError.
void check_controllers(Experiment& experiment);

// Of tables that are for one scheduler each.
class SchedulerLabels {
 public:
  explicit SchedulerLabels(const std::vector<SchedulerChoice>& schedulers);

  // Where there is only one, it need not be named. Throws InputError for a label that is none of
  // theirs.
  void complete(std::string& label, const std::string& where) const;

 private:
  std::set<std::string> labels_;
};

}  // namespace tracebed
