#include "schedulers/yarn/dominant_share.h"

#include <algorithm>
#include <array>

namespace tracebed {
namespace {

__extension__ using Wide = __int128;

struct Share {
  std::int64_t part = 0;
  std::int64_t whole = 1;  // positive
};

std::strong_ordering operator<=>(const Share& a, const Share& b) {
  return static_cast<Wide>(a.part) * b.whole <=> static_cast<Wide>(b.part) * a.whole;
}

// Largest first.
std::array<Share, 2> shares(const Resources& amounts, const Resources& cluster) {
  std::array<Share, 2> result;
  for (std::size_t d = 0; d < result.size(); ++d) {
    if (cluster[d] > 0) result[d] = {amounts[d], cluster[d]};
  }
  if (result[0] < result[1]) std::swap(result[0], result[1]);
  return result;
}

}  // namespace

std::strong_ordering compare_dominant(const Resources& a, const Resources& b,
                                      const Resources& cluster) {
  const std::array<Share, 2> of_a = shares(a, cluster);
  const std::array<Share, 2> of_b = shares(b, cluster);
  const std::strong_ordering larger = of_a[0] <=> of_b[0];
  return larger != 0 ? larger : of_a[1] <=> of_b[1];
}

}  // namespace tracebed
