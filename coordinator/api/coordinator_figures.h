// The coordinator's figures for Prometheus. docs/operating.md lists the names.
#pragma once

#include <string>

#include "coordinator/api/control_server.h"
#include "coordinator/api/run_queue.h"

namespace tracebed {

class AgentRoster;
class RedisMonitor;

// `roster` is null if this coordinator listens for no agents, `redis` if each run has its own
// Redis.
std::string coordinator_figures(const RunQueue& queue, const AgentRoster* roster,
                                const ControlServer& server, const RedisMonitor* redis = nullptr);

}  // namespace tracebed
