#include "coordinator/api/resource_manager_pages.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "coordinator/api/scheduler_json.h"
#include "coordinator/real/redis_monitor.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

// A run shows its queues a tenth of a second after it was asked, unless it is being prepared or
// computes something long; whoever waits keeps others waiting that ask over HTTP.
constexpr std::chrono::milliseconds timeout{1'000};

HttpResponse json_answer(int status, const Json& body) {
  return {status, "application/json;charset=utf-8",
          body.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

// Hadoop's RemoteExceptionData.
HttpResponse remote_exception(int status, const std::string& package, const std::string& name,
                              const std::string& message) {
  return json_answer(
      status,
      {{"RemoteException",
        {{"exception", name}, {"message", message}, {"javaClassName", package + "." + name}}}});
}

std::string redis_trouble(const RedisMonitor* redis) {
  const std::string trouble = redis == nullptr ? "" : redis->state().trouble;
  return trouble.empty() ? trouble : ": " + trouble;
}

HttpResponse cluster_scheduler(RunQueue& queue, const RedisMonitor* redis) {
  if (!queue.running()) {
    return remote_exception(404, "org.apache.hadoop.yarn.webapp", "NotFoundException",
                            "no run is in progress");
  }
  const auto shown = queue.snapshot(timeout);
  if (!shown) {
    return remote_exception(503, "org.apache.hadoop.ipc", "RetriableException",
                            "the current run shows no queues now" + redis_trouble(redis));
  }
  const auto& [run, snapshot] = *shown;
  return json_answer(
      200,
      {{"scheduler", {{"schedulerInfo", scheduler_info(snapshot)}}},
       {"tracebed",
        {{"run", run}, {"scheduler", snapshot.label}, {"traceSeconds", to_seconds(snapshot.at)}}}});
}

}  // namespace

HttpServer::Pages resource_manager_pages(RunQueue& queue, const RedisMonitor* redis) {
  HttpServer::Pages pages;
  pages.emplace("/ws/v1/cluster/scheduler",
                [&queue, redis] { return cluster_scheduler(queue, redis); });
  return pages;
}

}  // namespace tracebed
