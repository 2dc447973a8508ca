// maxAMShare of a leaf queue in the Fair Scheduler's allocation file: read as the scheduler reads
// it (AllocationFileQueueParser: the queue's own element, else queueMaxAMShareDefault, else 0.5),
// and written as the queue's own, so that no other queue changes. A queue that the file does not
// have, as one that is made when its first application comes, is added to it.
#pragma once

#include "schedulers/tuned_parameter.h"

namespace tracebed {

TunedParameter fair_master_share();

}  // namespace tracebed
