// What a run needs besides its agents, for which it waits by itself, and is away now.
#pragma once

#include <filesystem>
#include <string>

#include "coordinator/config/experiment.h"

namespace tracebed {

class RedisMonitor;

// Why the experiment could not be run now into a folder below `state`: the disk is full, or the
// Redis that the coordinator gives to runs on the cluster does not answer. Empty if it could.
// `redis` is null if each run has one of its own. May take as long as RedisMonitor::look_now().
std::string run_obstacle(const Experiment& experiment, const std::filesystem::path& state,
                         RedisMonitor* redis);

}  // namespace tracebed
