#include "schedulers/yarn/fair/steady_shares.h"

#include "schedulers/yarn/fair/fair_shares.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {
namespace {

void share_out(const FairAllocations& allocations, const FairQueue& parent, std::size_t dimension,
               const Resources& cluster, std::int64_t total, std::vector<Resources>& shares) {
  std::vector<ShareClaim> claims;
  for (const std::size_t child : parent.children) {
    const FairQueue& queue = allocations.queues[child];
    claims.push_back({.weight = queue.weight,
                      .minimum = queue.minimum.on(cluster)[dimension] / yarn_unit(dimension),
                      .maximum = queue.maximum.on(cluster)[dimension] / yarn_unit(dimension)});
  }
  std::vector<std::int64_t> parts(claims.size());
  compute_fair_shares(claims, total / yarn_unit(dimension), parts);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    shares[parent.children[i]][dimension] = parts[i] * yarn_unit(dimension);
  }
}

}  // namespace

std::vector<Resources> steady_shares(const FairAllocations& allocations, const Resources& cluster) {
  std::vector<Resources> shares(allocations.queues.size());
  shares.front() = cluster;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const FairQueue& queue = allocations.queues[i];
    for (std::size_t d = 0; d < cluster.dimensions_used(); ++d) {
      if (queue.policy == SharePolicy::fair && d != Resources::memory_dimension) continue;
      share_out(allocations, queue, d, cluster, shares[i][d], shares);
    }
  }
  return shares;
}

}  // namespace tracebed
