#include "schedulers/yarn/fair/fair_assignment.h"

#include <algorithm>
#include <cmath>

#include "schedulers/parts/gang_plan.h"
#include "schedulers/yarn/fair/fair_preemption.h"
#include "schedulers/yarn/fair/master_share.h"
#include "schedulers/yarn/parts/not_negative.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {
namespace {

// Hadoop: LocalityAppPlacementAllocator.getUniqueLocationAsks. Places whose units are all placed
// are named no more.
bool names_places(const Ask& ask) {
  const auto is_wanted = [](const auto& place) { return place.count > 0; };
  return std::any_of(ask.nodes.begin(), ask.nodes.end(), is_wanted) ||
         std::any_of(ask.racks.begin(), ask.racks.end(), is_wanted);
}

}  // namespace

bool counts_offers(const FairSettings& settings) {
  return settings.continuous_scheduling
             ? settings.locality_delay_node >= Duration::zero() &&
                   settings.locality_delay_rack >= Duration::zero()
             : settings.locality_threshold_node >= 0 && settings.locality_threshold_rack >= 0;
}

bool fits_in_maxima(const FairSettings& settings, const LiveQueue& leaf, const Resources& amount) {
  for (const LiveQueue* queue = &leaf; queue != nullptr; queue = queue->parent) {
    if (!(queue->usage + amount).fits_in(queue->maximum)) return false;
    if (!settings.ancestors_bind) break;
  }
  return true;
}

void NodeCounts::count(const Node& node, bool is_alive) {
  counted.grow(node.id.index() + 1);
  if (counted.contains(node.id) == is_alive) return;
  counted.set(node.id, is_alive);
  in_rack.resize(std::max(in_rack.size(), node.rack.index() + 1));
  std::size_t& near = in_rack[node.rack.index()];
  all = is_alive ? all + 1 : all - 1;
  near = is_alive ? near + 1 : near - 1;
}

bool FairAssignment::offer(NodeId id) {
  if (!state_.free.is_alive(id)) return false;
  const Node& node = cluster_.node(id);
  const bool served = state_.preemption.promised().nodes().contains(id) && serve_promises(node);
  if (state_.reservations.find(id) != nullptr && serve_reservation(node)) return true;
  if (!could_take_any(state_.free.free(id))) return served;
  const Resources half = multiply_and_cut(state_.free.free(id), 0.5);
  Resources assigned;
  std::int64_t containers = 0;
  for (;;) {
    if (!state_.root.has_offers()) break;
    const Outcome outcome = assign(state_.root, node);
    if (outcome == Outcome::nothing) break;
    ++containers;
    if (outcome == Outcome::reserved) break;
    assigned += last_assigned_;
    if (!may_assign_more(containers, assigned, half)) break;
  }
  return served || containers > 0;
}

Resources FairAssignment::room_for(const LiveApplication& application, NodeId node) const {
  const Resources& free = state_.free.free(node);
  const PromisedRoom& promised = state_.preemption.promised();
  if (!promised.nodes().contains(node)) return free;
  return not_negative(free - promised.kept(node, application.id));
}

// Devices that are kept for others are not told apart: amounts are, and of whole devices, the only
// ones that YARN knows, these say the same.
bool FairAssignment::has_room(const LiveApplication& application, NodeId node,
                              const Resources& demand, std::int64_t units) const {
  return demand.fits_in(room_for(application, node), units) &&
         state_.free.has_room(node, demand, units);
}

bool FairAssignment::is_promised(const LiveApplication& application, NodeId node) const {
  const PromisedRoom& promised = state_.preemption.promised();
  if (!promised.nodes().contains(node)) return false;
  const std::vector<PromiseId>& promises = promised.on(node);
  return std::any_of(promises.begin(), promises.end(), [&](PromiseId id) {
    return promised.find(id)->application == application.id;
  });
}

bool FairAssignment::may_assign_more(std::int64_t containers, const Resources& assigned,
                                     const Resources& most) const {
  const FairSettings& settings = state_.settings;
  if (!settings.assign_multiple) return false;
  if (settings.dynamic_max_assign) return assigned.fits_in(most);
  return settings.max_assign <= 0 || containers < settings.max_assign;
}

// ---- queues ----

bool FairAssignment::could_take_any(const Resources& free) const {
  if (!state_.root.has_offers()) return false;
  return state_.order.wanted().minimum().fits_in(free) || state_.root.reserving > 0 ||
         counts_offers(state_.settings);
}

// False only if going through the leaf's applications would change nothing.
bool FairAssignment::could_take(const LiveQueue& leaf, const Resources& free) const {
  const Resources& least = leaf.wanted.minimum();
  if (!fits_in_maxima(state_.settings, leaf, least)) return false;
  return least.fits_in(free) || leaf.reserving > 0 || counts_offers(state_.settings);
}

FairAssignment::Outcome FairAssignment::assign(LiveQueue& queue, const Node& node) {
  const bool is_bound = queue.is_leaf || state_.settings.ancestors_bind;
  if (is_bound && !queue.usage.fits_in(queue.maximum)) return Outcome::nothing;
  if (queue.is_leaf) {
    if (!could_take(queue, state_.free.free(node.id))) return Outcome::nothing;
    return assign_in_turn(queue, node);
  }
  const bool has_room = !state_.settings.ancestors_bind ||
                        (queue.usage + state_.order.wanted().minimum()).fits_in(queue.maximum);
  if (!has_room) return Outcome::nothing;
  for (const Standing<LiveQueue>& standing : queue.offered_children) {
    const Outcome outcome = assign(*standing.member, node);
    if (outcome != Outcome::nothing) return outcome;
  }
  return Outcome::nothing;
}

FairAssignment::Outcome FairAssignment::assign_in_turn(LiveQueue& leaf, const Node& node) {
  auto next = leaf.offered.begin();
  auto next_master = leaf.offered_masters.begin();
  if (may_no_master_start(leaf, state_.free.total(), cluster_.capacity)) {
    next_master = leaf.offered_masters.end();
  }
  while (next != leaf.offered.end() || next_master != leaf.offered_masters.end()) {
    const bool is_master_next = next == leaf.offered.end() ||
                                (next_master != leaf.offered_masters.end() && *next_master < *next);
    LiveApplication& application = is_master_next ? *(next_master++)->member : *(next++)->member;
    // The order changes as soon as something is assigned, and so does not go on.
    const Outcome outcome = assign(application, node);
    if (outcome != Outcome::nothing) return outcome;
  }
  return Outcome::nothing;
}

// ---- applications ----

FairAssignment::Outcome FairAssignment::assign(LiveApplication& application, const Node& node) {
  if (is_over_master_share(application, state_.free.total(), cluster_.capacity)) {
    return Outcome::nothing;
  }
  for (LiveAsk& ask : application.asks) {
    if (ask.remaining == 0) continue;
    if (obstacle(state_.settings, cluster_, application, ask, node) != Obstacle::none) continue;
    Outcome outcome = Outcome::nothing;
    if (try_ask(application, ask, node, false, outcome)) return outcome;
  }
  return Outcome::nothing;
}

FairAssignment::Obstacle FairAssignment::obstacle(const FairSettings& settings,
                                                  const ClusterModel& cluster,
                                                  const LiveApplication& application,
                                                  const LiveAsk& ask, const Node& node) {
  const Ask& model = cluster.asks[ask.id];
  if (model.avoided == node.id) return Obstacle::place_not_allowed;
  if (!model.relax_locality && ask.places.on_node(model, node) == 0 &&
      ask.places.in_rack(model, node) == 0) {
    return Obstacle::place_not_allowed;
  }
  if (!cluster.could_hold(node, ask.demand)) return Obstacle::node_too_small;
  const LiveQueue& leaf = *application.leaf;
  if (leaf.maximum_container && !ask.demand.fits_in(*leaf.maximum_container)) {
    return Obstacle::container_too_large;
  }
  const Resources amount = ask.is_gang ? ask.demand * ask.remaining : ask.demand;
  return fits_in_maxima(settings, leaf, amount) ? Obstacle::none : Obstacle::queue_full;
}

FairAssignment::Level FairAssignment::allowed_level(LiveAsk& ask) const {
  const FairSettings& settings = state_.settings;
  ask.delay.count_offer();
  return settings.continuous_scheduling
             ? ask.delay.by_time(now_, settings.locality_delay_node, settings.locality_delay_rack)
             : ask.delay.by_offers(nodes_.all, settings.locality_threshold_node,
                                   settings.locality_threshold_rack);
}

bool FairAssignment::try_ask(LiveApplication& application, LiveAsk& ask, const Node& node,
                             bool is_reserved, Outcome& outcome) {
  const Ask& model = cluster_.asks[ask.id];
  const Level allowed = allowed_level(ask);
  if (ask.is_gang) {
    outcome = take_gang(application, ask, node);
    return true;
  }
  const bool on_node = ask.places.on_node(model, node) > 0;
  const bool in_rack = ask.places.in_rack(model, node) > 0;
  // A node that is named without its rack counts as if its rack were named with it.
  const bool is_rack_named = in_rack || preferred_at(model.racks, node.rack) > 0;
  if (on_node && (in_rack || !is_rack_named)) {
    outcome = take(application, ask, node, Level::node, is_reserved);
    return true;
  }
  if (in_rack && allowed != Level::node) {
    outcome = take(application, ask, node, Level::rack, is_reserved);
    return true;
  }
  if (!model.relax_locality) return false;
  if (allowed != Level::off_switch && names_places(model)) return false;
  outcome = take(application, ask, node, Level::off_switch, is_reserved);
  return true;
}

FairAssignment::Outcome FairAssignment::take(LiveApplication& application, LiveAsk& ask,
                                             const Node& node, Level level, bool is_reserved) {
  if (!has_room(application, node.id, ask.demand)) {
    if (is_reserved) return Outcome::reserved;
    // Where room is promised for it, it need not be reserved.
    if (is_promised(application, node.id)) return Outcome::nothing;
    if (!may_reserve(application, ask, node, level)) return Outcome::nothing;
    state_.reservations.add(node.id, application, ask);
    return Outcome::reserved;
  }
  ask.delay.placed_at(level);
  if (is_reserved) state_.reservations.remove(node.id, application);
  decisions_.allocate(ask.id, node.id);
  state_.free.take(node.id, ask.demand);
  if (level == Level::node) ask.places.placed_on_node(node);
  if (level == Level::rack) ask.places.placed_in_rack(node);
  last_assigned_ = ask.demand;
  grant(application, ask, ask.demand, 1);
  state_.preemption.placed(application, ask.id, node.id);
  return Outcome::allocated;
}

// Whole or not at all, around the nodes that are reserved or where room is kept for others.
FairAssignment::Outcome FairAssignment::take_gang(LiveApplication& application, LiveAsk& ask,
                                                  const Node& node) {
  if (!state_.free.has_room(node.id, ask.demand)) return Outcome::nothing;
  const PromisedRoom& promised = state_.preemption.promised();
  const NodeId avoided = cluster_.asks[ask.id].avoided;
  const auto is_open = [&](NodeId place) {
    if (place == avoided) return false;
    if (state_.reservations.nodes().contains(place)) return false;
    return !promised.nodes().contains(place) || promised.kept(place, application.id).is_zero();
  };
  if (!plan_gang_on(state_.free, ask.demand, ask.remaining, is_open, pieces_)) {
    return Outcome::nothing;
  }
  propose_gang(ask.id, ask.demand, pieces_, state_.free, decisions_);
  last_assigned_ = ask.demand * ask.remaining;
  grant(application, ask, last_assigned_, ask.remaining);
  state_.preemption.gang_placed(application, ask.id);
  return Outcome::allocated;
}

FairAssignment::Outcome FairAssignment::take_promised_gang(LiveApplication& application,
                                                           LiveAsk& ask) {
  const PromisedRoom& promised = state_.preemption.promised();
  pieces_.clear();
  std::uint32_t units = 0;
  for (const PromiseId id : promised.of(application.id)) {
    const RoomPromise& promise = *promised.find(id);
    if (promise.ask != ask.id) continue;
    const auto piece = std::find_if(pieces_.begin(), pieces_.end(), [&](const GangPiece& known) {
      return known.node == promise.node;
    });
    if (piece == pieces_.end()) {
      pieces_.push_back({promise.node, 1});
    } else {
      ++piece->units;
    }
    ++units;
  }
  if (units != ask.remaining) return Outcome::nothing;
  const bool is_free = std::all_of(pieces_.begin(), pieces_.end(), [&](const GangPiece& piece) {
    return has_room(application, piece.node, ask.demand, piece.units);
  });
  if (!is_free) return Outcome::nothing;
  std::sort(pieces_.begin(), pieces_.end(),
            [](const GangPiece& a, const GangPiece& b) { return a.node < b.node; });
  propose_gang(ask.id, ask.demand, pieces_, state_.free, decisions_);
  last_assigned_ = ask.demand * ask.remaining;
  grant(application, ask, last_assigned_, ask.remaining);
  state_.preemption.gang_placed(application, ask.id);
  return Outcome::allocated;
}

void FairAssignment::grant(LiveApplication& application, LiveAsk& ask, const Resources& amount,
                           std::uint32_t units) {
  ask.remaining -= units;
  if (!ask.was_placed) {
    ask.was_placed = true;
    placed_.emplace_back(application.id, ask.id);
  }
  count_master(application, cluster_, ask.id, amount);
  state_.order.charge(application, amount);
  state_.order.refresh(application);
}

// ---- reservations ----

bool FairAssignment::may_reserve(const LiveApplication& application, const LiveAsk& ask,
                                 const Node& node, Level level) const {
  if (!ask.is_reservable || !application.may_reserve) return false;
  if (level == Level::node) return true;
  std::size_t reserved = application.reserved.size();
  std::size_t nodes = nodes_.all;
  if (level == Level::rack) {
    reserved = static_cast<std::size_t>(
        std::count_if(application.reserved.begin(), application.reserved.end(),
                      [&](NodeId id) { return cluster_.node(id).rack == node.rack; }));
    nodes = nodes_.in_rack[node.rack.index()];
  }
  return static_cast<double>(reserved) <
         std::ceil(static_cast<double>(nodes) * state_.settings.reservable_nodes);
}

// FairScheduler.assignPreemptedContainers: what was freed goes first to whom it was freed for.
bool FairAssignment::serve_promises(const Node& node) {
  bool has_served = false;
  const std::vector<PromiseId> promises = state_.preemption.promised().on(node.id);
  for (const PromiseId id : promises) {
    // One that was served may have made others needless.
    if (state_.preemption.promised().find(id) == nullptr) continue;
    if (serve_promise(id, node)) has_served = true;
  }
  return has_served;
}

bool FairAssignment::serve_promise(PromiseId id, const Node& node) {
  const RoomPromise& promise = *state_.preemption.promised().find(id);
  LiveApplication& application = state_.applications[promise.application];
  const auto ask = std::find_if(application.asks.begin(), application.asks.end(),
                                [&](const LiveAsk& open) { return open.id == promise.ask; });
  if (ask == application.asks.end() || ask->remaining == 0) return false;
  if (obstacle(state_.settings, cluster_, application, *ask, node) != Obstacle::none) return false;
  if (is_over_master_share(application, state_.free.total(), cluster_.capacity)) return false;
  if (ask->is_gang) return take_promised_gang(application, *ask) == Outcome::allocated;
  if (!has_room(application, node.id, ask->demand)) return false;
  const Ask& model = cluster_.asks[ask->id];
  const bool on_node = ask->places.on_node(model, node) > 0;
  const bool in_rack = ask->places.in_rack(model, node) > 0;
  const Level level = on_node ? Level::node : in_rack ? Level::rack : Level::off_switch;
  return take(application, *ask, node, level, false) == Outcome::allocated;
}

// True if the reservation still holds: then the node is offered to nobody else.
bool FairAssignment::serve_reservation(const Node& node) {
  const NodeReservations::Reservation& reservation = *state_.reservations.find(node.id);
  LiveApplication& application = state_.applications[reservation.application];
  const auto ask = std::find_if(application.asks.begin(), application.asks.end(),
                                [&](const LiveAsk& open) { return open.id == reservation.ask; });
  const bool holds =
      ask != application.asks.end() && ask->remaining > 0 &&
      obstacle(state_.settings, cluster_, application, *ask, node) == Obstacle::none &&
      !is_over_master_share(application, state_.free.total(), cluster_.capacity);
  if (!holds) {
    state_.reservations.remove(node.id, application);
    return false;
  }
  if (has_room(application, node.id, reservation.resources)) {
    Outcome outcome = Outcome::nothing;
    try_ask(application, *ask, node, true, outcome);
  }
  return true;
}

}  // namespace tracebed
