// Why something waits: the scheduler's reasons, and if it reports none, what the cluster shows.
#pragma once

#include <vector>

#include "core/cluster_model.h"
#include "core/scheduler.h"
#include "core/stall.h"

namespace tracebed {

class Engine;

// Of an open ask with pending units. Never empty. Takes time in proportion to the nodes, so it is
// for reports; called between rounds only.
std::vector<WaitingReason> why_ask_waits(const Scheduler& scheduler, const ClusterModel& cluster,
                                         AskId ask);

// Of an application: what delays it as a whole, else what delays its most important ask with
// pending units. Empty if nothing does. `is_accepted`: by the scheduler.
std::vector<WaitingReason> why_application_waits(const Scheduler& scheduler,
                                                 const ClusterModel& cluster,
                                                 ApplicationId application, bool is_accepted);

// The reasons that most jobs share, at most five of them, those of most jobs first; the first
// 1,000 open jobs are looked at.
std::vector<SharedWaitingReason> why_jobs_wait(const Engine& engine);

}  // namespace tracebed
