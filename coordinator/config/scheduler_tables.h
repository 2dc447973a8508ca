// The schedulers of an experiment: [[scheduler]], its short form `schedulers`, and [[refresh]],
// what they get during the run. All functions throw InputError.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "system/toml_value.h"

namespace tracebed {

// Each is read and made, so a submission may not have any number of them.
inline constexpr std::size_t schedulers_max = 1'000;

// A text that becomes part of file names.
std::string plain_name(const TomlValue& value);

void read_scheduler_names(const TomlValue& value, std::vector<SchedulerChoice>& schedulers);
// Keys beside name and label are the scheduler's own; schedulers/registry.h knows them.
void read_scheduler_tables(const TomlValue& value, std::vector<SchedulerChoice>& schedulers);
// Ascending by time. Keys beside at and scheduler are the scheduler's own.
void read_refreshes(const TomlValue& value, std::vector<RefreshChoice>& refreshes);
// What needs the whole experiment: each is of one of its schedulers.
void check_refreshes(Experiment& experiment);

}  // namespace tracebed
