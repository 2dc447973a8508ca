// Reads a scenario from TOML. Anything unknown, out of range or contradictory throws InputError;
// the message begins with "file:line: key" and says what was expected and what came.
#pragma once

#include <filesystem>
#include <string>

#include "coordinator/scenario/scenario.h"

namespace tracebed {

// `label` stands for the file in messages; relative paths in the text start at `folder`.
Scenario parse_scenario(const std::string& text, const std::string& label,
                        const std::filesystem::path& folder);

// At most 1 MiB.
Scenario load_scenario(const std::filesystem::path& file);

}  // namespace tracebed
