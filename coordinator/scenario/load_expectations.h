// The `expect` tables of a scenario.
#pragma once

#include <vector>

#include "coordinator/scenario/scenario.h"
#include "system/toml_value.h"

namespace tracebed {

// Sizes are converted to MiB, and "a@n1 x3" means three times "a@n1".
std::vector<ExpectedFact> read_expectations(const TomlValue& value);

}  // namespace tracebed
