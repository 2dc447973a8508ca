// How much of a leaf its application masters may use: maxAMShare (FSLeafQueue.computeMaxAMResource,
// canRunAppAM). Masters that run elsewhere (unmanaged) do not count.
#pragma once

#include "schedulers/yarn/fair/live_queue.h"

namespace tracebed {

// The instantaneous fair share × maxAMShare, rounded up to whole units. In a dimension in which the
// share is zero, as vcores below a queue with the policy fair, it is replaced by what is
// `available` of the cluster, at most the queue's maximum.
Resources maximum_for_masters(const LiveQueue& leaf, const Resources& available,
                              const Resources& cluster);

// True if the application waits for its master's container, and with it the leaf's masters would
// use more than that.
bool is_over_master_share(const LiveApplication& application, const Resources& available,
                          const Resources& cluster);

// The application's first container is its master's, unless that runs elsewhere
// (FSAppAttempt.assignContainer, recoverContainer): it counts from now on. No effect if it runs.
void count_master(LiveApplication& application, const ClusterModel& cluster, AskId ask,
                  const Resources& resources);

// What the application is offered a container for next: the most important ask with pending units.
// Null if there is none.
const LiveAsk* next_ask(const LiveApplication& application);

// True if this is so for every application of the leaf that is offered nodes and waits for its
// master's container, or none does: then they need not be checked one by one.
bool may_no_master_start(const LiveQueue& leaf, const Resources& available,
                         const Resources& cluster);

}  // namespace tracebed
