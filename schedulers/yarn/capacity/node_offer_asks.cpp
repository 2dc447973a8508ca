// What the asks of an application whose turn it is make of the node (RegularContainerAllocator).
#include <algorithm>

#include "schedulers/parts/gang_plan.h"
#include "schedulers/yarn/capacity/node_offer.h"

namespace tracebed {

NodeOffer::Assignment NodeOffer::assign_to_application(RunningApplication& application,
                                                       const Limits& limits) {
  for (OpenAsk* ask : application.asks) {
    switch (try_ask(application, *ask, limits)) {
      case Try::next_ask:
        continue;
      case Try::next_application:
        return {};
      case Try::next_queue:
        return {Outcome::queue_limit, false};
      case Try::allocated:
        return {Outcome::allocated, level_ == Level::off_switch};
      case Try::reserved:
        return {Outcome::reserved, level_ == Level::off_switch};
    }
  }
  return {};
}

NodeOffer::Try NodeOffer::try_ask(RunningApplication& application, OpenAsk& ask,
                                  const Limits& limits) {
  // RegularContainerAllocator.preCheckForNodeCandidateSet.
  if (is_shared_offer() && cluster_.asks[ask.id].is_master) return Try::next_application;
  if (ask.partition != asked_ || (is_shared_offer() && ask.is_gang)) return Try::next_ask;
  const bool looks_on = configuration_.reservations_look_at_all_nodes;
  if (!looks_on && !ask.reserved_on.empty() && !needs_another(ask)) return Try::next_ask;
  const Resources amount = ask.is_gang ? ask.demand * ask.wanted : ask.demand;
  const bool fits = calculator_.fits(amount, limits.headroom) ||
                    (looks_at_other_nodes() && !application.reserved.is_zero() &&
                     calculator_.fits(amount, limits.headroom + application.reserved));
  if (!fits) return Try::next_queue;
  if (ask.partition == default_partition) ++ask.missed_plain;
  if (is_shared_offer() && ask.missed_plain < state_.partitions().all_nodes()) {
    return Try::next_application;
  }
  if (ask.is_gang) return try_gang(application, ask, limits);
  open(ask);
  ++ask.missed;
  const Try result = try_places(application, ask, limits);
  if (result == Try::next_ask) --ask.missed;
  return result;
}

NodeOffer::Try NodeOffer::try_places(RunningApplication& application, OpenAsk& ask,
                                     const Limits& limits) {
  if (ask.model->avoided == node_->id) return Try::next_ask;
  if (is_wanted_on_node(ask)) {
    if (const auto tried = try_level(application, ask, Level::node, limits)) return *tried;
  }
  if (ask.places.in_rack(*ask.model, *node_) > 0 && may_go_to(ask, Level::rack)) {
    if (const auto tried = try_level(application, ask, Level::rack, limits)) return *tried;
  }
  if (!ask.model->relax_locality) return Try::next_ask;
  if (!may_go_to(ask, Level::off_switch)) return Try::next_application;
  return try_level(application, ask, Level::off_switch, limits).value_or(Try::next_application);
}

// RegularContainerAllocator.assignContainer.
std::optional<NodeOffer::Try> NodeOffer::try_level(RunningApplication& application, OpenAsk& ask,
                                                   Level level, const Limits& limits) {
  if (!cluster_.could_hold(*node_, ask.demand)) return std::nullopt;
  const bool looks_on = looks_at_other_nodes();
  // What must be given up to stay within the limits of queues and user.
  Resources needed = ask.demand - limits.headroom;
  const Resources& all = state_.partitions().resources(partition_);
  if (calculator_.compare(limits.to_unreserve, needed, all) > 0) needed = limits.to_unreserve;
  const bool must_unreserve = calculator_.compare(needed, Resources(), all) > 0;
  const bool may_add = ask.reserved_on.empty() || needs_another(ask);
  if (free_.has_room(node_->id, ask.demand)) {
    if (looks_on && (!may_add || must_unreserve)) {
      const NodeId other = node_to_unreserve(ask, must_unreserve ? needed : ask.demand);
      if (!other.is_valid()) return std::nullopt;
      state_.unreserve(other);
    }
    allocate(application, ask, level);
    return Try::allocated;
  }
  if (!may_add || (looks_on && must_unreserve)) return std::nullopt;
  state_.reserve(node_->id, ask, now_);
  count_level(ask, level);
  return Try::reserved;
}

// More units are wanted than reserved, or there is starvation: it grows with each offer of a
// reserved node that had no room, more slowly the larger a part of the largest container the unit
// is.
bool NodeOffer::needs_another(const OpenAsk& ask) const {
  std::int64_t starvation = 0;
  const auto reserved = static_cast<std::int64_t>(ask.reserved_on.size());
  if (reserved > 0) {
    const Resources most = state_.maximum_allocation();
    const float part = calculator_.ratio(ask.demand, most);
    const float most_part = calculator_.ratio(most - state_.settings().minimum_allocation, most);
    starvation = static_cast<std::int64_t>(
        (static_cast<float>(ask.rereservations) / static_cast<float>(reserved)) *
        (1.0F - std::min(part, most_part)));
  }
  return starvation + ask.wanted > reserved;
}

// FiCaSchedulerApp.getNodeIdToUnreserve, in the order of ids.
NodeId NodeOffer::node_to_unreserve(const OpenAsk& ask, const Resources& needed) const {
  for (const NodeId node : ask.reserved_on) {
    if (calculator_.fits(needed, state_.reservation(node)->resources)) return node;
  }
  return NodeId();
}

NodeOffer::Try NodeOffer::try_gang(RunningApplication& application, OpenAsk& ask,
                                   const Limits& limits) {
  const Resources& all = state_.partitions().resources(partition_);
  const bool may_now = calculator_.fits(ask.demand * ask.wanted, limits.headroom) &&
                       calculator_.compare(limits.to_unreserve, Resources(), all) <= 0;
  if (!may_now || !free_.has_room(node_->id, ask.demand)) return Try::next_application;
  const NodeId avoided = cluster_.asks[ask.id].avoided;
  const auto is_open = [&](NodeId node) {
    return node != avoided && state_.partitions().of(node) == partition_ &&
           state_.reservation(node) == nullptr;
  };
  if (!plan_gang_on(free_, ask.demand, ask.wanted, is_open, pieces_)) return Try::next_application;
  decisions_.allocate_gang(ask.id, pieces_);
  for (const GangPiece& piece : pieces_) propose(application, ask, piece.node, piece.units);
  level_ = Level::off_switch;
  return Try::allocated;
}

// ---- locality ----

void NodeOffer::open(OpenAsk& ask) const {
  if (ask.call == call_) return;
  ask.call = call_;
  ask.model = &cluster_.asks[ask.id];
  ask.places.clear();
}

bool NodeOffer::is_wanted_on_node(const OpenAsk& ask) const {
  if (ask.places.on_node(*ask.model, *node_) == 0) return false;
  return ask.model->racks.empty() || ask.places.in_rack(*ask.model, *node_) > 0;
}

// RegularContainerAllocator.canAssign.
bool NodeOffer::may_go_to(const OpenAsk& ask, Level level) const {
  const std::int64_t nodes = state_.partitions().all_nodes();
  const std::int64_t delay = configuration_.node_locality_delay;
  if (level == Level::rack) return ask.missed > std::min(nodes, delay);
  const std::size_t names = ask.model->nodes.size() + ask.model->racks.size();
  if (names == 0) return true;
  if (state_.settings().semantics.delays_off_switch_by_hosts) {
    return ask.missed > ask.model->nodes.size();
  }
  const std::int64_t additional = configuration_.rack_locality_additional_delay;
  if (additional > -1) return ask.missed > std::min(nodes, delay + additional);
  const float factor = std::min(static_cast<float>(names) / static_cast<float>(nodes), 1.0F);
  return std::min(static_cast<float>(nodes), static_cast<float>(ask.wanted) * factor) <
         static_cast<float>(ask.missed);
}

void NodeOffer::count_level(OpenAsk& ask, Level level) {
  level_ = level;
  const bool is_reset =
      level == Level::node || (level == Level::rack && configuration_.has_rack_locality_full_reset);
  if (is_reset) ask.missed = 0;
  if (partition_ == default_partition) ask.missed_plain = 0;
}

// ---- placing ----

void NodeOffer::allocate(RunningApplication& application, OpenAsk& ask, Level level) {
  count_level(ask, level);
  if (level == Level::node) ask.places.placed_on_node(*node_);
  if (level == Level::rack) ask.places.placed_in_rack(*node_);
  decisions_.allocate(ask.id, node_->id);
  propose(application, ask, node_->id, 1);
}

void NodeOffer::propose(RunningApplication& application, OpenAsk& ask, NodeId node,
                        std::uint32_t units) {
  const Resources amount = units == 1 ? ask.demand : ask.demand * units;
  free_.take(node, ask.demand, units);
  state_.charge(application, partition_, amount, 1);
  proposals_.push_back({application.id, ask.id, node, partition_, amount, ask.is_gang});
  state_.set_wanted(ask, ask.wanted - units);
}

// The node goes to whom it is reserved for, if there is room by now.
void NodeOffer::serve_reservation() {
  const Reservation& reservation = *state_.reservation(node_->id);
  OpenAsk& ask = *state_.ask(reservation.ask);
  if (ask.served_wish() == 0) return state_.unreserve(node_->id);
  open(ask);
  if (ask.model->avoided == node_->id) return state_.unreserve(node_->id);
  ++ask.missed;
  Level level = Level::off_switch;
  if (is_wanted_on_node(ask)) {
    level = Level::node;
  } else if (ask.places.in_rack(*ask.model, *node_) > 0 &&
             (may_go_to(ask, Level::rack) || !ask.model->relax_locality)) {
    level = Level::rack;
  } else if (!ask.model->relax_locality) {
    // What it was reserved for is no longer wanted here.
    return state_.unreserve(node_->id);
  }
  if (!free_.has_room(node_->id, ask.demand)) {
    ++ask.rereservations;
    return;
  }
  state_.unreserve(node_->id);
  const std::uint32_t missed = ask.missed;
  allocate(*state_.application(ask.application), ask, level);
  ask.missed = missed;  // the counter was set back when the node was reserved
}

}  // namespace tracebed
