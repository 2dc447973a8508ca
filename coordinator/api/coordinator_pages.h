// What a coordinator answers over HTTP: YARN's web services, its metrics, and its health.
#pragma once

#include <filesystem>

#include "coordinator/api/scheduler_conf_pages.h"
#include "daemon/http_server.h"

namespace tracebed {

class AgentRoster;
class ControlServer;
class RedisMonitor;
class RunQueue;

// What the pages show. All outlive them; null if there is none.
struct CoordinatorState {
  const std::filesystem::path& state;
  RunQueue& queue;
  const AgentRoster* roster;
  const ControlServer& server;
  const RedisMonitor* redis;
  SchedulerConfOptions changes;
};

HttpServer::Pages coordinator_pages(const CoordinatorState& shown);

}  // namespace tracebed
