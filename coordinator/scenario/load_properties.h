// Hadoop's configuration files as tables of a scenario: what a setting that names such a file says
// may be a table of its properties instead, by name.
#pragma once

#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "schedulers/registry.h"

namespace tracebed {

// `changes` over `settings`, both as TOML's tables were read: a property of `config` is the setting
// "config.NAME". A text for `config` takes the place of all its properties, and they of a text.
std::vector<Setting> overlaid(const SchedulerRegistry& schedulers,
                              const std::vector<Setting>& settings,
                              const std::vector<Setting>& changes, const std::string& scheduler);

// The same settings with each file's properties put into one XML text.
std::vector<Setting> with_files(const SchedulerRegistry& schedulers,
                                const std::vector<Setting>& settings, const std::string& scheduler);

}  // namespace tracebed
