// What a tree of queues means on a given cluster: shares of the whole, guaranteed and maximum
// resources (AbstractCSQueue, AbstractParentQueue, LeafQueue). Fractions are 32-bit floats, as the
// original's; amounts are truncated to whole MiB and vcores.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "schedulers/yarn/capacity/capacity_configuration.h"

namespace tracebed {

// Of one queue in one partition.
struct QueueFigures {
  float capacity = 0;           // of the parent: percent / 100, or weight / Σ siblings' weights
  float absolute_capacity = 0;  // of the partition: the parent's absolute × capacity
  float maximum_capacity = 1;   // of the parent: maximum-capacity / 100
  float absolute_maximum_capacity = 1;
  // partition × absolute, or the configured amount.
  Resources guaranteed;
  Resources maximum;
};

// In the order of `configuration.queues`. A queue without figures for the partition has none of it.
//
// Amounts that add up to more than the partition are scaled down, each dimension by its own ratio;
// the calculator decides whether that is the case. With the memory calculator vcores may thereby be
// scaled up: the original's behaviour, kept on purpose.
std::vector<QueueFigures> figures_in(const CapacityConfiguration& configuration,
                                     const std::string& partition, const Resources& resources);

}  // namespace tracebed
