#include "schedulers/yarn/fair/room_finder.h"

#include <algorithm>

#include "schedulers/yarn/fair/fair_assignment.h"
#include "schedulers/yarn/fair/master_share.h"
#include "schedulers/yarn/parts/not_negative.h"

namespace tracebed {
namespace {

// How many containers of `demand` are in `amount`, by memory where they have some.
std::int64_t containers_in(const Resources& amount, const Resources& demand) {
  return demand.memory_mib() > 0 ? amount.memory_mib() / demand.memory_mib()
                                 : demand.count_in(amount);
}

}  // namespace

bool RoomFinder::may_have(const LiveApplication& application, const Resources& amount) const {
  return fits_in_maxima(state_.settings, *application.leaf, amount);
}

std::vector<FoundRoom> RoomFinder::find(const StarvedApplication& starved) {
  const LiveApplication& application = *starved.application;
  if (is_over_master_share(application, state_.free.total(), cluster_.capacity)) return {};
  Wanted wanted{.application = application, .lacking = {}, .promised = {}, .found = {}};
  for (const PromiseId id : state_.promised.of(application.id)) {
    wanted.promised += state_.promised.find(id)->demand;
  }
  wanted.lacking = not_negative(starved.total() - wanted.promised);
  for (const LiveAsk& ask : application.asks) {
    if (wanted.lacking.is_zero()) break;
    if (!cluster_.asks.contains(ask.id)) continue;  // of a view between two calls
    std::int64_t units = ask.remaining;
    for (const PromiseId id : state_.promised.of(application.id)) {
      if (state_.promised.find(id)->ask == ask.id) --units;
    }
    const auto& largest = application.leaf->maximum_container;
    if (units <= 0 || (largest && !ask.demand.fits_in(*largest))) continue;
    if (!ask.is_gang) {
      find_units(ask, units, wanted);
    } else if (units == ask.remaining) {
      find_gang(ask, wanted);
    }
  }
  return std::move(wanted.found);
}

void RoomFinder::find_units(const LiveAsk& ask, std::int64_t units, Wanted& wanted) {
  const Ask& model = cluster_.asks[ask.id];
  std::vector<RackId> racks_of_nodes;
  bool names_places = false;
  const auto find_some = [&](NodeId node, RackId rack, std::int64_t most) {
    const std::int64_t count = std::min({most, units, containers_in(wanted.lacking, ask.demand)});
    if (count <= 0) return;
    find_at(ask, node, rack, count, wanted);
    units -= count;
    wanted.lacking = not_negative(wanted.lacking - ask.demand * count);
  };
  for (const PlaceCount<NodeId>& named : model.nodes) {
    if (named.count == 0) continue;
    names_places = true;
    racks_of_nodes.push_back(cluster_.node(named.place).rack);
    find_some(named.place, RackId(), named.count);
  }
  for (const PlaceCount<RackId>& named : model.racks) {
    if (named.count == 0) continue;
    names_places = true;
    const bool has_nodes = std::find(racks_of_nodes.begin(), racks_of_nodes.end(), named.place) !=
                           racks_of_nodes.end();
    if (!has_nodes) find_some(NodeId(), named.place, named.count);
  }
  if (!names_places && model.relax_locality) find_some(NodeId(), RackId(), units);
}

void RoomFinder::find_at(const LiveAsk& ask, NodeId node, RackId rack, std::int64_t units,
                         Wanted& wanted) {
  const bool is_anywhere = !node.is_valid() && !rack.is_valid();
  const NodeId avoided = cluster_.asks[ask.id].avoided;
  if (node.is_valid() && node == avoided) return;
  for (std::int64_t i = 0; i < units; ++i) {
    if (!may_have(wanted.application, wanted.promised + ask.demand)) return;
    std::optional<VictimSearch::Place> place = node.is_valid()
                                                   ? search_.on_node(node, ask.demand)
                                                   : search_.in_rack(rack, ask.demand, avoided);
    if (!place) return;
    if (place->masters > 0 && !is_anywhere && cluster_.asks[ask.id].relax_locality) {
      std::optional<VictimSearch::Place> other = search_.anywhere(ask.demand, avoided);
      if (other && other->masters < place->masters) place = std::move(other);
    }
    search_.take(*place, ask.demand);
    wanted.promised += ask.demand;
    wanted.found.push_back(
        {.ask = ask.id, .demand = ask.demand, .is_gang = false, .place = std::move(*place)});
  }
}

void RoomFinder::find_gang(const LiveAsk& ask, Wanted& wanted) {
  const LiveApplication& application = wanted.application;
  const Resources amount = ask.demand * ask.remaining;
  const bool is_within_share =
      !state_.order.is_below(*application.leaf, application.share, application.usage + amount);
  const bool is_lacking = containers_in(wanted.lacking, ask.demand) >= ask.remaining;
  if (!is_within_share && !is_lacking) return;
  if (!may_have(application, wanted.promised + amount)) return;
  const std::size_t taken = search_.taken();
  const NodeId avoided = cluster_.asks[ask.id].avoided;
  std::vector<FoundRoom> found;
  for (std::uint32_t i = 0; i < ask.remaining; ++i) {
    std::optional<VictimSearch::Place> place = search_.anywhere(ask.demand, avoided);
    if (!place) return search_.return_to(taken);
    search_.take(*place, ask.demand);
    found.push_back(
        {.ask = ask.id, .demand = ask.demand, .is_gang = true, .place = std::move(*place)});
  }
  wanted.promised += amount;
  wanted.lacking = not_negative(wanted.lacking - amount);
  std::move(found.begin(), found.end(), std::back_inserter(wanted.found));
}

}  // namespace tracebed
