// Why a task of a slot scheduler waits, as far as slots and room are concerned.
#pragma once

#include <vector>

#include "core/scheduler_view.h"
#include "schedulers/hadoop1/delayed_jobs.h"
#include "schedulers/hadoop1/slot_jobs.h"

namespace tracebed {

// For the ask, or the first with pending units. Empty if nothing waits.
std::vector<WaitingReason> why_slots_are_waited_for(const ClusterModel& cluster,
                                                    const SlotJobs& jobs, const SlotJob& job,
                                                    AskId ask);
// The same of a scheduler that lets jobs wait for near nodes.
std::vector<WaitingReason> why_slots_are_waited_for(const ClusterModel& cluster,
                                                    const SlotJobs& jobs, const SlotJob& job,
                                                    AskId ask, const DelayedJobs& delayed);

std::string_view name_of(SlotKind kind);  // "map", "reduce"

}  // namespace tracebed
