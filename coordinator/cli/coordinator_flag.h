// The flags for a running coordinator's address and access token, and the connection.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "coordinator/api/control_client.h"

namespace tracebed {

struct CoordinatorFlags {
  std::string address;     // HOST:PORT
  std::string token_file;  // empty: none
};

// The flags receive their defaults here.
void add_coordinator_flags(CLI::App& command, CoordinatorFlags& flags);

// Throws InputError for a malformed address, EnvironmentError for an invalid token file, and as
// ControlClient does.
ControlClient connect_to(const CoordinatorFlags& flags);

nlohmann::ordered_json to_json(const control::RunStatus& status);
// Which jobs wait and why, one line each; empty if none is known to wait.
std::string waiting_lines(const control::RunStatus& status);
// The outcomes of requested changes with their times, and the warnings; one line each.
std::string change_lines(const control::RunStatus& status);
// One line: number, state, name, progress.
std::string status_line(const control::RunStatus& status);

}  // namespace tracebed
