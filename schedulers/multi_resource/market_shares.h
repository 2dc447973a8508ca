// Competitive equilibrium from equal incomes (H. Varian, Equity, Envy, and Efficiency, 1974), the
// division of resources that Dominant Resource Fairness is compared with (A. Ghodsi et al., NSDI
// 2011, section 5): everybody gets the same part of every resource and trades it in a perfect
// market. For tasks of any size it is the division with the largest product of what users get (the
// Nash bargaining solution), each to the power of the user's weight.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/resources.h"

namespace tracebed {

struct MarketUser {
  Resources demand;         // of one task
  std::int64_t weight = 1;  // its income, positive; only ratios matter
  bool operator==(const MarketUser&) const = default;
};

// How many tasks each user gets, in their order. A resource of which there is none is in no market;
// a user who demands nothing else gets no tasks.
//
// With prices p the tasks of user i are w_i / Σ_j p_j d_ij, and prices minimise Σ_j p_j r_j −
// Σ_i w_i log Σ_j p_j d_ij, which is convex: found by one price after another until none changes by
// more than 10^-12 of all incomes, or a thousand times. In double, without contraction: equal on
// all machines. A price costs a number of steps that is proportional to the users.
std::vector<double> market_tasks(const Resources& total, std::span<const MarketUser> users);

}  // namespace tracebed
