// Units placed in the current call at each place, by an ask. The model's counts of preferred places
// do not change during a call, so a scheduler that places several units of an ask in one call
// subtracts these from them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/cluster_model.h"

namespace tracebed {

template <class PlaceId>
class PlaceTally {
 public:
  bool empty() const { return counts_.empty(); }
  void clear() { counts_.clear(); }
  // Cheapest where places come in ascending order, as nodes beat.
  void add(PlaceId place) {
    const auto found = position(place);
    if (found != counts_.end() && found->place == place) {
      ++found->count;
    } else {
      counts_.insert(found, {place, 1});
    }
  }
  std::uint32_t at(PlaceId place) const {
    return counts_.empty() ? 0 : preferred_at(counts_, place);
  }

 private:
  typename std::vector<PlaceCount<PlaceId>>::iterator position(PlaceId place) {
    if (counts_.empty() || counts_.back().place < place) return counts_.end();
    return std::lower_bound(
        counts_.begin(), counts_.end(), place,
        [](const PlaceCount<PlaceId>& entry, PlaceId id) { return entry.place < id; });
  }

  std::vector<PlaceCount<PlaceId>> counts_;  // ascending by place
};

// What is left of an ask's preferences for a node and its rack. They are YARN's counts
// (scheduler.placement.LocalityAppPlacementAllocator): a unit placed on a requested node reduces
// the node's and its rack's by one, one placed in a requested rack reduces the rack's.
class PlacesLeft {
 public:
  // A new call began: the model's counts now include what was placed in the last one.
  void clear() {
    nodes_.clear();
    racks_.clear();
  }
  std::uint32_t on_node(const Ask& ask, const Node& node) const {
    return less(preferred_at(ask.nodes, node.id), nodes_.at(node.id));
  }
  std::uint32_t in_rack(const Ask& ask, const Node& node) const {
    return less(preferred_at(ask.racks, node.rack), racks_.at(node.rack));
  }
  void placed_on_node(const Node& node) {
    nodes_.add(node.id);
    racks_.add(node.rack);
  }
  void placed_in_rack(const Node& node) { racks_.add(node.rack); }

 private:
  static std::uint32_t less(std::uint32_t wanted, std::uint32_t placed) {
    return wanted - std::min(wanted, placed);
  }

  PlaceTally<NodeId> nodes_;
  PlaceTally<RackId> racks_;
};

}  // namespace tracebed
