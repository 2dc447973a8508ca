#include "schedulers/yarn/fair/steady_shares.h"

#include "schedulers/yarn/fair/sibling_shares.h"

namespace tracebed {

std::vector<Resources> steady_shares(const FairAllocations& allocations, const Resources& cluster) {
  std::vector<Resources> shares(allocations.queues.size());
  shares.front() = cluster;
  std::vector<SiblingClaim> claims;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const FairQueue& queue = allocations.queues[i];
    claims.clear();
    for (const std::size_t child : queue.children) {
      const FairQueue& below = allocations.queues[child];
      claims.push_back({.weight = below.weight,
                        .minimum = below.minimum.on(cluster),
                        .maximum = below.maximum.on(cluster)});
    }
    const std::vector<Resources> parts = share_among(queue.policy, claims, shares[i], cluster);
    for (std::size_t c = 0; c < parts.size(); ++c) shares[queue.children[c]] = parts[c];
  }
  return shares;
}

}  // namespace tracebed
