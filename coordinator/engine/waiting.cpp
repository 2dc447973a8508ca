#include "coordinator/engine/waiting.h"

#include <algorithm>
#include <map>
#include <string>

#include "coordinator/engine/engine.h"

namespace tracebed {
namespace {

std::string amounts_of(const Resources& resources, const LimitedDimensions& limits) {
  if (!limits.has_vcores()) return std::to_string(resources.memory_mib()) + " MiB";
  const std::int64_t milli = resources.milli_vcores() % 1000;
  std::string vcores = std::to_string(resources.milli_vcores() / 1000);
  if (milli != 0) vcores += "." + std::to_string(1000 + milli).substr(1);
  return std::to_string(resources.memory_mib()) + " MiB and " + vcores + " vcores";
}

// Of what an ask demands beside, whose names nobody here knows.
std::string further_of(const Resources& resources, const LimitedDimensions& limits) {
  bool has_devices = false;
  bool has_others = false;
  for (std::size_t d = Resources::memory_dimension + 1; d < resources.dimensions_used(); ++d) {
    if (resources[d] <= 0) continue;
    (limits.devices()[d] > 0 ? has_devices : has_others) = true;
  }
  if (has_devices) return " with the devices that it asks for";
  return has_others ? " with the further resources that it asks for" : "";
}

// Where no rule of the scheduler keeps the ask: the machines, or others that come first.
WaitingReason what_the_cluster_shows(const ClusterModel& cluster, const Ask& ask) {
  const auto any_node = [&](auto holds) {
    return std::any_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
      return node.alive && may_run_on(ask, node) && holds(node);
    });
  };
  const std::string demand =
      amounts_of(ask.demand, cluster.limits) + further_of(ask.demand, cluster.limits);
  if (!any_node([&](const Node& node) { return cluster.could_hold(node, ask.demand); })) {
    return {WaitingFor::larger_machines,
            "no machine that is there has " + demand + ", even if it were empty"};
  }
  if (!any_node([&](const Node& node) { return cluster.has_room(node, ask.demand); })) {
    return {WaitingFor::room, "no machine has " + demand + " free"};
  }
  if (ask.is_gang()) {
    std::int64_t units = 0;
    for (const Node& node : cluster.nodes) {
      if (node.alive && may_run_on(ask, node))
        units += std::min<std::int64_t>(ask.pending, cluster.units_on(node, ask.demand));
    }
    if (units < ask.pending) {
      return {WaitingFor::room, "there is room for " + std::to_string(units) + " of the " +
                                    std::to_string(ask.pending) + " units that must start at once"};
    }
  }
  return {WaitingFor::its_turn, "there is room for " + demand + ", but others come first, or no " +
                                    "machine with room has sent a heartbeat since"};
}

}  // namespace

std::vector<WaitingReason> why_ask_waits(const Scheduler& scheduler, const ClusterModel& cluster,
                                         AskId id) {
  const Ask& ask = cluster.asks[id];
  std::vector<WaitingReason> reasons = scheduler.why_waiting(cluster, ask.application, id);
  if (reasons.empty()) reasons.push_back(what_the_cluster_shows(cluster, ask));
  return reasons;
}

std::vector<WaitingReason> why_application_waits(const Scheduler& scheduler,
                                                 const ClusterModel& cluster,
                                                 ApplicationId application, bool is_accepted) {
  if (!is_accepted) {
    return {{WaitingFor::acceptance, "the scheduler has not answered yet"}};
  }
  std::vector<WaitingReason> reasons = scheduler.why_waiting(cluster, application, AskId());
  if (!reasons.empty()) return reasons;
  for (AskId ask : cluster.applications[application].asks) {
    if (cluster.asks[ask].pending > 0) return why_ask_waits(scheduler, cluster, ask);
  }
  return {};
}

std::vector<SharedWaitingReason> why_jobs_wait(const Engine& engine) {
  constexpr std::size_t jobs_max = 1000;
  constexpr std::size_t reasons_max = 5;
  const ClusterModel& cluster = engine.cluster();
  std::size_t jobs = 0;
  std::map<std::string, SharedWaitingReason> by_text;
  cluster.applications.for_each([&](ApplicationId id, const Application& application) {
    if (jobs == jobs_max) return;
    const auto reasons =
        why_application_waits(engine.scheduler(), cluster, id, engine.is_accepted(id));
    if (reasons.empty()) return;
    ++jobs;
    const std::string& text = reasons.front().text;
    ++by_text.try_emplace(text, SharedWaitingReason{text, application.job, 0}).first->second.jobs;
  });
  std::vector<SharedWaitingReason> shared;
  for (auto& [text, reason] : by_text) shared.push_back(std::move(reason));
  std::sort(shared.begin(), shared.end(),
            [](const SharedWaitingReason& a, const SharedWaitingReason& b) {
              return a.jobs != b.jobs ? a.jobs > b.jobs : a.first < b.first;
            });
  if (shared.size() > reasons_max) shared.resize(reasons_max);
  return shared;
}

}  // namespace tracebed
