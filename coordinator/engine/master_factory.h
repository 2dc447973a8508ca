// How the engine obtains a job master for a submitted job, and where it looks for the job's input.
#pragma once

#include <functional>
#include <memory>

#include "core/application_master.h"
#include "core/cluster_model.h"
#include "core/workload.h"

namespace tracebed {

// May move the stages out of `job`, nothing else. Must be deterministic.
using MasterFactory =
    std::function<std::unique_ptr<ApplicationMaster>(ApplicationId, Job& job, const ClusterModel&)>;

// The blocks that the job reads in a run without storage, as its master assumes them.
// Deterministic.
using InputLocator = std::function<InputBlocks(const Job& job, const ClusterModel&)>;

}  // namespace tracebed
