#include "schedulers/placement/placement.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/check.h"
#include "schedulers/parts/accept_all.h"
#include "schedulers/placement/used_share.h"

namespace tracebed {

namespace {

// A heartbeat alone makes no room. A pass in vain would be harmless, but Random draws in it, and
// then the heartbeats that a fleet leaves out would make a difference.
bool has_news(const SchedulerInput& input) {
  return !std::all_of(input.events.begin(), input.events.end(), [](const SchedulerEvent& event) {
    return std::holds_alternative<NodeUpdated>(event);
  });
}

}  // namespace

PlacementScheduler::PlacementScheduler(const PlacementSettings& settings)
    : settings_(settings), random_(Random::stream(settings.seed, "scheduler.random")) {}

void PlacementScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  follow_nodes(input);
  line_.follow(input);
  placed_at_input_.clear();
  accept_all(input, decisions);
  if (has_news(input)) pass(input.cluster, decisions);
}

void PlacementScheduler::follow_nodes(const SchedulerInput& input) {
  const std::span<const NodeId> changed = free_.follow(input);
  if (containers_.size() < free_.nodes()) containers_.resize(free_.nodes());
  for (NodeId node : changed) {
    containers_[node.index()] = input.cluster.node(node).containers;
    if (free_.is_alive(node)) {
      ranked_.update(rank_of(input.cluster, node), free_.free(node));
    } else {
      ranked_.remove(node);
    }
  }
}

// Merges the kinds of demands by their asks' places in the line. A kind of which no unit found room
// is out for the rest of the pass, with all asks behind: room only shrinks while a pass lasts.
void PlacementScheduler::pass(const ClusterModel& cluster, Decisions& decisions) {
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
    const Outcome outcome = place(cluster, key.ask, entry->second.remaining, decisions);
    line_.take(entry, outcome.placed);
    if (outcome.has_room && next.ask.is_valid()) {
      turns_.push_back(next);
      std::push_heap(turns_.begin(), turns_.end(), std::greater<>());
    }
  }
}

PlacementScheduler::Outcome PlacementScheduler::place(const ClusterModel& cluster, AskId id,
                                                      std::uint32_t wanted, Decisions& decisions) {
  const Ask& ask = cluster.asks[id];
  return ask.is_gang() ? place_gang(cluster, id, ask, wanted, decisions)
                       : place_units(cluster, id, ask, wanted, decisions);
}

PlacementScheduler::Outcome PlacementScheduler::place_units(const ClusterModel& cluster, AskId id,
                                                            const Ask& ask, std::uint32_t wanted,
                                                            Decisions& decisions) {
  std::uint32_t placed = 0;
  NodeRank from;
  while (placed < wanted) {
    const NodeId node = choose(cluster, id, ask, from);
    // A unit that insists on its place, or avoids one, tells nothing about the others of its kind.
    if (!node.is_valid()) return {placed, !ask.relax_locality || ask.avoided.is_valid()};
    const std::uint32_t units = units_at_once(ask, node, wanted - placed);
    for (std::uint32_t i = 0; i < units; ++i) decisions.allocate(id, node);
    take(cluster, node, ask.demand * units, units);
    placed += units;
  }
  return {placed, true};
}

PlacementScheduler::Outcome PlacementScheduler::place_gang(const ClusterModel& cluster, AskId id,
                                                           const Ask& ask, std::uint32_t wanted,
                                                           Decisions& decisions) {
  if (!(ask.demand * wanted).fits_in(free_.total())) return {0, true};
  pieces_.clear();
  std::uint32_t placed = 0;
  NodeRank from;
  while (placed < wanted) {
    const NodeId node = choose(cluster, id, ask, from);
    if (!node.is_valid()) break;
    const std::uint32_t units = units_at_once(ask, node, wanted - placed);
    // Units on one node share a container, so only the first of them adds one.
    const auto piece = std::find_if(pieces_.begin(), pieces_.end(),
                                    [&](const GangPiece& p) { return p.node == node; });
    take(cluster, node, ask.demand * units, piece == pieces_.end() ? 1 : 0);
    if (piece == pieces_.end()) {
      pieces_.push_back({node, units});
    } else {
      piece->units += units;
    }
    placed += units;
  }
  if (placed < wanted) {
    for (const GangPiece& piece : pieces_) give_back(cluster, piece, ask.demand);
    return {0, placed > 0 || !ask.relax_locality || ask.avoided.is_valid()};
  }
  std::sort(pieces_.begin(), pieces_.end(),
            [](const GangPiece& a, const GangPiece& b) { return a.node < b.node; });
  decisions.allocate_gang(id, pieces_);
  return {placed, true};
}

std::uint32_t PlacementScheduler::units_at_once(const Ask& ask, NodeId node,
                                                std::uint32_t wanted) const {
  // A node that is taken for being fullest is fuller after it, so it is taken again until it is
  // full. The other rules look anew after every unit, as does a wish for certain places.
  const bool looks_at_places = settings_.locality == PlacementSettings::Locality::prefer;
  if (settings_.rule != PlacementSettings::Rule::binpack || looks_at_places ||
      !ask.relax_locality) {
    return 1;
  }
  return static_cast<std::uint32_t>(
      std::min<std::int64_t>(wanted, ask.demand.count_in(free_.free(node))));
}

void PlacementScheduler::take(const ClusterModel& cluster, NodeId node, const Resources& amount,
                              std::uint32_t containers) {
  free_.take(node, amount);
  containers_[node.index()] += containers;
  ranked_.update(rank_of(cluster, node), free_.free(node));
}

void PlacementScheduler::give_back(const ClusterModel& cluster, const GangPiece& piece,
                                   const Resources& demand) {
  free_.give_back(piece.node, demand * piece.units);
  --containers_[piece.node.index()];
  ranked_.update(rank_of(cluster, piece.node), free_.free(piece.node));
}

NodeRank PlacementScheduler::rank_of(const ClusterModel& cluster, NodeId node) const {
  if (settings_.rule == PlacementSettings::Rule::random) return {0, node.value()};
  const Resources& capacity = cluster.node(node).capacity;
  const Resources used = capacity - free_.free(node);
  std::uint64_t share = settings_.share == PlacementSettings::Share::sum
                            ? sum_of_used_shares(used, capacity)
                            : dominant_used_share(used, capacity);
  std::uint32_t containers = containers_[node.index()];
  if (settings_.rule == PlacementSettings::Rule::binpack) {
    share = ~share;
    containers = ~containers;
  }
  return {share, (std::uint64_t{containers} << 32) | node.value()};
}

NodeId PlacementScheduler::choose(const ClusterModel& cluster, AskId id, const Ask& ask,
                                  NodeRank& from) {
  const bool looks_at_places = settings_.locality == PlacementSettings::Locality::prefer;
  if (looks_at_places || !ask.relax_locality) {
    const NodeId at_input = choose_at_input(id, ask);
    if (at_input.is_valid()) return at_input;
    const NodeId in_rack = ask.racks.empty() ? NodeId() : choose_in_racks(cluster, ask);
    if (in_rack.is_valid() || !ask.relax_locality) return in_rack;
  }
  return choose_any(ask.demand, ask.avoided, from);
}

NodeId PlacementScheduler::choose_any(const Resources& demand, NodeId avoided, NodeRank& from) {
  if (settings_.rule != PlacementSettings::Rule::random) {
    const NodeId node =
        ranked_.find(demand, from, [&](NodeId candidate) { return candidate != avoided; });
    const bool is_left_with_room = settings_.rule == PlacementSettings::Rule::binpack &&
                                   settings_.locality == PlacementSettings::Locality::prefer;
    if (node.is_valid() && !is_left_with_room) from = ranked_.rank(node);
    return node;
  }
  // Drawing until the node has room draws each that has with the same chance. If few have, listing
  // them is quicker.
  constexpr int draws_max = 16;
  for (int i = 0; i < draws_max && free_.nodes() > 0; ++i) {
    const NodeId node(static_cast<std::size_t>(random_.below(free_.nodes())));
    if (node == avoided) continue;
    if (ranked_.contains(node) && demand.fits_in(free_.free(node))) return node;
  }
  candidates_.clear();
  ranked_.find(demand, NodeRank(), [&](NodeId node) {
    if (node != avoided) candidates_.push_back(node);
    return false;
  });
  return best_of_candidates();
}

NodeId PlacementScheduler::choose_at_input(AskId id, const Ask& ask) {
  candidates_.clear();
  for (const PlaceCount<NodeId>& wish : ask.nodes) {
    if (wish.place == ask.avoided) continue;
    if (!ranked_.contains(wish.place) || !ask.demand.fits_in(free_.free(wish.place))) continue;
    const auto placed = placed_at_input_.find({id, wish.place});
    const std::uint32_t used = placed == placed_at_input_.end() ? 0 : placed->second;
    if (used < wish.count) candidates_.push_back(wish.place);
  }
  const NodeId best = best_of_candidates();
  if (best.is_valid()) ++placed_at_input_[{id, best}];
  return best;
}

NodeId PlacementScheduler::choose_in_racks(const ClusterModel& cluster, const Ask& ask) {
  candidates_.clear();
  const bool any_will_do = settings_.rule == PlacementSettings::Rule::random;
  const NodeId first = ranked_.find(ask.demand, NodeRank(), [&](NodeId node) {
    if (node == ask.avoided || preferred_at(ask.racks, cluster.node(node).rack) == 0) return false;
    candidates_.push_back(node);
    return !any_will_do;
  });
  return any_will_do ? best_of_candidates() : first;
}

NodeId PlacementScheduler::best_of_candidates() {
  if (candidates_.empty()) return NodeId();
  if (settings_.rule == PlacementSettings::Rule::random) {
    return candidates_[random_.below(candidates_.size())];
  }
  return *std::min_element(candidates_.begin(), candidates_.end(),
                           [&](NodeId a, NodeId b) { return ranked_.rank(a) < ranked_.rank(b); });
}

}  // namespace tracebed
