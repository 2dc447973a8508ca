// The tables [[step]] of a scenario: what happens, and what is expected then.
#pragma once

#include "coordinator/scenario/scenario.h"
#include "system/toml_value.h"

namespace tracebed {

// `dimensions` are those that nodes have. Throws InputError.
ScenarioStep read_step(const TomlValue& table, const ResourceDimensions& dimensions);

}  // namespace tracebed
