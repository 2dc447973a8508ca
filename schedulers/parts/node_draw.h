// Draws one of the nodes that will do, each with the same chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "core/random.h"

namespace tracebed {

// None if there are none.
inline NodeId draw_of(const std::vector<NodeId>& candidates, Random& random) {
  return candidates.empty() ? NodeId() : candidates[random.below(candidates.size())];
}

// Of ids below `nodes` those for which will_do(node). `list(candidates)` appends all of them, by
// id, and is called only if few will do: drawing until one does draws each with the same chance.
template <class WillDo, class List>
NodeId draw_node(Random& random, std::size_t nodes, WillDo&& will_do, List&& list,
                 std::vector<NodeId>& candidates) {
  constexpr int draws_max = 16;
  for (int i = 0; i < draws_max && nodes > 0; ++i) {
    const NodeId node(static_cast<std::size_t>(random.below(nodes)));
    if (will_do(node)) return node;
  }
  candidates.clear();
  list(candidates);
  return draw_of(candidates, random);
}

}  // namespace tracebed
