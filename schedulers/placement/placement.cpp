#include "schedulers/placement/placement.h"

#include <algorithm>

#include "schedulers/parts/node_draw.h"

namespace tracebed {

namespace {

NodeOrder order_of(PlacementSettings::Rule rule) {
  switch (rule) {
    case PlacementSettings::Rule::spread:
      return NodeOrder::least_used;
    case PlacementSettings::Rule::binpack:
      return NodeOrder::most_used;
    case PlacementSettings::Rule::random:
    case PlacementSettings::Rule::dot_product:
    case PlacementSettings::Rule::l2_norm:
      break;
  }
  return NodeOrder::by_id;
}

}  // namespace

PlacementScheduler::PlacementScheduler(const PlacementSettings& settings)
    : settings_(settings),
      nodes_(order_of(settings.rule), settings.share),
      space_(settings.rule == PlacementSettings::Rule::l2_norm ? PackingScore::l2_norm
                                                               : PackingScore::dot_product,
             settings.weights),
      random_(Random::stream(settings.seed, "scheduler.random")) {}

void PlacementScheduler::node_changed(const ClusterModel& cluster, NodeId node) {
  if (packs()) {
    if (free().is_alive(node)) {
      space_.update(cluster.node(node), free().free(node));
    } else {
      space_.remove(node);
    }
  } else if (free().is_alive(node)) {
    nodes_.update(cluster.node(node), free().free(node), containers(node));
  } else {
    nodes_.remove(node);
  }
}

std::uint32_t PlacementScheduler::units_at_once(const PlacedAsk& placed, NodeId node,
                                                std::uint32_t left) const {
  // A node that is taken for being fullest is fuller after it, so it is taken again until it is
  // full. The other rules look anew after every unit, as does a wish for certain places.
  const bool looks_at_places = settings_.locality == PlacementSettings::Locality::prefer;
  if (settings_.rule != PlacementSettings::Rule::binpack || looks_at_places ||
      !placed.ask.relax_locality) {
    return 1;
  }
  return static_cast<std::uint32_t>(
      std::min<std::int64_t>(left, free().units_on(node, placed.ask.demand)));
}

NodeId PlacementScheduler::choose(const PlacedAsk& placed) {
  const Ask& ask = placed.ask;
  const bool looks_at_places = settings_.locality == PlacementSettings::Locality::prefer;
  if (looks_at_places || !ask.relax_locality) {
    const NodeId at_input = choose_at_input(placed);
    if (at_input.is_valid()) return at_input;
    const NodeId in_rack = ask.racks.empty() ? NodeId() : choose_in_racks(placed);
    if (in_rack.is_valid() || !ask.relax_locality) return in_rack;
  }
  return choose_any(ask.demand, ask.avoided);
}

NodeId PlacementScheduler::choose_any(const Resources& demand, NodeId avoided) {
  if (packs()) {
    return space_.best(demand, [&](NodeId candidate) {
      return candidate != avoided && free().has_room(candidate, demand);
    });
  }
  if (settings_.rule != PlacementSettings::Rule::random) {
    const bool is_left_with_room = settings_.rule == PlacementSettings::Rule::binpack &&
                                   settings_.locality == PlacementSettings::Locality::prefer;
    if (is_left_with_room) nodes_.restart();
    return nodes_.next(demand, [&](NodeId candidate) {
      return candidate != avoided && free().has_room(candidate, demand);
    });
  }
  const auto will_do = [&](NodeId node) {
    return node != avoided && nodes_.contains(node) && free().has_room(node, demand);
  };
  const auto list = [&](std::vector<NodeId>& candidates) {
    nodes_.find(demand, [&](NodeId node) {
      if (node != avoided && free().has_room(node, demand)) candidates.push_back(node);
      return false;
    });
  };
  return draw_node(random_, free().nodes(), will_do, list, candidates_);
}

NodeId PlacementScheduler::choose_at_input(const PlacedAsk& placed) {
  const Ask& ask = placed.ask;
  candidates_.clear();
  for (const PlaceCount<NodeId>& wish : ask.nodes) {
    if (wish.place == ask.avoided) continue;
    if (!free().is_alive(wish.place) || !free().has_room(wish.place, ask.demand)) continue;
    const auto before = placed_at_input_.find({placed.id, wish.place});
    const std::uint32_t used = before == placed_at_input_.end() ? 0 : before->second;
    if (used < wish.count) candidates_.push_back(wish.place);
  }
  const NodeId best = best_of_candidates(ask.demand);
  if (best.is_valid()) ++placed_at_input_[{placed.id, best}];
  return best;
}

NodeId PlacementScheduler::choose_in_racks(const PlacedAsk& placed) {
  const Ask& ask = placed.ask;
  const auto will_do = [&](NodeId node) {
    return node != ask.avoided && preferred_at(ask.racks, placed.cluster.node(node).rack) > 0 &&
           free().has_room(node, ask.demand);
  };
  if (packs()) return space_.best(ask.demand, will_do);
  if (settings_.rule != PlacementSettings::Rule::random) {
    const NodeId first = nodes_.first(ask.demand, will_do);
    nodes_.restart();
    return first;
  }
  candidates_.clear();
  nodes_.find(ask.demand, [&](NodeId node) {
    if (will_do(node)) candidates_.push_back(node);
    return false;
  });
  return draw_of(candidates_, random_);
}

NodeId PlacementScheduler::best_of_candidates(const Resources& demand) {
  if (settings_.rule == PlacementSettings::Rule::random) return draw_of(candidates_, random_);
  if (candidates_.empty()) return NodeId();
  if (packs()) {
    return *std::min_element(candidates_.begin(), candidates_.end(), [&](NodeId a, NodeId b) {
      return std::pair(space_.loss(a, demand), a) < std::pair(space_.loss(b, demand), b);
    });
  }
  return *std::min_element(candidates_.begin(), candidates_.end(), [&](NodeId a, NodeId b) {
    return nodes_.rank(a, demand) < nodes_.rank(b, demand);
  });
}

}  // namespace tracebed
