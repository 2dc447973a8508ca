// How a queue's share is divided among its children or applications by its policy
// (SchedulingPolicy.computeShares and computeSteadyShares): fair divides memory only, drf every
// dimension of the cluster, and fifo gives everything to the application that came first.
#pragma once

#include <span>
#include <vector>

#include "core/resources.h"
#include "core/time.h"
#include "schedulers/yarn/fair/share_policy.h"

namespace tracebed {

struct SiblingClaim {
  float weight = 1;
  Resources minimum;
  Resources maximum;      // AllocationAmount::unlimited_amount where there is none
  bool is_active = true;  // fair_shares.h
  TraceTime start{};      // for fifo
};

// In the order of the claims. A dimension that is not divided is 0.
std::vector<Resources> share_among(SharePolicy policy, std::span<const SiblingClaim> claims,
                                   const Resources& total, const Resources& cluster);

}  // namespace tracebed
