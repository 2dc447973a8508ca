// Makes the job master that a job's kind calls for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "applications/dag/dag_master.h"
#include "applications/executors/executors_master.h"
#include "applications/hdfs/rack_topology.h"
#include "applications/map_reduce/map_reduce_master.h"
#include "applications/parts/recorded_places.h"
#include "applications/preemption/preemptible_master.h"
#include "core/application_master.h"
#include "core/cluster_model.h"
#include "core/result.h"
#include "core/settings.h"
#include "core/workload.h"

namespace tracebed {

struct MasterOptions {
  MapReduceOptions map_reduce;
  DagOptions dag;
  // Set to some executors: MapReduce jobs and DAGs run their tasks on as many.
  ExecutorOptions executors;
  std::uint32_t rigid_attempts_max = 1;
  std::uint32_t service_failures_max = 10;
  PreemptionPolicy preemption_policy = PreemptionPolicy::newest_first;
  // Replicas of input blocks (dfs.replication); 0: tasks name no places.
  std::uint32_t replication = 3;
  // Input is where the trace recorded it, if any of the hosts it names is a machine of the run.
  // Always true of input in the run's storage.
  bool are_recorded_places_used = true;
};

// The options as named settings, with their meanings, for experiments and `tracebed schedulers`.
std::span<const SettingDescription> master_settings();
// Fails with a sentence that names the setting, what was expected and what was found.
Result<MasterOptions> read_master_options(const SettingValues& values);

// Callable as the engine's MasterFactory. Deterministic in the seed, the job and the nodes known
// when it is called. A node keeps its rack for the whole run.
class MasterBuilder {
 public:
  MasterBuilder(const MasterOptions& options, std::uint64_t seed)
      : options_(options), seed_(seed) {}

  // Moves the stages out of `job`. In a run with storage, tasks read the splits of Stage::input,
  // which are where Stage::places has them. In others, map i of a MapReduce job reads block i of
  // its input path, or of a file of its own if the trace names none; places of input that the trace
  // recorded take precedence.
  std::unique_ptr<ApplicationMaster> operator()(ApplicationId /*application*/, Job& job,
                                                const ClusterModel& cluster) {
    return build(job, cluster.nodes);
  }
  std::unique_ptr<ApplicationMaster> build(Job& job, std::span<const Node> nodes);
  // In a run without storage: what the tasks of the job's stages read, task after task, each as a
  // block; nothing of jobs whose tasks prefer no place. To be called before the job is built.
  InputBlocks input_blocks(const Job& job, std::span<const Node> nodes);

 private:
  std::unique_ptr<PreemptibleMaster> make(Job& job, std::span<const Node> nodes);
  std::unique_ptr<PreemptibleMaster> make_on_executors(Job& job, std::span<const Node> nodes);
  std::unique_ptr<PreemptibleMaster> make_map_reduce(Job& job, std::span<const Node> nodes);
  // Where the input of a MapReduce job's stage of maps is.
  StagePlaces map_places(const Job& job, const Stage& stage, std::span<const Node> nodes);
  // Of every stage of a DAG or service: only recorded places and labels.
  std::vector<StagePlaces> places_of(const Job& job, std::span<const Node> nodes);
  // Empty (replication 0) if no recorded place is in the cluster.
  StagePlaces recorded_places(const Stage& stage, std::span<const Node> nodes);

  MasterOptions options_;
  std::uint64_t seed_;
  RackTopology topology_;  // of the nodes known at the last call
  NodeNames node_names_;   // likewise
};

// MasterBuilder::input_blocks as the engine's InputLocator.
inline auto placed_input(const MasterOptions& options, std::uint64_t seed) {
  return [builder = MasterBuilder(options, seed)](const Job& job,
                                                  const ClusterModel& cluster) mutable {
    return builder.input_blocks(job, cluster.nodes);
  };
}

}  // namespace tracebed
