// YARN's DominantResourceCalculator.compare over vcores and memory: the larger share of the cluster
// decides, then the other one. Exact, by cross-multiplication.
#pragma once

#include <compare>

#include "core/resources.h"

namespace tracebed {

// A dimension of which the cluster has nothing counts as a share of zero.
std::strong_ordering compare_dominant(const Resources& a, const Resources& b,
                                      const Resources& cluster);

}  // namespace tracebed
