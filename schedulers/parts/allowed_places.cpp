#include "schedulers/parts/allowed_places.h"

#include <algorithm>

namespace tracebed {

std::uint32_t AllowedPlaces::units(AskId id, const Ask& ask, const Node& node,
                                   std::uint32_t wanted) const {
  if (ask.avoided == node.id) return 0;
  if (ask.relax_locality) return wanted;
  const auto left = [&](std::uint32_t named, const auto& placed, const auto& key) {
    const auto found = placed.find(key);
    const std::uint32_t used = found == placed.end() ? 0 : std::min(named, found->second);
    return std::min(wanted, named - used);
  };
  // A rack that is named takes units on any of its nodes; without it, only named nodes do.
  const std::uint32_t in_rack = preferred_at(ask.racks, node.rack);
  if (in_rack > 0) return left(in_rack, in_racks_, std::pair(id, node.rack));
  return left(preferred_at(ask.nodes, node.id), on_nodes_, std::pair(id, node.id));
}

void AllowedPlaces::placed(AskId id, const Ask& ask, const Node& node, std::uint32_t units) {
  if (ask.relax_locality) return;
  on_nodes_[{id, node.id}] += units;
  in_racks_[{id, node.rack}] += units;
}

}  // namespace tracebed
