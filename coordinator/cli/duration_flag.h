// A flag whose value is a duration ("90s", "1.5h").
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "core/time.h"

namespace tracebed {

void add_duration_flag(CLI::App& command, const std::string& name, std::optional<Duration>& value,
                       const std::string& description);

}  // namespace tracebed
