#include "schedulers/locality/density_scheduler.h"

#include <algorithm>

#include "core/visit.h"
#include "schedulers/parts/read_input.h"

namespace tracebed {

void DensityScheduler::begin_call(const SchedulerInput& input) {
  allowed_.clear();
  for (const SchedulerEvent& event : input.events) {
    // What was refused covers nothing; which units that were is not known, so the ask begins anew.
    visit_all(
        event, [&](const OneOf<AskRemoved, Refused> auto& of) { densities_.erase(of.ask); },
        Ignore<NodeAdded, NodeRemoved, NodeUpdated, ApplicationAdded, ApplicationRemoved,
               AskChanged, ContainerFinished, ContainerRecovered, PreemptionSettled, PreemptionDue,
               Tick, DecisionMade>{});
  }
}

void DensityScheduler::node_changed(const ClusterModel& cluster, NodeId node) {
  if (free().is_alive(node)) {
    nodes_.update(cluster.node(node), free().free(node), containers(node));
  } else {
    nodes_.remove(node);
  }
}

void DensityScheduler::find_rooms(const PlacedAsk& placed, std::uint32_t wanted) {
  rooms_.clear();
  free().visit_with_room(placed.ask.demand, [&](NodeId node) {
    const auto fitting = static_cast<std::uint32_t>(
        std::min<std::int64_t>(wanted, free().units_on(node, placed.ask.demand)));
    const std::uint32_t units =
        allowed_.units(placed.id, placed.ask, placed.cluster.node(node), fitting);
    if (units > 0) rooms_.push_back({node, units});
    return false;
  });
}

bool DensityScheduler::has_room_for_all(std::uint32_t wanted) const {
  std::uint64_t units = 0;
  for (const BlockDensity::Room& room : rooms_) units += room.units;
  return units >= wanted;
}

BlockDensity& DensityScheduler::density_of(const PlacedAsk& placed, const InputBlocks& input) {
  const auto found = densities_.find(placed.id);
  if (found != densities_.end()) return found->second;
  return densities_.emplace(placed.id, BlockDensity(settings_.density, input)).first->second;
}

void DensityScheduler::begin_ask(const PlacedAsk& placed, std::uint32_t wanted) {
  plan_.clear();
  next_ = 0;
  waits_ = false;
  nodes_.restart();
  const InputBlocks* const input = read_input(placed.cluster, placed.ask);
  if (input == nullptr) return;
  find_rooms(placed, wanted);
  waits_ =
      settings_.short_of_room == DensitySettings::ShortOfRoom::gang && !has_room_for_all(wanted);
  if (waits_ || rooms_.empty()) return;
  BlockDensity& density = density_of(placed, *input);
  const auto visits = density.distribute(*input, rooms_, wanted);
  plan_.assign(visits.begin(), visits.end());
  plan_blocks_ = density.blocks_at_first();
}

NodeId DensityScheduler::choose(const PlacedAsk& placed) {
  if (waits_) return NodeId();
  while (next_ < plan_.size() && plan_[next_].units == 0) ++next_;
  NodeId chosen;
  units_ = 1;
  if (next_ < plan_.size()) {
    chosen = plan_[next_].node;
    units_ = plan_[next_].units;
  } else {
    chosen = nodes_.next(placed.ask.demand, [&](NodeId node) {
      return free().has_room(node, placed.ask.demand) &&
             allowed_.units(placed.id, placed.ask, placed.cluster.node(node), 1) > 0;
    });
  }
  if (keeps_choice_of(chosen)) keep_choice(placed, chosen, figures_of_plan());
  if (next_ < plan_.size()) ++next_;
  if (chosen.is_valid()) {
    allowed_.placed(placed.id, placed.ask, placed.cluster.node(chosen), units_);
  }
  return chosen;
}

void DensityScheduler::end_ask(const PlacedAsk& placed, std::uint32_t units) {
  if (!placed.ask.is_gang() || units > 0) return;
  const auto density = densities_.find(placed.id);
  if (density != densities_.end()) density->second.forget();
}

bool DensityScheduler::is_choosy(const Ask& ask) const {
  return AllowedPlaces::is_choosy(ask) ||
         settings_.short_of_room == DensitySettings::ShortOfRoom::gang;
}

std::vector<NodeScore> DensityScheduler::figures_of_plan() const {
  std::vector<NodeScore> nodes;
  for (const BlockDensity::Visit& visit : plan_) {
    const auto count = [](std::uint32_t value) { return static_cast<std::int64_t>(value); };
    nodes.push_back({visit.node,
                     {},
                     {{"blocks", "blocks of the input", count(visit.blocks)},
                      {"uncovered", "of them not covered", count(visit.uncovered)},
                      {"whole", "whole units", count(visit.whole)},
                      {"fraction", "fraction of a unit",
                       static_cast<double>(visit.fraction) / static_cast<double>(plan_blocks_)},
                      {"room", "units that it has room for", count(visit.room)},
                      {"units", "units that it gets", count(visit.units)}}});
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const NodeScore& a, const NodeScore& b) { return a.node < b.node; });
  return nodes;
}

}  // namespace tracebed
