#include "schedulers/parts/free_table.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/visit.h"

namespace tracebed {

std::span<const NodeId> FreeTable::follow(const SchedulerInput& input) {
  limits_ = input.cluster.limits;
  changed_.clear();
  was_refused_ = false;
  for (const SchedulerEvent& event : input.events) {
    visit_all(
        event,
        [&](const OneOf<ContainerFinished, ContainerRecovered, NodeAdded, NodeRemoved> auto&
                change) { changed_.push_back(change.node); },
        [&](const Refused&) { was_refused_ = true; },
        Ignore<NodeUpdated, ApplicationAdded, ApplicationRemoved, AskChanged, AskRemoved,
               PreemptionSettled, PreemptionDue, Tick>{});
  }
  if (was_refused_) changed_.insert(changed_.end(), proposed_.begin(), proposed_.end());
  proposed_.clear();
  grow(input.cluster.nodes.size());
  for (NodeId node : changed_) count(input.cluster.node(node));
  total_ = input.cluster.free;
  return changed_;
}

void FreeTable::grow(std::size_t nodes) {
  if (nodes <= free_.size()) return;
  free_.resize(nodes);
  alive_.grow(nodes);
  for (NodeSet& set : has_some_) set.grow(nodes);
}

void FreeTable::count(const Node& node) {
  if (alive_.contains(node.id) != node.alive) alive_.set(node.id, node.alive);
  static constexpr Resources nothing;
  const Resources& after = node.alive ? node.free : nothing;
  Resources& free = free_[node.id.index()];
  const std::size_t dimensions = std::max(free.dimensions_used(), after.dimensions_used());
  free = after;
  mark(node.id, free, dimensions);
}

void FreeTable::take_from(NodeId node, const Resources& amount) {
  Resources& free = free_[node.index()];
  TRACEBED_CHECK(has_room(node, amount), "a scheduler proposes only what it counts as free");
  free -= amount;
  mark(node, free, amount.dimensions_used());
  proposed_.push_back(node);
}

void FreeTable::take(NodeId node, const Resources& amount) {
  take_from(node, amount);
  total_ -= amount;
}

void FreeTable::take(const Resources& demand, std::span<const GangPiece> pieces) {
  std::int64_t units = 0;
  for (const GangPiece& piece : pieces) {
    take_from(piece.node, demand * piece.units);
    units += piece.units;
  }
  total_.add_times(demand, -units);
}

bool FreeTable::take_gang(const Resources& demand, std::uint32_t units,
                          std::vector<GangPiece>& pieces, NodeId avoided) {
  pieces.clear();
  if (!total_has_room(demand, units)) return false;
  const auto change = [&](NodeId node, std::int64_t times) {
    Resources& free = free_[node.index()];
    free.add_times(demand, times);
    mark(node, free, demand.dimensions_used());
  };
  std::uint32_t missing = units;
  visit_with_room(demand, [&](NodeId node) {
    if (node == avoided) return false;
    // The division is left for nodes that can't take all of the rest.
    const std::uint32_t taken = has_room(node, demand, missing)
                                    ? missing
                                    : static_cast<std::uint32_t>(units_on(node, demand));
    change(node, -std::int64_t{taken});
    pieces.push_back({node, taken});
    missing -= taken;
    return missing == 0;
  });
  if (missing > 0) {
    for (const GangPiece& piece : pieces) change(piece.node, piece.units);
    return false;
  }
  for (const GangPiece& piece : pieces) proposed_.push_back(piece.node);
  total_.add_times(demand, -std::int64_t{units});
  return true;
}

void FreeTable::give_back(NodeId node, const Resources& amount) {
  Resources& free = free_[node.index()];
  free += amount;
  total_ += amount;
  mark(node, free, amount.dimensions_used());
}

bool FreeTable::agrees_with(const ClusterModel& cluster) const {
  Resources total;
  for (const Node& node : cluster.nodes) {
    const Resources expected = node.alive ? node.free : Resources();
    if (node.id.index() >= free_.size() || !(free(node.id) == expected)) return false;
    if (is_alive(node.id) != node.alive) return false;
    total += expected;
  }
  return total == total_;
}

}  // namespace tracebed
