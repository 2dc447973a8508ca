// What the program that runs an experiment adds to it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "coordinator/real/redis_connection.h"
#include "schedulers/registry.h"

namespace tracebed {

class AgentRoster;
class DatanodeOrderQueue;
class StorageGate;

// Where HDFS clients reach the namenodes of a cluster's runs. All outlive the runs.
struct HostedStorage {
  StorageGate* gate = nullptr;
  DatanodeOrderQueue* orders = nullptr;
  std::string namenode;  // ADDRESS:PORT of Hadoop RPC, for the cluster's hosts
};

// Who removes what runs leave in `RunHost::redis` (coordinator/real/redis_runs.h).
struct RedisOwner {
  std::string id;
  std::filesystem::path folder;  // absolute; runs are known by their folders below it
};

struct RunHost {
  const SchedulerRegistry& schedulers;  // outlives all
  std::string experiment_file;          // as the user named it, for the run record
  std::filesystem::path programs;       // the folder of tracebed-agent and the other daemons
  AgentRoster* roster = nullptr;  // of the cluster world, if this program has one; outlives all
  std::optional<HostedStorage> storage;  // of the cluster world, if this program serves HDFS
  std::string redis;  // of the cluster world, unless the experiment names another
  RedisLogin redis_login;
  RedisOwner redis_owner;  // if there is that Redis
};

// With the daemons in the folder of the running program.
RunHost this_host(const SchedulerRegistry& schedulers, std::string experiment_file);

}  // namespace tracebed
