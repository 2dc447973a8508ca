#include "core/cluster_model.h"

#include <algorithm>

namespace tracebed {
namespace {

template <class PlaceId>
std::uint32_t count_at(const std::vector<PlaceCount<PlaceId>>& counts, PlaceId place) {
  const auto found = std::lower_bound(
      counts.begin(), counts.end(), place,
      [](const PlaceCount<PlaceId>& entry, PlaceId id) { return entry.place < id; });
  return found != counts.end() && found->place == place ? found->count : 0;
}

}  // namespace

std::uint32_t preferred_at(const std::vector<PlaceCount<NodeId>>& counts, NodeId place) {
  return count_at(counts, place);
}
std::uint32_t preferred_at(const std::vector<PlaceCount<RackId>>& counts, RackId place) {
  return count_at(counts, place);
}

bool takes_place(const Ask& ask, const Node& node) {
  return ask.relax_locality || preferred_at(ask.nodes, node.id) > 0 ||
         preferred_at(ask.racks, node.rack) > 0;
}

bool may_run_on(const Ask& ask, const Node& node) {
  return ask.avoided != node.id && takes_place(ask, node);
}

}  // namespace tracebed
