#include "schedulers/hpc/fcfs.h"

#include <algorithm>

#include "core/visit.h"

namespace tracebed {

void FcfsScheduler::decide(const SchedulerInput& input, Decisions& decisions) {
  places_.clear();
  follow(input, decisions);
  serve(input.cluster, decisions);
}

void FcfsScheduler::follow(const SchedulerInput& input, Decisions& decisions) {
  const std::span<const NodeId> changed = free_.follow(input);
  if (room_.is_watching()) {
    for (NodeId node : changed) room_.update(free_, node);
  }
  bool nodes_changed = false;
  for (const SchedulerEvent& event : input.events) {
    // Most events, and nothing more than free_ knows by now.
    if (std::holds_alternative<ContainerFinished>(event)) continue;
    line_.see(input.cluster, event);
    nodes_changed |= capacity_.see(input.cluster, event);
    visit_all(
        event, [&](const ApplicationAdded& added) { decisions.accept(added.application); },
        [&](const AskChanged& ask_changed) {
          if (ask_changed.ask == waiting_.ask) stop_waiting();
        },
        [&](const AskRemoved& removed) {
          if (removed.ask == waiting_.ask) stop_waiting();
          std::erase_if(set_aside_, [&](const LineKey& key) { return key.ask == removed.ask; });
        },
        Ignore<NodeAdded, NodeRemoved, NodeUpdated, ApplicationRemoved, ContainerFinished,
               ContainerRecovered, PreemptionSettled, PreemptionDue, Tick, DecisionMade,
               Refused>{});
  }
  if (!nodes_changed) return;
  // What could never be placed may be now, and the other way round.
  stop_waiting();
  for (const LineKey& key : set_aside_) line_.update(input.cluster, key.ask);
  set_aside_.clear();
}

void FcfsScheduler::stop_waiting() {
  waiting_ = LineKey();
  room_.stop();
}

void FcfsScheduler::serve(const ClusterModel& cluster, Decisions& decisions) {
  while (!line_.empty()) {
    const auto head = line_.begin();
    const AskId id = head->first.ask;
    const std::uint32_t remaining = head->second.remaining;
    const Ask& ask = cluster.asks[id];
    if (head->first == waiting_ && !may_go_on(ask, remaining)) return;
    const std::uint32_t placed = place(cluster, id, remaining, decisions);
    if (placed == remaining) {
      line_.take(head, placed);
      stop_waiting();
      continue;
    }
    line_.take(head, placed);
    const std::int64_t needed = ask.is_gang() ? remaining : 1;
    if (units_ever(cluster, ask) < needed) {
      set_aside_.insert(head->first);
      line_.remove(head);
      stop_waiting();
      continue;
    }
    if (head->first != waiting_) {
      stop_waiting();
      waiting_ = head->first;
    }
    // Where the sum of what is free would do, it is too scattered: count per node from now on.
    const bool sum_would_do = (ask.demand * needed).fits_in(free_.total());
    if (sum_would_do && !room_.is_watching()) room_.watch(free_, ask.demand);
    return;
  }
}

bool FcfsScheduler::may_go_on(const Ask& ask, std::uint32_t remaining) const {
  const std::int64_t needed = ask.is_gang() ? remaining : 1;
  if (room_.is_watching()) return room_.units() >= needed;
  return (ask.demand * needed).fits_in(free_.total());
}

std::int64_t FcfsScheduler::units_ever(const ClusterModel& cluster, const Ask& ask) const {
  if (!AllowedPlaces::is_choosy(ask)) return capacity_.units(ask.demand);
  std::int64_t units = 0;
  for (const Node& node : cluster.nodes) {
    if (node.alive && may_run_on(ask, node)) {
      units += cluster.limits.units_in_empty(ask.demand, node.capacity);
    }
  }
  return units;
}

std::uint32_t FcfsScheduler::place(const ClusterModel& cluster, AskId id, std::uint32_t remaining,
                                   Decisions& decisions) {
  const Ask& ask = cluster.asks[id];
  return ask.is_gang() ? place_gang(id, ask, remaining, decisions)
                       : place_units(cluster, id, remaining, decisions);
}

std::uint32_t FcfsScheduler::place_gang(AskId id, const Ask& ask, std::uint32_t remaining,
                                        Decisions& decisions) {
  if (!free_.take_gang(ask.demand, remaining, pieces_, ask.avoided)) return 0;
  decisions.allocate_gang(id, pieces_);
  if (room_.is_watching()) {
    for (const GangPiece& piece : pieces_) room_.update(free_, piece.node);
  }
  return remaining;
}

std::uint32_t FcfsScheduler::place_units(const ClusterModel& cluster, AskId id,
                                         std::uint32_t remaining, Decisions& decisions) {
  const Ask& ask = cluster.asks[id];
  std::uint32_t placed = 0;
  free_.visit_with_room(ask.demand, [&](NodeId node) {
    auto units = static_cast<std::uint32_t>(
        std::min<std::int64_t>(remaining - placed, free_.units_on(node, ask.demand)));
    if (AllowedPlaces::is_choosy(ask)) {
      units = places_.units(id, ask, cluster.node(node), units);
      if (units == 0) return false;
      places_.placed(id, ask, cluster.node(node), units);
    }
    for (std::uint32_t i = 0; i < units; ++i) decisions.allocate(id, node);
    free_.take(node, ask.demand, units);
    room_.update(free_, node);
    placed += units;
    return placed == remaining;
  });
  return placed;
}

}  // namespace tracebed
