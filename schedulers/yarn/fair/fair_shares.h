// Fair shares of one resource among siblings, by bisection (Hadoop's ComputeFairShares; the YARN
// analysis, section 6.3.3): the share of each is weight × R, but not below its minimum nor above
// its maximum, with an R for which the shares add up to the total.
//
// What is left over from truncating shares to whole units is not given out, and R is taken from
// above, so the shares may add up to more than the total: three equal claims on 10240 get 3414
// each. That is the original's behaviour, kept on purpose.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace tracebed {

// All amounts are in the unit that YARN counts in: MiB, whole vcores.
struct ShareClaim {
  float weight = 1;
  std::int64_t minimum = 0;  // a floor, not an extra
  std::int64_t maximum = std::numeric_limits<std::int64_t>::max();
  // False: gets nothing, and the others share what it would have got. For instantaneous shares, a
  // queue without runnable applications; in steady shares every queue counts.
  bool is_active = true;
};

// Writes the share of claims[i] to shares[i]; the spans have the same length. A claim with a
// maximum of zero or less gets nothing; one without weight gets its minimum, which is taken off the
// total before.
void compute_fair_shares(std::span<const ShareClaim> claims, std::int64_t total,
                         std::span<std::int64_t> shares);

}  // namespace tracebed
