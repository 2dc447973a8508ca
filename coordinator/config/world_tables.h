// The tables [virtual], [local] and [log]: how machines are modelled, what local agents keep to,
// and where the log of a run goes.
#pragma once

#include "coordinator/config/experiment.h"
#include "coordinator/config/toml_value.h"

namespace tracebed {

void read_virtual(const TomlValue& value, VirtualChoice& simulated);
void read_local(const TomlValue& value, LocalChoice& local);
void read_log(const TomlValue& value, LogChoice& log);

}  // namespace tracebed
