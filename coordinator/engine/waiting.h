// Why something waits: what the scheduler says, and where it says nothing, what the cluster shows.
#pragma once

#include <vector>

#include "core/cluster_model.h"
#include "core/scheduler.h"

namespace tracebed {

// Of an open ask with pending units. Never empty. Takes time in proportion to the nodes, so it is
// for reports; asked between rounds only.
std::vector<WaitingReason> why_ask_waits(const Scheduler& scheduler, const ClusterModel& cluster,
                                         AskId ask);

// Of an application: what keeps it as a whole, else what keeps its most important ask that wants
// units. Empty if nothing does. `is_accepted`: the scheduler has taken it.
std::vector<WaitingReason> why_application_waits(const Scheduler& scheduler,
                                                 const ClusterModel& cluster,
                                                 ApplicationId application, bool is_accepted);

}  // namespace tracebed
