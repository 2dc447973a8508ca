// How much of a leaf its application masters may use: maxAMShare (FSLeafQueue.computeMaxAMResource,
// canRunAppAM). Masters that run elsewhere (unmanaged) count for nothing.
#pragma once

#include "schedulers/yarn/fair/live_queue.h"

namespace tracebed {

// The instantaneous fair share × maxAMShare, rounded up to whole units. In a dimension of which the
// share is nothing, as vcores below a queue with the policy fair, what is `available` of the
// cluster, at most the queue's maximum, takes its place.
Resources maximum_for_masters(const LiveQueue& leaf, const Resources& available,
                              const Resources& cluster);

// True if the application waits for its master's container, and with it the leaf's masters would
// use more than that.
bool is_over_master_share(const LiveApplication& application, const Resources& available,
                          const Resources& cluster);

}  // namespace tracebed
