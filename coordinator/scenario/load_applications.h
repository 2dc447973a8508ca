// The tables [[application]] of a scenario.
#pragma once

#include "coordinator/scenario/scenario.h"
#include "system/toml_value.h"

namespace tracebed {

// Appends the array's applications. The scenario has its nodes already. Throws InputError, also for
// a duplicate name.
void read_applications(const TomlValue& value, Scenario& scenario);

// Checks that need all steps: applications that steps submit are marked so. Throws InputError.
void check_applications(Scenario& scenario);

}  // namespace tracebed
