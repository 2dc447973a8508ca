// The table [compare]: how an experiment's schedulers are compared.
#pragma once

#include "coordinator/config/experiment.h"
#include "system/toml_value.h"

namespace tracebed {

void read_compare(const TomlValue& value, CompareChoice& compare);

}  // namespace tracebed
