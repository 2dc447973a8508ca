// What preemption tells about itself, and its checks.
#include <algorithm>
#include <map>

#include "core/check.h"
#include "schedulers/yarn/fair/fair_preemption.h"

namespace tracebed {

std::vector<PreemptionView> FairPreemption::view(const ClusterModel& cluster, TraceTime now) const {
  std::vector<PreemptionView> views;
  for (const auto& [id, request] : to_preempt_.all()) {
    views.push_back({.container = id,
                     .application = request.application,
                     .is_asked_for = true,
                     .deadline = request.deadline,
                     .reason = reason_for(request.beneficiary)});
  }
  if (!parts_.settings.preemption.is_enabled || !is_enough_used(cluster)) return views;
  const StarvationSight sight = starvation_.look(now, look_before(now));
  if (sight.starved.empty()) return views;
  std::vector<ApplicationId> helped;
  for (const StarvedApplication& starved : sight.starved) helped.push_back(starved.application->id);
  std::sort(helped.begin(), helped.end());
  const VictimSearch::State state = search_state();
  VictimSearch search(state, cluster, helped);
  RoomFinder finder(state, cluster, search);
  for (const StarvedApplication& starved : sight.starved) {
    for (const FoundRoom& room : finder.find(starved)) {
      for (const VictimSearch::Victim& victim : room.place.victims) {
        views.push_back({.container = victim.container,
                         .application = victim.application,
                         .is_asked_for = false,
                         .deadline = never,
                         .reason = reason_for(starved.application->id)});
      }
    }
  }
  std::sort(views.begin(), views.end(), [](const PreemptionView& a, const PreemptionView& b) {
    return a.container < b.container;
  });
  return views;
}

void FairPreemption::verify() const {
  std::map<ApplicationId, Resources> to_be_taken;
  std::map<PromiseId, Resources> requested_of;
  for (const auto& [id, request] : to_preempt_.all()) {
    to_be_taken[request.application] += request.resources;
    if (promised_.find(request.promise) != nullptr)
      requested_of[request.promise] += request.resources;
  }
  parts_.applications.for_each([&](ApplicationId id, const LiveApplication& application) {
    const auto sum = to_be_taken.find(id);
    TRACEBED_CHECK(
        application.to_be_taken == (sum == to_be_taken.end() ? Resources() : sum->second),
        "an application is to lose what is wanted back of it");
  });
  for (const auto& [id, promise] : promised_.all()) {
    TRACEBED_CHECK(parts_.applications.contains(promise.application),
                   "room is promised to who is there");
    TRACEBED_CHECK(promise.requested == requested_of[id], "a promise counts what its victims have");
    TRACEBED_CHECK(promised_.nodes().contains(promise.node), "nodes with promises are known");
  }
}

}  // namespace tracebed
