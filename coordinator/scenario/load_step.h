// The tables [[step]] of a scenario: what happens, and what is expected then.
#pragma once

#include "coordinator/config/toml_value.h"
#include "coordinator/scenario/scenario.h"

namespace tracebed {

// `dimensions` are those that nodes have. Throws InputError.
ScenarioStep read_step(const TomlValue& table, const ResourceDimensions& dimensions);

}  // namespace tracebed
