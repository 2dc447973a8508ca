#include "coordinator/api/resource_manager_pages.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "coordinator/api/resource_manager/application_filter.h"
#include "coordinator/api/resource_manager/cluster_json.h"
#include "coordinator/api/resource_manager/remote_exception.h"
#include "coordinator/api/resource_manager/scheduler_json.h"
#include "coordinator/real/redis_monitor.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

// A run shows itself a tenth of a second after it was asked, unless it is being prepared or
// computes something long; whoever waits keeps others waiting that ask over HTTP.
constexpr std::chrono::milliseconds timeout{1'000};

using Answer = RestAnswer;
using Make = Answer (*)(const HttpRequest&, const RunQueue::Shown&);

std::string redis_trouble(const RedisMonitor* redis) {
  const std::string trouble = redis == nullptr ? "" : redis->state().trouble;
  return trouble.empty() ? trouble : ": " + trouble;
}

// What a run that goes on answers.
HttpServer::Page page_of_run(RunQueue& queue, const RedisMonitor* redis, Make make) {
  return [&queue, redis, make](const HttpRequest& request) {
    if (!queue.running()) return rest_response(request, not_found("no run is in progress"));
    const auto shown = queue.snapshot(timeout);
    if (!shown) {
      return rest_response(request,
                           unavailable("the current run shows nothing now" + redis_trouble(redis)));
    }
    return rest_response(request, make(request, *shown));
  };
}

Answer cluster(const HttpRequest&, const RunQueue::Shown& shown) {
  return Json{{"clusterInfo", cluster_info(*shown.snapshot)}};
}

Answer metrics(const HttpRequest&, const RunQueue::Shown& shown) {
  return Json{{"clusterMetrics", cluster_metrics(*shown.snapshot)}};
}

Answer scheduler(const HttpRequest&, const RunQueue::Shown& shown) {
  const SchedulerSnapshot& snapshot = shown.snapshot->scheduler;
  return Json{{"scheduler", {{"schedulerInfo", scheduler_info(*shown.snapshot)}}},
              {"tracebed",
               {{"run", shown.run},
                {"scheduler", snapshot.label},
                {"traceSeconds", to_seconds(snapshot.at)}}}};
}

Answer choices(const HttpRequest&, const RunQueue::Shown& shown) {
  Json list = Json::array();
  for (const SampledChoice& choice : shown.snapshot->choices) list.push_back(choice_json(choice));
  return Json{{"tracebed",
               {{"run", shown.run},
                {"scheduler", shown.snapshot->scheduler.label},
                {"choices", std::move(list)}}}};
}

Answer nodes(const HttpRequest& request, const RunQueue::Shown& shown) {
  const Result<NodeFilter> filter = NodeFilter::read(request);
  if (!filter) return bad_request(filter.error().message);
  Json list = Json::array();
  for (const NodeSnapshot& node : shown.snapshot->nodes) {
    if (filter->takes(node)) list.push_back(node_info(*shown.snapshot, node));
  }
  if (list.empty()) return Json{{"nodes", Json::object()}};
  return Json{{"nodes", {{"node", std::move(list)}}}};
}

Answer one_node(const HttpRequest& request, const RunQueue::Shown& shown) {
  const std::string& id = request.path_parameters.front();
  const auto& all = shown.snapshot->nodes;
  const auto found = std::find_if(all.begin(), all.end(), [&](const NodeSnapshot& node) {
    return node.name == id || node_name(node) == id;
  });
  if (found == all.end()) return not_found(fmt::format("nodeId, {}, is not found", id));
  return Json{{"node", node_info(*shown.snapshot, *found)}};
}

Answer apps(const HttpRequest& request, const RunQueue::Shown& shown) {
  const Result<ApplicationFilter> filter = ApplicationFilter::read(request);
  if (!filter) return bad_request(filter.error().message);
  const std::size_t most = std::min(filter->limit(), applications_in_answer_max);
  Json list = Json::array();
  std::size_t left_out = 0;
  for (const ApplicationSnapshot& application : shown.snapshot->applications) {
    if (!filter->takes(*shown.snapshot, application)) continue;
    if (list.size() < most) {
      list.push_back(app_info(*shown.snapshot, application));
    } else {
      ++left_out;
    }
  }
  Json answer = {{"apps", Json::object()}};
  if (!list.empty()) answer["apps"]["app"] = std::move(list);
  if (left_out > 0) answer["tracebed"]["applicationsLeftOut"] = left_out;
  return answer;
}

Answer one_app(const HttpRequest& request, const RunQueue::Shown& shown) {
  const std::string& id = request.path_parameters.front();
  const auto& all = shown.snapshot->applications;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ApplicationSnapshot& application) {
        return application_name(*shown.snapshot, application.id) == id;
      });
  if (found == all.end()) return not_found(fmt::format("app with id: {} not found", id));
  return Json{{"app", app_info(*shown.snapshot, *found)}};
}

}  // namespace

HttpServer::Pages resource_manager_pages(RunQueue& queue, const RedisMonitor* redis) {
  HttpServer::Pages pages;
  const std::string root = "/ws/v1/cluster";
  for (const auto& [path, make] :
       std::initializer_list<std::pair<const char*, Make>>{{"", cluster},
                                                           {"/info", cluster},
                                                           {"/metrics", metrics},
                                                           {"/scheduler", scheduler},
                                                           {"/scheduler/choices", choices},
                                                           {"/nodes", nodes},
                                                           {"/nodes/{nodeid}", one_node},
                                                           {"/apps", apps},
                                                           {"/apps/{appid}", one_app}}) {
    pages.emplace(root + path, page_of_run(queue, redis, make));
  }
  return pages;
}

}  // namespace tracebed
