// The `expect` tables of a scenario.
#pragma once

#include <vector>

#include "coordinator/scenario/scenario.h"
#include "system/toml_value.h"

namespace tracebed {

// Sizes become MiB, and "a@n1 x3" three times "a@n1".
std::vector<ExpectedFact> read_expectations(const TomlValue& value);

}  // namespace tracebed
