// How the engine obtains a job master for a submitted job.
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

}  // namespace tracebed
