#include "coordinator/api/resource_manager/queue_wants.h"

#include <set>
#include <string_view>
#include <utility>

#include "coordinator/api/resource_manager/resource_json.h"

namespace tracebed {

WantsByPath wants_of(const RunSnapshot& run) {
  WantsByPath wants;
  for (const ApplicationSnapshot& application : run.applications) {
    if (application.phase == ApplicationPhase::ended) continue;
    wants[application.queue].applications.push_back(&application);
    for (std::string path = application.queue;;) {
      QueueWants& of_queue = wants[path];
      of_queue.pending += application.pending;
      of_queue.containers_pending += application.containers_pending;
      of_queue.containers_reserved += application.containers_reserved;
      const std::size_t dot = path.rfind('.');
      if (dot == std::string::npos) break;
      path.resize(dot);
    }
  }
  return wants;
}

nlohmann::ordered_json users_info(const QueueView& leaf, const QueueWants& wants) {
  struct Use {
    Resources used;
    std::size_t active = 0;
    std::size_t waiting = 0;
  };
  const std::set<ApplicationId> active(leaf.active.begin(), leaf.active.end());
  std::map<std::string_view, Use> by_name;
  for (const ApplicationSnapshot* application : wants.applications) {
    Use& use = by_name[application->user];
    use.used += application->used;
    ++(active.contains(application->id) ? use.active : use.waiting);
  }
  auto users = nlohmann::ordered_json::array();
  for (const auto& [name, use] : by_name) {
    users.push_back({{"username", name},
                     {"resourcesUsed", resource_info(use.used, Had::taken)},
                     {"numPendingApplications", use.waiting},
                     {"numActiveApplications", use.active}});
  }
  return {{"user", std::move(users)}};
}

}  // namespace tracebed
