#include "schedulers/parts/free_table.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {

std::span<const NodeId> FreeTable::follow(const SchedulerInput& input) {
  changed_.clear();
  was_refused_ = false;
  for (const SchedulerEvent& event : input.events) {
    if (const auto* finished = std::get_if<ContainerFinished>(&event)) {
      changed_.push_back(finished->node);
    } else if (const auto* recovered = std::get_if<ContainerRecovered>(&event)) {
      changed_.push_back(recovered->node);
    } else if (const auto* added = std::get_if<NodeAdded>(&event)) {
      changed_.push_back(added->node);
    } else if (const auto* removed = std::get_if<NodeRemoved>(&event)) {
      changed_.push_back(removed->node);
    } else if (std::holds_alternative<Refused>(event)) {
      was_refused_ = true;
    }
  }
  if (was_refused_) changed_.insert(changed_.end(), proposed_.begin(), proposed_.end());
  proposed_.clear();
  for (NodeId node : changed_) count(input.cluster, node);
  return changed_;
}

void FreeTable::count(const ClusterModel& cluster, NodeId node) {
  if (cluster.nodes.size() > free_.size()) {
    free_.resize(cluster.nodes.size());
    alive_.grow(free_.size());
    for (NodeSet& set : has_some_) set.grow(free_.size());
  }
  const Node& state = cluster.node(node);
  if (alive_.contains(node) != state.alive) alive_.set(node, state.alive);
  static constexpr Resources nothing;
  const Resources& after = state.alive ? state.free : nothing;
  const Resources& before = free_[node.index()];
  const std::size_t dimensions = std::max(before.dimensions_used(), after.dimensions_used());
  for (std::size_t d = 0; d < dimensions; ++d) {
    has_some_[d].set(node, after[d] > 0);
  }
  total_ -= before;
  total_ += after;
  free_[node.index()] = after;
}

void FreeTable::take(NodeId node, const Resources& amount) {
  Resources& free = free_[node.index()];
  TRACEBED_CHECK(amount.fits_in(free), "a scheduler proposes only what it counts as free");
  free -= amount;
  total_ -= amount;
  for (std::size_t d = 0; d < amount.dimensions_used(); ++d) {
    if (amount[d] > 0) has_some_[d].set(node, std::as_const(free)[d] > 0);
  }
  if (proposed_.empty() || proposed_.back() != node) proposed_.push_back(node);
}

void FreeTable::give_back(NodeId node, const Resources& amount) {
  Resources& free = free_[node.index()];
  free += amount;
  total_ += amount;
  for (std::size_t d = 0; d < amount.dimensions_used(); ++d) {
    if (amount[d] > 0) has_some_[d].set(node, true);
  }
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
