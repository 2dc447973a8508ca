// The flags that name a running coordinator and say who may speak to it, and the connection.
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

// The flags get their defaults here.
void add_coordinator_flags(CLI::App& command, CoordinatorFlags& flags);

// Throws InputError for an address of another form, EnvironmentError for a token file that will not
// do, and as ControlClient does.
ControlClient connect_to(const CoordinatorFlags& flags);

nlohmann::ordered_json to_json(const control::RunStatus& status);
// Who waits and why, one line each; empty if nobody is known to.
std::string waiting_lines(const control::RunStatus& status);
// What became of the changes that were wanted, when, and what was warned of; one line each.
std::string change_lines(const control::RunStatus& status);
// One line: number, state, name, how far.
std::string status_line(const control::RunStatus& status);

}  // namespace tracebed
