// Formula (7) of Du et al.: 10 - LocalLevelValue, where the levels are those of Spark: 0 for
// process local, 2 for node local, 4 for rack local, 6 for no preference and 8 for any. No unit is
// process local: a container that is placed has no cached blocks yet.
//
// Where the ask prefers places, these decide; a node counts as many times as units prefer it, less
// those that this call placed for that reason. Otherwise the blocks of the application's input do.
#include "schedulers/weighted/priorities/priorities.h"

namespace tracebed {
namespace {

enum class LocalityLevel : std::int8_t { node = 2, rack = 4, no_preference = 6, any = 8 };

LocalityLevel level_of(const UnitRequest& request, const CandidateNode& candidate) {
  const Ask& ask = request.ask;
  if (!ask.nodes.empty() || !ask.racks.empty()) {
    if (preferred_at(ask.nodes, candidate.node.id) > candidate.placed_as_preferred) {
      return LocalityLevel::node;
    }
    const bool is_in_rack = preferred_at(ask.racks, candidate.node.rack) > 0;
    return is_in_rack ? LocalityLevel::rack : LocalityLevel::any;
  }
  if (request.input == nullptr) return LocalityLevel::no_preference;
  if (request.input->on(candidate.node.id) > 0) return LocalityLevel::node;
  return request.input->is_in(candidate.node.rack) ? LocalityLevel::rack : LocalityLevel::any;
}

}  // namespace

const Priority locality_level_priority{
    "locality_level", "nodes that are near to the input: on the node, then in the rack",
    [](const UnitRequest& request, const CandidateNode& candidate) {
      return score_max - score_point * static_cast<int>(level_of(request, candidate));
    },
    true};

}  // namespace tracebed
