// The [master_container] table: what a master that runs in a container takes, and when it has
// failed.
#pragma once

#include "coordinator/config/experiment.h"
#include "system/toml_value.h"

namespace tracebed {

void read_master_container(const TomlValue& value, MasterChoice& choice);
// A table whose figures would mean nothing is refused.
void check_masters(const MasterChoice& choice);

}  // namespace tracebed
