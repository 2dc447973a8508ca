// Why a task of a slot scheduler waits, as far as slots and room go.
#pragma once

#include <vector>

#include "core/scheduler_view.h"
#include "schedulers/hadoop1/slot_jobs.h"

namespace tracebed {

// Of the ask, or of the first that wants something. Empty if nothing keeps it from being placed.
std::vector<WaitingReason> why_slots_are_waited_for(const ClusterModel& cluster,
                                                    const SlotJobs& jobs, const SlotJob& job,
                                                    AskId ask);

std::string_view name_of(SlotKind kind);  // "map", "reduce"

}  // namespace tracebed
