#include "schedulers/placement/unit_placement.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "schedulers/parts/accept_all.h"

namespace tracebed {

namespace {

// A heartbeat alone makes no room. A pass in vain would be harmless, but some policies draw in it,
// and then the heartbeats that a fleet leaves out would make a difference.
bool has_news(const SchedulerInput& input) {
  return !std::all_of(input.events.begin(), input.events.end(), [](const SchedulerEvent& event) {
    return std::holds_alternative<NodeUpdated>(event);
  });
}

}  // namespace

bool LastReports::follow(const UnitPlacement& policy, const SchedulerInput& input) {
  bool is_one_healthy_again = false;
  for (const SchedulerEvent& event : input.events) {
    if (const auto* const added = std::get_if<NodeAdded>(&event)) {
      if (added->node.index() >= reports_.size()) reports_.resize(added->node.index() + 1);
      reports_[added->node.index()] = input.cluster.node(added->node).report;
    }
    const auto* const updated = std::get_if<NodeUpdated>(&event);
    if (updated == nullptr) continue;
    const Node& node = input.cluster.node(updated->node);
    NodeReport& last = reports_[node.id.index()];
    const bool was_healthy = policy.is_healthy(node, last, input.now);
    is_one_healthy_again |= !was_healthy && policy.is_healthy(node, node.report, input.now);
    last = node.report;
  }
  return is_one_healthy_again;
}

void UnitPlacement::decide(const SchedulerInput& input, Decisions& decisions) {
  follow(input, {});
  accept_all(input, decisions);
  const bool is_node_healthy_again = waits_for_reports() && reports_.follow(*this, input);
  if (is_node_healthy_again || has_news(input)) pass(input.cluster, decisions);
}

void UnitPlacement::follow(const SchedulerInput& input, std::span<const NodeId> others) {
  now_ = input.now;
  begin_call(input);
  follow_nodes(input, others);
  line_.follow(input);
}

void UnitPlacement::place(const ClusterModel& cluster, ApplicationId application,
                          Decisions& decisions) {
  auto entry = line_.first_of(application);
  while (entry != line_.end() && entry->first.application == application) {
    const AskId ask = entry->first.ask;
    const Outcome outcome =
        place_ask({cluster, ask, cluster.asks[ask]}, entry->second.remaining, decisions);
    entry = line_.take(entry, outcome.placed);
  }
}

void UnitPlacement::follow_nodes(const SchedulerInput& input, std::span<const NodeId> others) {
  const std::span<const NodeId> changed = free_.follow(input, others);
  if (containers_.size() < free_.nodes()) containers_.resize(free_.nodes());
  for (NodeId node : changed) {
    containers_[node.index()] = input.cluster.node(node).containers;
    node_changed(input.cluster, node);
  }
}

// Merges the kinds of demands by their asks' places in the line. A kind of which no unit found room
// is out for the rest of the pass, with all asks behind: room only shrinks while a pass lasts.
void UnitPlacement::pass(const ClusterModel& cluster, Decisions& decisions) {
  turns_.clear();
  for (const auto& [demand, asks] : line_.demands().kinds()) turns_.push_back(*asks.begin());
  std::make_heap(turns_.begin(), turns_.end(), std::greater<>());
  while (!turns_.empty()) {
    std::pop_heap(turns_.begin(), turns_.end(), std::greater<>());
    const LineKey key = turns_.back();
    turns_.pop_back();
    const auto entry = line_.find(key);
    const std::set<LineKey>& asks = entry->second.kind->second;
    const auto following = std::next(asks.find(key));
    const LineKey next = following == asks.end() ? LineKey() : *following;
    const Outcome outcome =
        place_ask({cluster, key.ask, cluster.asks[key.ask]}, entry->second.remaining, decisions);
    line_.take(entry, outcome.placed);
    if (outcome.has_room && next.ask.is_valid()) {
      turns_.push_back(next);
      std::push_heap(turns_.begin(), turns_.end(), std::greater<>());
    }
  }
}

UnitPlacement::Outcome UnitPlacement::place_ask(const PlacedAsk& placed, std::uint32_t wanted,
                                                Decisions& decisions) {
  begin_ask(placed, wanted);
  const Outcome outcome = placed.ask.is_gang() ? place_gang(placed, wanted, decisions)
                                               : place_units(placed, wanted, decisions);
  end_ask(placed, outcome.placed);
  return outcome;
}

UnitPlacement::Outcome UnitPlacement::place_units(const PlacedAsk& placed, std::uint32_t wanted,
                                                  Decisions& decisions) {
  const Ask& ask = placed.ask;
  std::uint32_t done = 0;
  while (done < wanted) {
    const NodeId node = choose(placed);
    if (!node.is_valid()) return {done, is_choosy(ask)};
    const std::uint32_t units = units_at_once(placed, node, wanted - done);
    for (std::uint32_t i = 0; i < units; ++i) decisions.allocate(placed.id, node);
    take(placed, node, units, units);
    done += units;
  }
  return {done, true};
}

UnitPlacement::Outcome UnitPlacement::place_gang(const PlacedAsk& placed, std::uint32_t wanted,
                                                 Decisions& decisions) {
  const Ask& ask = placed.ask;
  if (!free_.total_has_room(ask.demand, wanted)) return {0, true};
  pieces_.clear();
  std::uint32_t done = 0;
  while (done < wanted) {
    const NodeId node = choose(placed);
    if (!node.is_valid()) break;
    const std::uint32_t units = units_at_once(placed, node, wanted - done);
    // Units on one node share a container, so only the first of them adds one.
    const auto piece = std::find_if(pieces_.begin(), pieces_.end(),
                                    [&](const GangPiece& p) { return p.node == node; });
    take(placed, node, units, piece == pieces_.end() ? 1 : 0);
    if (piece == pieces_.end()) {
      pieces_.push_back({node, units});
    } else {
      piece->units += units;
    }
    done += units;
  }
  if (done < wanted) {
    for (const GangPiece& piece : pieces_) give_back(placed.cluster, piece, ask.demand);
    return {0, done > 0 || is_choosy(ask)};
  }
  std::sort(pieces_.begin(), pieces_.end(),
            [](const GangPiece& a, const GangPiece& b) { return a.node < b.node; });
  decisions.allocate_gang(placed.id, pieces_);
  return {done, true};
}

void UnitPlacement::keep_choice(const PlacedAsk& placed, NodeId chosen,
                                std::vector<NodeScore> nodes) {
  --choices_left_;
  const ApplicationId application = placed.ask.application;
  choices_.push_back({now_, application, placed.cluster.applications[application].job, placed.id,
                      chosen, std::move(nodes)});
}

SchedulerView UnitPlacement::view(const ClusterModel& /*cluster*/) const {
  SchedulerView view;
  view.choices = choices_;
  return view;
}

void UnitPlacement::take(const PlacedAsk& placed, NodeId node, std::uint32_t units,
                         std::uint32_t containers) {
  free_.take(node, placed.ask.demand, units);
  containers_[node.index()] += containers;
  node_changed(placed.cluster, node);
}

void UnitPlacement::give_back(const ClusterModel& cluster, const GangPiece& piece,
                              const Resources& demand) {
  free_.give_back(piece.node, demand, piece.units);
  --containers_[piece.node.index()];
  node_changed(cluster, piece.node);
}

}  // namespace tracebed
