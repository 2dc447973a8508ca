// The order of nodes by how much of them is used.
//
// How used a node is: `sum` adds the used shares of all dimensions, which for vcores and memory is
// Swarm's weight; `dominant` takes the largest one. Shares are counted in units of 2^-60, rounded
// down: `dominant` is then exact for capacities up to 2^30, `sum` exact between nodes of the same
// capacity and right to 2^-57 otherwise. Swarm rounds to whole percents and adds the demand before
// it ranks; we rank current use, so that an order of the nodes can be kept. Between nodes of the
// same capacity this is the same order.
#pragma once

#include "core/cluster_model.h"
#include "schedulers/parts/ranked_nodes.h"
#include "schedulers/placement/used_share.h"

namespace tracebed {

enum class UsedShare : std::uint8_t { sum, dominant };

inline std::uint64_t used_share_of(UsedShare share, const Resources& used,
                                   const Resources& capacity) {
  return share == UsedShare::sum ? sum_of_used_shares(used, capacity)
                                 : dominant_used_share(used, capacity);
}

// The least used node first, then that with the fewest containers, then by id.
inline NodeRank least_used_rank(UsedShare share, const Node& node, const Resources& free,
                                std::uint32_t containers) {
  return {used_share_of(share, node.capacity - free, node.capacity),
          (std::uint64_t{containers} << 32) | node.id.value()};
}

// The most used node first, then that with the most containers, then by id.
inline NodeRank most_used_rank(UsedShare share, const Node& node, const Resources& free,
                               std::uint32_t containers) {
  const NodeRank least = least_used_rank(share, node, free, ~containers);
  return {~least.major, least.minor};
}

}  // namespace tracebed
