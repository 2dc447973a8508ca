#include "schedulers/yarn/fair/fair_shares.h"

#include <algorithm>
#include <optional>

#include "core/check.h"

namespace tracebed {
namespace {

// COMPUTE_FAIR_SHARES_ITERATIONS.
constexpr int bisections = 25;

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return a > most - b ? most : a + b;
}

// The share of a claim that does not depend on the ratio.
std::optional<std::int64_t> fixed_share(const ShareClaim& claim) {
  if (claim.maximum <= 0 || !claim.is_active) return 0;
  if (claim.weight <= 0) return std::max<std::int64_t>(claim.minimum, 0);
  return std::nullopt;
}

std::int64_t share_at(const ShareClaim& claim, double ratio) {
  double share = static_cast<double>(claim.weight) * ratio;
  share = std::max(share, static_cast<double>(claim.minimum));
  share = std::min(share, static_cast<double>(claim.maximum));
  // A double of 2^63 or more is none of the type's values.
  constexpr double most = 9223372036854775807.0;
  return share >= most ? std::numeric_limits<std::int64_t>::max()
                       : static_cast<std::int64_t>(share);
}

std::int64_t sum_at(std::span<const ShareClaim> claims, double ratio) {
  std::int64_t sum = 0;
  for (const ShareClaim& claim : claims) {
    if (!fixed_share(claim)) sum = saturating_sum(sum, share_at(claim, ratio));
  }
  return sum;
}

// The ratio for which the claims that are not fixed take `wanted` together, from above.
double find_ratio(std::span<const ShareClaim> claims, std::int64_t wanted) {
  double high = 1;
  while (sum_at(claims, high) < wanted) high *= 2;
  double low = 0;
  for (int i = 0; i < bisections; ++i) {
    const double middle = (low + high) / 2;
    const std::int64_t sum = sum_at(claims, middle);
    (sum < wanted ? low : high) = middle;
    if (sum == wanted) break;
  }
  return high;
}

}  // namespace

void compute_fair_shares(std::span<const ShareClaim> claims, std::int64_t total,
                         std::span<std::int64_t> shares) {
  TRACEBED_CHECK(claims.size() == shares.size(), "every claim has a place for its share");
  std::int64_t fixed = 0;
  std::int64_t at_most = 0;
  for (const ShareClaim& claim : claims) {
    const std::optional<std::int64_t> share = fixed_share(claim);
    (share ? fixed : at_most) =
        saturating_sum(share ? fixed : at_most, share.value_or(claim.maximum));
  }
  const std::int64_t wanted = std::min(std::max<std::int64_t>(total - fixed, 0), at_most);
  const double ratio = find_ratio(claims, wanted);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    shares[i] = fixed_share(claims[i]).value_or(0);
    if (!fixed_share(claims[i])) shares[i] = share_at(claims[i], ratio);
  }
}

}  // namespace tracebed
