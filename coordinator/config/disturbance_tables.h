// The tables [faults], [[drain]] and [[crash]]: a run's disturbances.
#pragma once

#include <vector>

#include "coordinator/config/experiment.h"
#include "system/toml_value.h"

namespace tracebed {

void read_faults(const TomlValue& value, FaultChoice& faults);
void read_drains(const TomlValue& value, std::vector<DrainChoice>& drains);
void read_crashes(const TomlValue& value, std::vector<CrashChoice>& crashes);
// Checks that need the whole experiment. Throws InputError.
void check_disturbances(const Experiment& experiment);

}  // namespace tracebed
