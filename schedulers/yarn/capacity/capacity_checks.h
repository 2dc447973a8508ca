// What a tree of queues must satisfy as a whole (AbstractParentQueue.setChildQueues, CSQueueUtils,
// UserWeights).
#pragma once

#include "core/result.h"
#include "schedulers/yarn/capacity/capacity_configuration.h"

namespace tracebed {

// Where capacities have one form, per parent and partition:
// - the children use one form: percentages, weights or amounts; below a queue with amounts (but not
//   below the root) only amounts do, and above them too;
// - percentages add up to 100, give or take 0.05. They may all be 0 where the parent's is 0 or not
//   a percentage, and must be where it is 0, unless the parent has allow-zero-capacity-sum;
// - amounts add up to no more than the parent's: in memory, or with the dominant calculator in
//   every dimension.
// and per queue: its share of the cluster is at most its maximum share, an amount at most the
// maximum amount.
// Where they have any form, per queue: amounts are at most those of the maximum, and these at most
// the parent's; anything else is only warned of (capacity_vectors.h).
// In both cases: labels are accessible to the parent too, the default label is one of them; users'
// weights are at most 100 / minimum-user-limit-percent; the default lifetime is at most the
// maximum.
//
// `properties` is where the configuration was read from, for messages.
Status check_capacities(const CapacityConfiguration& configuration,
                        const HadoopProperties& properties);

}  // namespace tracebed
