// The tables [virtual], [local], [agents], [log] and [replay]: how machines are modelled, the
// settings of local agents and those of a cluster, where the log of a run is written, and when jobs
// are submitted.
#pragma once

#include "coordinator/config/experiment.h"
#include "system/toml_value.h"

namespace tracebed {

void read_virtual(const TomlValue& value, VirtualChoice& simulated);
void read_local(const TomlValue& value, LocalChoice& local);
void read_agents(const TomlValue& value, AgentsChoice& agents);
void read_log(const TomlValue& value, LogChoice& log);
// Rejects a key that has no effect in the chosen mode.
void read_replay(const TomlValue& value, ReplayChoice& replay);

}  // namespace tracebed
