// What weighted priorities report: the scores behind each choice, and why an ask waits.
#include <algorithm>
#include <string>
#include <utility>

#include "schedulers/weighted/weighted_scheduler.h"

namespace tracebed {

std::vector<NodeScore> WeightedScheduler::scores_of_all(const PlacedAsk& placed) const {
  const UnitRequest request = request_of(placed.id, placed.ask);
  std::vector<NodeScore> scores;
  for (const Node& node : placed.cluster.nodes) {
    if (!free().is_alive(node.id)) continue;
    NodeScore& score = scores.emplace_back();
    score.node = node.id;
    const CandidateNode one = candidate(placed.cluster, request, node.id);
    if (const Predicate* const predicate = failed(request, one)) {
      score.excluded_by = predicate->name;
      continue;
    }
    score.scores.push_back({"sum", "sum", in_points(ranked(request, one).sum)});
    const auto add = [&](const Priority& priority) {
      if (find_figure(score.scores, priority.name) != nullptr) return;
      const double points = in_points(priority.score(request, one));
      score.scores.push_back({std::string(priority.name), std::string(priority.name), points});
    };
    for (const WeightedPriority& weighted : settings_.priorities) add(*weighted.priority);
    for (const Priority* priority : settings_.ties) add(*priority);
  }
  return scores;
}

std::vector<WaitingReason> WeightedScheduler::why_waiting(const ClusterModel& cluster,
                                                          ApplicationId application,
                                                          AskId ask_id) const {
  if (!ask_id.is_valid()) return {};
  const Ask& ask = cluster.asks[ask_id];
  // What a call has proposed is committed by now.
  const AllowedPlaces allowed;
  const std::size_t nodes = cluster.nodes.size();
  std::vector<std::uint32_t> of_application;
  std::vector<std::uint32_t> of_user;
  UnitRequest request{ask_id, ask, dimensions_, settings_.share, allowed, names_};
  request.most_of_application = of_applications_.counts_of(application, nodes, of_application);
  request.most_of_user =
      of_applications_.counts_of(cluster.applications[application].user, nodes, of_user);
  request.conditions = settings_.conditions;
  request.now = now();
  std::vector<std::uint32_t> failing(settings_.predicates.size());  // by the first predicate
  std::uint32_t alive = 0;
  std::uint32_t candidates = 0;
  for (const Node& node : cluster.nodes) {
    if (!node.alive) continue;
    ++alive;
    const Predicate* const predicate =
        failed(request, {.node = node,
                         .report = node.report,
                         .free = node.free,
                         .has_room = cluster.has_room(node, ask.demand),
                         .containers = node.containers,
                         .of_application = of_application[node.id.index()],
                         .of_user = of_user[node.id.index()]});
    if (predicate == nullptr) {
      ++candidates;
    } else {
      const auto place =
          std::find(settings_.predicates.begin(), settings_.predicates.end(), predicate);
      ++failing[static_cast<std::size_t>(place - settings_.predicates.begin())];
    }
  }
  if (candidates > 0 && !ask.is_gang()) return {};
  std::string text = "of " + std::to_string(alive) + " nodes";
  for (std::size_t i = 0; i < failing.size(); ++i) {
    if (failing[i] == 0) continue;
    text +=
        ", " + std::to_string(failing[i]) + " fail " + std::string(settings_.predicates[i]->name);
  }
  if (candidates > 0) {
    text += ", " + std::to_string(candidates) + " have room for a unit, and not all for all";
  }
  return {{WaitingFor::room, text}};
}

}  // namespace tracebed
