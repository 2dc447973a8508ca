// The faults that an experiment requests, drawn with a run's seed.
#pragma once

#include <cstdint>

#include "applications/hosting/master_faults.h"
#include "coordinator/config/experiment.h"
#include "core/task_faults.h"

namespace tracebed {

TaskFaults task_faults(const FaultChoice& faults, std::uint64_t seed);
MasterFaults master_faults(const FaultChoice& faults, std::uint64_t seed);

}  // namespace tracebed
