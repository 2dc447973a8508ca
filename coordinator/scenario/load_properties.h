// Hadoop's configuration files as tables of a scenario: instead of naming such a file, a setting
// may be a table of its properties, by name.
#pragma once

#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "schedulers/registry.h"

namespace tracebed {

// `changes` over `settings`, both as TOML's tables were read: a property of `config` is the setting
// "config.NAME". A text for `config` replaces all its properties, and properties replace a text.
std::vector<Setting> overlaid(const SchedulerRegistry& schedulers,
                              const std::vector<Setting>& settings,
                              const std::vector<Setting>& changes, const std::string& scheduler);

// The same settings with the properties of each of Hadoop's files put into one XML text, which has
// their lines in `file`, where all settings are.
std::vector<Setting> with_files(const SchedulerRegistry& schedulers,
                                const std::vector<Setting>& settings, const std::string& scheduler,
                                const std::string& file);

}  // namespace tracebed
