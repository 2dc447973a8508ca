// The flag that names a running coordinator, and the connection to it.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "coordinator/api/control_client.h"

namespace tracebed {

// `address` gets its default here.
void add_coordinator_flag(CLI::App& command, std::string& address);

// Connects to HOST:PORT. Throws InputError for another form, and as ControlClient does.
ControlClient connect_to(const std::string& address);

nlohmann::ordered_json to_json(const control::RunStatus& status);
// Who waits and why, one line each; empty if nobody is known to.
std::string waiting_lines(const control::RunStatus& status);
// One line: number, state, name, how far.
std::string status_line(const control::RunStatus& status);

}  // namespace tracebed
