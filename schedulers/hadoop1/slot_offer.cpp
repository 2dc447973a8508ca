#include "schedulers/hadoop1/slot_offer.h"

#include <algorithm>
#include <set>

#include "schedulers/parts/gang_plan.h"

namespace tracebed {

std::optional<Locality> SlotOffer::level_at(const SlotAsk& ask, const Ask& model,
                                            const Node& node) const {
  if (!may_run_on(model, node)) return std::nullopt;
  if (model.nodes.empty() && model.racks.empty()) return Locality::none_asked;
  std::uint32_t here = 0;
  std::uint32_t in_rack = 0;
  for (const NodeId placed : ask.placed) {
    if (placed == node.id) ++here;
    if (cluster_.node(placed).rack == node.rack) ++in_rack;
  }
  if (preferred_at(model.nodes, node.id) > here) return Locality::node;
  if (preferred_at(model.racks, node.rack) > in_rack) return Locality::rack;
  if (!model.relax_locality) return std::nullopt;
  return Locality::off_switch;
}

std::optional<Locality> SlotOffer::place(SlotJob& job, SlotKind kind, NodeId node, Locality level) {
  const std::int64_t slots = jobs_.table().free(node, kind);
  if (slots <= 0 || job.pending[kind] == 0 || !free_.is_alive(node)) return std::nullopt;
  SlotAsk* best = nullptr;
  Locality best_level = Locality::off_switch;
  for (SlotAsk& ask : job.asks) {
    if (best != nullptr && ask.priority != best->priority) break;
    const bool is_wanted = !ask.is_master && ask.kind == kind && ask.remaining > 0;
    if (!is_wanted || ask.slots > slots || !free_.has_room(node, ask.demand)) continue;
    const std::optional<Locality> here = level_at(ask, cluster_.asks[ask.id], cluster_.node(node));
    if (!here || *here > level || (best != nullptr && *here >= best_level)) continue;
    if (ask.is_gang) {
      if (best == nullptr && take(job, ask, cluster_.asks[ask.id], node)) return here;
      continue;
    }
    best = &ask;
    best_level = *here;
  }
  if (best == nullptr || !take(job, *best, cluster_.asks[best->id], node)) return std::nullopt;
  return best_level;
}

bool SlotOffer::has_task(const SlotJob& job, SlotKind kind, NodeId node, Locality level) const {
  if (job.pending[kind] == 0) return false;
  return std::any_of(job.asks.begin(), job.asks.end(), [&](const SlotAsk& ask) {
    if (ask.is_master || ask.kind != kind || ask.remaining == 0) return false;
    const std::optional<Locality> here = level_at(ask, cluster_.asks[ask.id], cluster_.node(node));
    return here && *here <= level;
  });
}

bool SlotOffer::place_master(SlotJob& job, NodeId node) {
  if (!free_.is_alive(node)) return false;
  for (SlotAsk& ask : job.asks) {
    if (!ask.is_master || ask.remaining == 0 || !free_.has_room(node, ask.demand)) continue;
    const Ask& model = cluster_.asks[ask.id];
    if (level_at(ask, model, cluster_.node(node)) && take(job, ask, model, node)) return true;
  }
  return false;
}

bool SlotOffer::take(SlotJob& job, SlotAsk& ask, const Ask& model, NodeId node) {
  if (!ask.is_gang) {
    decisions_.allocate(ask.id, node);
    free_.take(node, ask.demand);
    jobs_.count_proposal(job, ask, node, 1);
    return true;
  }
  const auto is_open = [&](NodeId place) { return may_run_on(model, cluster_.node(place)); };
  if (!plan_gang_on(free_, ask.demand, ask.remaining, is_open, pieces_)) return false;
  propose_gang(ask.id, ask.demand, pieces_, free_, decisions_);
  for (const GangPiece& piece : pieces_) {
    jobs_.count_proposal(job, ask, piece.node, piece.units);
  }
  return true;
}

bool has_places(const ClusterModel& cluster, const SlotJob& job) {
  return std::any_of(job.asks.begin(), job.asks.end(), [&](const SlotAsk& ask) {
    if (ask.is_master || ask.kind != SlotKind::map || ask.remaining == 0) return false;
    const Ask& model = cluster.asks[ask.id];
    return !model.nodes.empty() || !model.racks.empty();
  });
}

std::int64_t named_nodes(const ClusterModel& cluster, const SlotJob& job) {
  std::set<NodeId> nodes;
  for (const SlotAsk& ask : job.asks) {
    if (ask.is_master || ask.kind != SlotKind::map || ask.remaining == 0) continue;
    for (const PlaceCount<NodeId>& place : cluster.asks[ask.id].nodes) {
      if (place.count > 0) nodes.insert(place.place);
    }
  }
  return static_cast<std::int64_t>(nodes.size());
}

}  // namespace tracebed
