// The tables [[controller]]: control loops that change a parameter of a scheduler while it runs.
#pragma once

#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "system/toml_value.h"

namespace tracebed {

void read_controllers(const TomlValue& value, std::vector<ControllerChoice>& controllers);
// What needs the whole experiment: each is of one of its schedulers, which has no other, and
// masters run in containers. Throws InputError.
void check_controllers(Experiment& experiment);

// Of a table that is for one scheduler: where there is only one, it need not be named. Throws
// InputError for a label that is none of theirs.
void complete_label(std::string& label, const std::string& where,
                    const std::vector<SchedulerChoice>& schedulers);

}  // namespace tracebed
