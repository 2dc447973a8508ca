// Reads scenarios from TOML. Anything unknown, out of range or contradictory throws InputError; the
// message begins with "file:line: key" and has the expected and the actual value.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "coordinator/scenario/scenario.h"
#include "schedulers/registry.h"

namespace tracebed {

// The file's cases in their order, each of which begins with what the file has outside of them; of
// a file without cases, its one scenario. `label` is the file's name in messages; relative paths in
// the text start at `folder`.
std::vector<Scenario> parse_scenarios(const SchedulerRegistry& schedulers, const std::string& text,
                                      const std::string& label,
                                      const std::filesystem::path& folder);

// At most 1 MiB.
std::vector<Scenario> load_scenarios(const SchedulerRegistry& schedulers,
                                     const std::filesystem::path& file);

}  // namespace tracebed
