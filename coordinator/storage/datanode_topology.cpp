#include "coordinator/storage/datanode_topology.h"

#include <algorithm>
#include <utility>

namespace tracebed {

RackId DatanodeTopology::rack_of(NodeId node) const {
  return node.index() < rack_of_.size() ? rack_of_[node.index()] : RackId();
}

std::pair<std::size_t, std::size_t> DatanodeTopology::positions_of(RackId rack) const {
  const auto begin = std::lower_bound(members_.begin(), members_.end(), Member{rack, NodeId(0u)});
  const auto end = std::upper_bound(begin, members_.end(), Member{rack, NodeId()});
  return {static_cast<std::size_t>(begin - members_.begin()),
          static_cast<std::size_t>(end - members_.begin())};
}

std::size_t DatanodeTopology::position_of(NodeId node) const {
  const auto found =
      std::lower_bound(members_.begin(), members_.end(), Member{rack_of(node), node});
  return static_cast<std::size_t>(found - members_.begin());
}

void DatanodeTopology::remove(NodeId node) {
  const RackId rack = rack_of(node);
  if (!rack.is_valid()) return;
  members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(position_of(node)));
  rack_of_[node.index()] = {};
  const auto [begin, end] = positions_of(rack);
  if (begin == end) --racks_;
}

void DatanodeTopology::add(NodeId node, RackId rack) {
  if (rack_of(node) == rack) return;
  remove(node);
  const auto [begin, end] = positions_of(rack);
  if (begin == end) ++racks_;
  if (node.index() >= rack_of_.size()) rack_of_.resize(node.index() + 1);
  rack_of_[node.index()] = rack;
  const Member member{rack, node};
  members_.insert(std::upper_bound(members_.begin(), members_.end(), member), member);
}

std::optional<NodeId> DatanodeTopology::choose(const Scope& scope,
                                               const std::vector<NodeId>& excluded,
                                               Random& random) const {
  using Kind = Scope::Kind;
  const auto [begin, end] = scope.kind == Kind::any ? std::pair(std::size_t{0}, members_.size())
                                                    : positions_of(scope.rack);
  // Positions that may not be chosen: those of excluded nodes, and outside of the scope.
  std::vector<std::pair<std::size_t, std::size_t>> barred;
  if (scope.kind == Kind::within) {
    barred.emplace_back(0, begin);
    barred.emplace_back(end, members_.size());
  } else if (scope.kind == Kind::outside) {
    barred.emplace_back(begin, end);
  }
  for (const NodeId node : excluded) {
    const RackId rack = rack_of(node);
    if (!rack.is_valid()) continue;
    const bool is_barred = (scope.kind == Kind::within && rack != scope.rack) ||
                           (scope.kind == Kind::outside && rack == scope.rack);
    if (is_barred) continue;
    const std::size_t position = position_of(node);
    barred.emplace_back(position, position + 1);
  }
  std::sort(barred.begin(), barred.end());
  std::size_t free = members_.size();
  for (const auto& [from, to] : barred) free -= to - from;
  if (free == 0) return std::nullopt;
  std::size_t position = random.below(free);
  for (const auto& [from, to] : barred) {
    if (position >= from) position += to - from;
  }
  return members_[position].node;
}

}  // namespace tracebed
