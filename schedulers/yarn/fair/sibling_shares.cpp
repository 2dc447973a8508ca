#include "schedulers/yarn/fair/sibling_shares.h"

#include <algorithm>

#include "schedulers/yarn/fair/fair_shares.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {
namespace {

void share_dimension(std::span<const SiblingClaim> claims, std::size_t dimension,
                     std::int64_t total, std::vector<Resources>& shares) {
  const std::int64_t unit = yarn_unit(dimension);
  std::vector<ShareClaim> counted;
  counted.reserve(claims.size());
  for (const SiblingClaim& claim : claims) {
    counted.push_back({.weight = claim.weight,
                       .minimum = claim.minimum[dimension] / unit,
                       .maximum = claim.maximum[dimension] / unit,
                       .is_active = claim.is_active});
  }
  std::vector<std::int64_t> parts(claims.size());
  compute_fair_shares(counted, total / unit, parts);
  for (std::size_t i = 0; i < parts.size(); ++i) shares[i][dimension] = parts[i] * unit;
}

}  // namespace

std::vector<Resources> share_among(SharePolicy policy, std::span<const SiblingClaim> claims,
                                   const Resources& total, const Resources& cluster) {
  std::vector<Resources> shares(claims.size());
  if (claims.empty()) return shares;
  switch (policy) {
    case SharePolicy::fair:
      share_dimension(claims, Resources::memory_dimension, total.memory_mib(), shares);
      break;
    case SharePolicy::drf:
      for (std::size_t d = 0; d < cluster.dimensions_used(); ++d) {
        share_dimension(claims, d, total[d], shares);
      }
      break;
    case SharePolicy::fifo: {
      const auto first =
          std::min_element(claims.begin(), claims.end(),
                           [](const auto& a, const auto& b) { return a.start < b.start; });
      shares[static_cast<std::size_t>(first - claims.begin())] = total;
      break;
    }
  }
  return shares;
}

}  // namespace tracebed
