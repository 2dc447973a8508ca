#include "schedulers/weighted/weighted_scheduler.h"

#include <algorithm>

#include "core/visit.h"
#include "schedulers/parts/node_draw.h"
#include "schedulers/parts/read_input.h"
#include "schedulers/weighted/predicates/predicates.h"

namespace tracebed {

WeightedScheduler::WeightedScheduler(const WeightedSettings& settings, std::size_t dimensions,
                                     const Names* names)
    : settings_(settings),
      dimensions_(dimensions),
      names_(names),
      random_(Random::stream(settings.seed, "scheduler.random")) {
  const auto note = [this](const Priority& priority) {
    reads_input_ |= priority.reads_input;
    counts_applications_ |= priority.counts_application;
    counts_users_ |= priority.counts_user;
    reads_reports_ |= priority.reads_reports;
  };
  for (const WeightedPriority& weighted : settings_.priorities) note(*weighted.priority);
  for (const Priority* priority : settings_.ties) note(*priority);
  for (const Predicate* predicate : settings_.predicates) {
    counts_applications_ |= predicate->counts_application;
    counts_users_ |= predicate->counts_user;
    waits_for_reports_ |= predicate->reads_reports;
  }
  reads_reports_ |= waits_for_reports_;
}

void WeightedScheduler::begin_call(const SchedulerInput& input) {
  allowed_.clear();
  if (counts_applications_) of_applications_.follow(input);
  for (const SchedulerEvent& event : input.events) {
    if (const auto* removed = std::get_if<ApplicationRemoved>(&event)) {
      presences_.erase(removed->application);
    }
  }
}

const InputPresence* WeightedScheduler::presence_of(const ClusterModel& cluster, const Ask& ask) {
  if (!reads_input_) return nullptr;
  const InputBlocks* const input = read_input(cluster, ask);
  if (input == nullptr) return nullptr;
  const auto [entry, is_new] = presences_.try_emplace(ask.application);
  InputPresence& presence = entry->second;
  if (!is_new) return &presence;
  presence.blocks = input->blocks();
  presence.on_nodes.resize(cluster.nodes.size());
  presence.in_racks.resize(cluster.racks);
  for (std::uint32_t block = 0; block < input->blocks(); ++block) {
    for (const NodeId node : input->nodes_of(block)) {
      ++presence.on_nodes[node.index()];
      presence.in_racks[cluster.node(node).rack.index()] = true;
    }
  }
  return &presence;
}

void WeightedScheduler::begin_ask(const PlacedAsk& placed, std::uint32_t /*wanted*/) {
  input_ = presence_of(placed.cluster, placed.ask);
  if (counts_applications_) {
    const std::size_t nodes = placed.cluster.nodes.size();
    const Application& application = placed.cluster.applications[placed.ask.application];
    most_of_application_ =
        of_applications_.counts_of(placed.ask.application, nodes, of_application_);
    if (counts_users_) {
      most_of_user_ = of_applications_.counts_of(application.user, nodes, of_user_);
    }
  }
  placed_as_preferred_.clear();
  gang_nodes_.clear();
  candidates_.clear();
  are_candidates_known_ = false;
  was_excluded_ = false;
  last_chosen_ = NodeId();
}

bool WeightedScheduler::is_choosy(const Ask& ask) const {
  return AllowedPlaces::is_choosy(ask) || was_excluded_;
}

UnitRequest WeightedScheduler::request_of(AskId id, const Ask& ask) const {
  return {id,     ask,    dimensions_,          settings_.share, allowed_,
          names_, input_, most_of_application_, most_of_user_,   settings_.conditions,
          now()};
}

CandidateNode WeightedScheduler::candidate(const ClusterModel& cluster, const UnitRequest& request,
                                           NodeId node) const {
  CandidateNode candidate{.node = cluster.node(node),
                          .report = cluster.node(node).report,
                          .free = free().free(node),
                          .has_room = free().has_room(node, request.ask.demand),
                          .containers = containers(node)};
  if (counts_applications_) {
    candidate.of_application = of_application_[node.index()];
    if (counts_users_) candidate.of_user = of_user_[node.index()];
  }
  if (!placed_as_preferred_.empty() && !request.ask.nodes.empty()) {
    const auto found = placed_as_preferred_.find(node);
    if (found != placed_as_preferred_.end()) candidate.placed_as_preferred = found->second;
  }
  return candidate;
}

bool WeightedScheduler::is_healthy(const Node& node, const NodeReport& report,
                                   TraceTime now) const {
  // These predicates are of nodes alone.
  const Ask ask;
  const AllowedPlaces allowed;
  UnitRequest request{AskId(), ask, dimensions_, settings_.share, allowed};
  request.conditions = settings_.conditions;
  request.now = now;
  const CandidateNode candidate{.node = node, .report = report, .free = node.free};
  return std::all_of(settings_.predicates.begin(), settings_.predicates.end(),
                     [&](const Predicate* predicate) {
                       return !predicate->reads_reports || predicate->holds(request, candidate);
                     });
}

bool WeightedScheduler::meets_all(const UnitRequest& request, const CandidateNode& candidate) {
  const Predicate* const predicate = failed(request, candidate);
  was_excluded_ |= predicate != nullptr && predicate != &fits_predicate;
  return predicate == nullptr;
}

const Predicate* WeightedScheduler::failed(const UnitRequest& request,
                                           const CandidateNode& candidate) const {
  for (const Predicate* predicate : settings_.predicates) {
    if (!predicate->holds(request, candidate)) return predicate;
  }
  return nullptr;
}

bool WeightedScheduler::will_do(const PlacedAsk& placed, NodeId node) {
  if (!free().is_alive(node)) return false;
  const UnitRequest request = request_of(placed.id, placed.ask);
  return meets_all(request, candidate(placed.cluster, request, node));
}

WeightedScheduler::Ranked WeightedScheduler::ranked(const UnitRequest& request,
                                                    const CandidateNode& candidate) const {
  Ranked result;
  for (const WeightedPriority& weighted : settings_.priorities) {
    result.sum += weighted.priority->score(request, candidate) * weighted.weight;
  }
  for (std::size_t i = 0; i < settings_.ties.size(); ++i) {
    result.ties[i] = settings_.ties[i]->score(request, candidate);
  }
  result.node = candidate.node.id;
  return result;
}

// numFeasibleNodesToFind.
std::size_t WeightedScheduler::candidates_wanted() const {
  constexpr std::size_t candidates_min = 100;
  const std::size_t nodes = free().nodes();
  std::size_t percentage = settings_.percentage_of_nodes;
  if (percentage == 100 || nodes < candidates_min) return nodes;
  if (percentage == 0)
    percentage = std::max<std::size_t>(5, 50 - std::min<std::size_t>(50, nodes / 125));
  return std::max(candidates_min, nodes * percentage / 100);
}

void WeightedScheduler::find_candidates(const PlacedAsk& placed) {
  candidates_.clear();
  const std::size_t wanted = candidates_wanted();
  are_candidates_known_ = wanted >= free().nodes();
  if (!are_candidates_known_) return find_some_candidates(placed, wanted);
  const UnitRequest request = request_of(placed.id, placed.ask);
  free().visit_with_room(placed.ask.demand, [&](NodeId node) {
    const CandidateNode one = candidate(placed.cluster, request, node);
    if (meets_all(request, one)) candidates_.push_back(ranked(request, one));
    return false;
  });
}

void WeightedScheduler::find_some_candidates(const PlacedAsk& placed, std::size_t wanted) {
  const UnitRequest request = request_of(placed.id, placed.ask);
  const std::size_t nodes = free().nodes();
  std::size_t looked_at = 0;
  for (; looked_at < nodes && candidates_.size() < wanted; ++looked_at) {
    const NodeId node((next_node_ + looked_at) % nodes);
    if (!free().is_alive(node)) continue;
    const CandidateNode one = candidate(placed.cluster, request, node);
    if (meets_all(request, one)) candidates_.push_back(ranked(request, one));
  }
  next_node_ = (next_node_ + looked_at) % nodes;
}

// Room, places and scores of the other nodes stay as they are, unless rules compare nodes with the
// one that has the most of the application's or user's containers, or the ask is confined to racks.
void WeightedScheduler::rank_anew(const PlacedAsk& placed, NodeId node) {
  const auto most = std::pair(most_of_application_, most_of_user_);
  if (counts_applications_) {
    most_of_application_ = std::max(most.first, of_application_[node.index()]);
    if (counts_users_) most_of_user_ = std::max(most.second, of_user_[node.index()]);
  }
  if (most != std::pair(most_of_application_, most_of_user_) || !placed.ask.relax_locality) {
    return find_candidates(placed);
  }
  const auto entry = std::lower_bound(candidates_.begin(), candidates_.end(), node,
                                      [](const Ranked& a, NodeId id) { return a.node < id; });
  const UnitRequest request = request_of(placed.id, placed.ask);
  const CandidateNode one = candidate(placed.cluster, request, node);
  if (meets_all(request, one)) {
    *entry = ranked(request, one);
  } else {
    candidates_.erase(entry);
  }
}

NodeId WeightedScheduler::best() {
  if (candidates_.empty()) return NodeId();
  const Ranked* best = &candidates_.front();
  for (const Ranked& one : candidates_) {
    if (one.is_before(*best)) best = &one;
  }
  equals_.clear();
  for (const Ranked& one : candidates_) {
    if (one.is_equal(*best)) equals_.push_back(one.node);
  }
  if (settings_.draws_last) return draw_of(equals_, random_);
  return *std::min_element(equals_.begin(), equals_.end());
}

// Where every candidate is as good as any other, few need to be looked at.
NodeId WeightedScheduler::draw(const PlacedAsk& placed) {
  const auto list = [&](std::vector<NodeId>& candidates) {
    free().visit_with_room(placed.ask.demand, [&](NodeId node) {
      if (will_do(placed, node)) candidates.push_back(node);
      return false;
    });
  };
  return draw_node(
      random_, free().nodes(), [&](NodeId node) { return will_do(placed, node); }, list, equals_);
}

NodeId WeightedScheduler::choose(const PlacedAsk& placed) {
  NodeId chosen;
  if (settings_.priorities.empty() && settings_.ties.empty() && settings_.draws_last) {
    chosen = draw(placed);
  } else {
    if (!are_candidates_known_) {
      find_candidates(placed);
    } else if (last_chosen_.is_valid()) {
      rank_anew(placed, last_chosen_);
    }
    chosen = best();
  }
  if (keeps_choice_of(chosen)) keep_choice(placed, chosen, scores_of_all(placed));
  last_chosen_ = chosen;
  if (chosen.is_valid()) count(placed, chosen);
  return chosen;
}

// What the next unit has to know of this one, beside what is free.
void WeightedScheduler::count(const PlacedAsk& placed, NodeId node) {
  const Ask& ask = placed.ask;
  allowed_.placed(placed.id, ask, placed.cluster.node(node), 1);
  if (!ask.nodes.empty() && preferred_at(ask.nodes, node) > placed_as_preferred_[node]) {
    ++placed_as_preferred_[node];
  }
  if (!counts_applications_) return;
  // Units of a gang that are on one node share a container.
  if (ask.is_gang()) {
    if (std::find(gang_nodes_.begin(), gang_nodes_.end(), node) != gang_nodes_.end()) return;
    gang_nodes_.push_back(node);
  }
  of_applications_.add(ask.application, placed.cluster.applications[ask.application].user, node);
  ++of_application_[node.index()];
  if (counts_users_) ++of_user_[node.index()];
}

void WeightedScheduler::end_ask(const PlacedAsk& placed, std::uint32_t units) {
  if (units > 0) return;
  for (const NodeId node : gang_nodes_) of_applications_.take(placed.ask.application, node);
}

}  // namespace tracebed
