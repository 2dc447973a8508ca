// The keys of one run whose agents are its own children: fresh ones for the coordinator and for
// each machine's agents, so that peers without them are refused. They are never stored.
#pragma once

#include <vector>

#include "coordinator/real/router_socket.h"
#include "core/machines.h"
#include "system/key_file.h"

namespace tracebed {

struct RunKeys {
  RouterKeys coordinator;
  std::vector<LinkKeys> links;  // of each machine's agents, in the order of the machines
};

// Throws EnvironmentError if this machine's ZeroMQ cannot make keys.
RunKeys make_run_keys(const std::vector<Machine>& machines);

}  // namespace tracebed
