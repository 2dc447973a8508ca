// Settings of schedulers, job masters and trace rules as TOML has them.
#pragma once

#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "system/toml_value.h"

namespace tracebed {

// Appends the setting `name` with its text. Names may be dotted (swim.block_mib), which TOML reads
// as nested tables; then all in them. Throws InputError for a value that has no text,
// and for more than a thousand settings.
void read_setting(const TomlValue& value, const std::string& name, std::vector<Setting>& settings);

// All of a table; `prefix` precedes their names, if it is not empty.
void read_settings(const TomlValue& value, const std::string& prefix,
                   std::vector<Setting>& settings);

}  // namespace tracebed
