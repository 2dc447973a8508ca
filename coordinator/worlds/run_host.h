// What the program that runs an experiment adds to it.
#pragma once

#include <filesystem>
#include <string>

#include "coordinator/real/redis_connection.h"
#include "schedulers/registry.h"

namespace tracebed {

class AgentRoster;

struct RunHost {
  const SchedulerRegistry& schedulers;  // outlives all
  std::string experiment_file;          // as the user named it, for the run record
  std::filesystem::path programs;       // the folder of tracebed-agent and the other daemons
  AgentRoster* roster = nullptr;  // of the cluster world, if this program has one; outlives all
  std::string redis;              // of the cluster world, unless the experiment names another
  RedisLogin redis_login;
};

// With the daemons in the folder of the running program.
RunHost this_host(const SchedulerRegistry& schedulers, std::string experiment_file);

}  // namespace tracebed
