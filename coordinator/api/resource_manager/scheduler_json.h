// A running scheduler's queues as YARN's ResourceManager reports them at /ws/v1/cluster/scheduler:
// the same objects under the same names (CapacitySchedulerInfo, FairSchedulerInfo and
// FifoSchedulerInfo of org.apache.hadoop.yarn.server.resourcemanager.webapp.dao). Fields whose
// values are not known here are omitted.
#pragma once

#include <nlohmann/json.hpp>

#include "coordinator/monitoring/run_snapshot.h"

namespace tracebed {

// {"type": "capacityScheduler", …}. Each queue, and the scheduler itself for its root, also has a
// `queuePage`: the figures of the page of queues, as text under the page's names. Of schedulers
// that YARN does not have, `type` is their own name, and `queues` a list of such pages, each beside
// `figures`: all that the scheduler reports, by id, in numbers (report/figure_json.h).
nlohmann::ordered_json scheduler_info(const RunSnapshot& run);

}  // namespace tracebed
