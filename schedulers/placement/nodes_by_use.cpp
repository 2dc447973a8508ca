#include "schedulers/placement/nodes_by_use.h"

#include <algorithm>
#include <cstddef>

#include "core/check.h"

namespace tracebed {

std::uint64_t used_share_of(UsedShare share, const Resources& used, const Resources& capacity) {
  return share == UsedShare::sum ? sum_of_used_shares(used, capacity)
                                 : dominant_used_share(used, capacity);
}

bool NodesByUse::ComesBefore::operator()(const Resources& a, const Resources& b) const {
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    if (a[d] != b[d]) return a[d] < b[d];
  }
  return false;
}

// Where the demand does not decide, all nodes are in one order.
std::uint32_t NodesByUse::size_of(const Resources& capacity) {
  const bool counts_demand = order_ != NodeOrder::by_id && share_ == UsedShare::sum;
  const Resources key = counts_demand ? capacity : Resources();
  const auto [entry, is_new] =
      size_by_capacity_.try_emplace(key, static_cast<std::uint32_t>(sizes_.size()));
  if (is_new) sizes_.push_back({key, {}, {}});
  return entry->second;
}

NodeRank NodesByUse::rank_without_unit(const Node& node, const Resources& free,
                                       std::uint32_t containers) const {
  if (order_ == NodeOrder::by_id) return {0, node.id.value()};
  const std::uint64_t used = used_share_of(share_, node.capacity - free, node.capacity);
  const bool is_least = order_ == NodeOrder::least_used;
  const std::uint64_t count = is_least ? containers : ~containers;
  return {is_least ? used : ~used, (count << 32) | node.id.value()};
}

NodeRank NodesByUse::with_unit(NodeRank rank, const Resources& demand,
                               const Resources& capacity) const {
  if (order_ == NodeOrder::by_id || share_ == UsedShare::dominant) return rank;
  // What is used and what fits besides are at most eight whole shares together.
  const std::uint64_t unit = sum_of_used_shares(demand, capacity);
  rank.major = order_ == NodeOrder::least_used ? rank.major + unit : rank.major - unit;
  return rank;
}

void NodesByUse::update(const Node& node, const Resources& free, std::uint32_t containers) {
  if (places_.size() <= node.id.index()) places_.resize(node.id.index() + 1);
  const Place now{size_of(node.capacity), rank_without_unit(node, free, containers)};
  Place& place = places_[node.id.index()];
  if (place.size == now.size && place.rank == now.rank) {
    sizes_[now.size].nodes.set_free(now.rank, free);
    return;
  }
  remove(node.id);
  sizes_[now.size].nodes.insert(now.rank, free);
  place = now;
}

void NodesByUse::remove(NodeId node) {
  if (!contains(node)) return;
  Place& place = places_[node.index()];
  sizes_[place.size].nodes.erase(place.rank);
  place = Place();
}

bool NodesByUse::contains(NodeId node) const {
  return node.index() < places_.size() && places_[node.index()].size != Place::nowhere;
}

NodeRank NodesByUse::rank(NodeId node, const Resources& demand) const {
  TRACEBED_CHECK(contains(node), "only nodes in the order have a rank");
  const Place& place = places_[node.index()];
  return with_unit(place.rank, demand, sizes_[place.size].capacity);
}

void NodesByUse::verify(const FreeTable& free) const {
  std::ptrdiff_t nodes = 0;
  for (const SizedNodes& sized : sizes_) {
    sized.nodes.verify([&](const NodeRank& rank, const Resources& known) {
      const NodeId node = rank.node();
      TRACEBED_CHECK(contains(node) && places_[node.index()].rank == rank,
                     "a node stands where its rank says");
      TRACEBED_CHECK(known == free.free(node), "an entry knows what is free");
      ++nodes;
    });
  }
  const auto members = std::count_if(places_.begin(), places_.end(), [](const Place& place) {
    return place.size != Place::nowhere;
  });
  TRACEBED_CHECK(nodes == members, "every member stands in one order");
}

}  // namespace tracebed
