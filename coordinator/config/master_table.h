// The [master_container] table: what a master that runs in a container takes, and its timeouts.
#pragma once

#include "coordinator/config/experiment.h"
#include "system/toml_value.h"

namespace tracebed {

void read_master_container(const TomlValue& value, MasterChoice& choice);
// Rejects a table that has no effect, or whose expiry is too short.
void check_masters(const MasterChoice& choice);

}  // namespace tracebed
