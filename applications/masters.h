// Makes the job master that a job's kind calls for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "applications/hdfs/rack_topology.h"
#include "applications/map_reduce/map_reduce_master.h"
#include "core/application_master.h"
#include "core/cluster_model.h"
#include "core/result.h"
#include "core/settings.h"
#include "core/workload.h"

namespace tracebed {

struct MasterOptions {
  MapReduceOptions map_reduce;
  std::uint32_t rigid_attempts_max = 1;
  // Replicas of input blocks (dfs.replication); 0: tasks name no places.
  std::uint32_t replication = 3;
};

// The options as named settings, with their meanings, for experiments and `tracebed schedulers`.
std::span<const SettingDescription> master_settings();
// Fails with a sentence that names the setting, what was expected and what came.
Result<MasterOptions> read_master_options(const SettingValues& values);

// Callable as the engine's MasterFactory. Deterministic in the seed, the job and the nodes known
// when it is called. A node keeps its rack for the whole run.
class MasterBuilder {
 public:
  MasterBuilder(const MasterOptions& options, std::uint64_t seed)
      : options_(options), seed_(seed) {}

  // Moves the stages out of `job`. Map i of a MapReduce job reads block i of its input path, or of
  // a file of its own where the trace names none.
  std::unique_ptr<ApplicationMaster> operator()(ApplicationId application, Job& job,
                                                const ClusterModel& cluster);

 private:
  std::unique_ptr<ApplicationMaster> make_map_reduce(Job& job, const ClusterModel& cluster);

  MasterOptions options_;
  std::uint64_t seed_;
  RackTopology topology_;  // of the nodes known at the last call
};

}  // namespace tracebed
