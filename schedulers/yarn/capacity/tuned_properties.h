// maximum-am-resource-percent of a leaf queue in capacity-scheduler.xml: read as the scheduler
// reads it (LeafQueue.setupQueueConfigs: the queue's own property, else the one for all queues),
// and written as the queue's own, so that no other queue changes.
#pragma once

#include "schedulers/tuned_parameter.h"

namespace tracebed {

TunedParameter capacity_master_share();

}  // namespace tracebed
