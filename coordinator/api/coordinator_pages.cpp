#include "coordinator/api/coordinator_pages.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "coordinator/api/control_server.h"
#include "coordinator/api/coordinator_figures.h"
#include "coordinator/api/resource_manager_pages.h"
#include "coordinator/api/run_queue.h"
#include "coordinator/real/agent_roster.h"
#include "coordinator/real/redis_monitor.h"
#include "daemon/metrics_text.h"
#include "system/disk_room.h"

namespace tracebed {
namespace {

// As Kubernetes' probes ask: 200 while all that runs need is there.
HttpResponse health(const CoordinatorState& shown) {
  nlohmann::ordered_json body{{"status", "ok"}};
  const std::string full = full_disk(shown.state, kept_free_bytes(shown.state));
  body["disk"] = full.empty() ? "ok" : full;
  if (!full.empty()) body["status"] = "degraded";
  if (const std::string reason = shown.queue.paused_for(); !reason.empty()) {
    body["paused"] = reason;
  }
  if (shown.redis != nullptr) {
    const RedisMonitor::State redis = shown.redis->state();
    body["redis"] = redis.is_known ? (redis.is_up ? "up" : redis.trouble) : "not checked yet";
    if (redis.is_known && !redis.is_up) body["status"] = "degraded";
  }
  if (shown.roster != nullptr) {
    std::size_t ready = 0;
    const std::vector<RosterMember> members = shown.roster->state().members;
    for (const RosterMember& member : members) ready += member.is_alive && member.has_launcher;
    body["agents"] = {{"registered", members.size()}, {"ready", ready}};
  }
  return {body["status"] == "ok" ? 200 : 503, "application/json;charset=utf-8",
          body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

}  // namespace

HttpServer::Pages coordinator_pages(const CoordinatorState& shown) {
  HttpServer::Pages pages = resource_manager_pages(shown.queue, shown.redis);
  pages.merge(scheduler_conf_pages(shown.queue, shown.changes));
  pages.emplace(metrics_path, [shown](const HttpRequest&) {
    return metrics_answer(
        coordinator_figures(shown.queue, shown.roster, shown.server, shown.redis));
  });
  pages.emplace("/health", [shown](const HttpRequest&) { return health(shown); });
  return pages;
}

}  // namespace tracebed
