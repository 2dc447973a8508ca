// What a tree of queues means on a given cluster: shares of the whole, guaranteed and maximum
// resources (AbstractCSQueue, AbstractParentQueue, LeafQueue). Fractions are 32-bit floats, as the
// original's; amounts are truncated to whole MiB and vcores.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/yarn/capacity/capacity_configuration.h"

namespace tracebed {

// Something in the configuration that this cluster cannot give as it is written, of a queue and a
// resource (QueueUpdateWarning).
struct CapacityWarning {
  enum class Kind : std::uint8_t {
    branch_underutilized,  // its children leave some of what it has
    branch_downscaled,     // its children's amounts are more than it has: each is given less
    queue_overutilized,    // more than what its siblings left of its parent's
    queue_zero_resource,
    queue_exceeds_max_resource,         // its capacity is above its maximum, which it is given
    queue_max_resource_exceeds_parent,  // its maximum is above its parent's, which it is given
  };
  Kind kind = Kind::branch_underutilized;
  std::size_t dimension = 0;

  bool operator==(const CapacityWarning&) const = default;
};
// "BRANCH_UNDERUTILIZED", as Hadoop has it.
std::string_view name(CapacityWarning::Kind kind);
// "QUEUE_OVERUTILIZED: memory; QUEUE_ZERO_RESOURCE: vcores, gpu", each once.
std::string warnings_text(std::span<const CapacityWarning> warnings,
                          const ResourceDimensions& dimensions);

// Of one queue in one partition.
struct QueueFigures {
  float capacity = 0;           // of the parent: percent / 100, or weight / Σ siblings' weights
  float absolute_capacity = 0;  // of the partition: the parent's absolute × capacity
  float maximum_capacity = 1;   // of the parent: maximum-capacity / 100
  float absolute_maximum_capacity = 1;
  // partition × absolute, or the configured amount.
  Resources guaranteed;
  Resources maximum;
  // Only where capacities may have any form, in the order in which they were found.
  std::vector<CapacityWarning> warnings = {};
};

// In the order of `configuration.queues`. A queue without figures for the partition has none of it.
//
// Where capacities may have any form, capacity_vectors.h says what is computed. Otherwise:
// Amounts that add up to more than the partition are scaled down, each dimension by its own ratio;
// the calculator decides whether that is the case. With the memory calculator vcores may thereby be
// scaled up: the original's behaviour, kept on purpose.
std::vector<QueueFigures> figures_in(const CapacityConfiguration& configuration,
                                     const std::string& partition, const Resources& resources);

}  // namespace tracebed
