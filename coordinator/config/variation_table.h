// The table [vary]: how the trace differs from one repetition to the next.
#pragma once

#include "coordinator/config/experiment.h"
#include "system/toml_value.h"

namespace tracebed {

void read_variation(const TomlValue& value, VariationChoice& vary);
// Checks that need the whole experiment. Throws InputError.
void check_variation(const Experiment& experiment);

}  // namespace tracebed
