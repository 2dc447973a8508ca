#include "applications/masters.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "applications/hdfs/block_placement.h"
#include "applications/rigid/rigid_master.h"
#include "applications/service/service_master.h"
#include "core/check.h"
#include "core/mebibyte.h"

namespace tracebed {
namespace {

constexpr std::array<SettingDescription, 34> own_descriptions{{
    {"map_attempts", "4",
     "maximum attempts at a map; then the job fails (mapreduce.map.maxattempts)"},
    {"reduce_attempts", "4",
     "maximum attempts at a reduce; then the job fails (mapreduce.reduce.maxattempts)"},
    {"rigid_attempts", "1", "maximum attempts at a rigid job's gang; then the job fails"},
    {"dag_attempts", "4", "maximum attempts at a task of a DAG job; then the job fails"},
    {"dag_outputs", "node",
     "output of a task of a DAG job: lost with its node, and recomputed while a stage needs it "
     "(node), or kept (durable)"},
    {"lost_outputs", "fetched",
     "tasks that run when outputs of earlier stages are lost with a node: have all that they need "
     "(fetched), or must fetch them, too, once they are there again (awaited), as they do with "
     "`storage.shuffle`: then reduces may be preempted for maps that have no room, and tasks of "
     "DAG jobs are killed and wait"},
    {"service_failures", "10",
     "failures of instances of one component before a service fails "
     "(yarn.service.container-failure-per-component.threshold)"},
    {"replication", "3",
     "replicas of each input block (dfs.replication); 0: tasks have no preferred places"},
    {"recorded_places", "use",
     "input locations: as recorded in the trace, if it names a machine of the run (use), or placed "
     "by `replication` anyway (ignore)"},
    {"slow_start", "0.05",
     "fraction of maps to complete before reduces are requested "
     "(mapreduce.job.reduce.slowstart.completedmaps)"},
    {"reduce_ramp_up_limit", "0.5",
     "fraction of the job's resources that reduces may use while maps wait "
     "(yarn.app.mapreduce.am.job.reduce.rampup.limit)"},
    {"reduce_preemption_limit", "0.5",
     "maximum fraction of the job's resources taken from reduces at a time when maps have no room "
     "(yarn.app.mapreduce.am.job.reduce.preemption.limit)"},
    {"reduce_preemption_delay_ms", "0",
     "how long maps wait without room before reduces are preempted "
     "(mapreduce.job.reducer.preempt.delay.sec)"},
    {"unconditional_preemption_delay_ms", "300000",
     "the same, even if there seems to be room "
     "(mapreduce.job.reducer.unconditional-preempt.delay.sec)"},
    {"heartbeat_ms", "1000",
     "interval at which a master without room checks again "
     "(yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms)"},
    {"map_memory_mib", "0",
     "container memory of maps; 0: as in the trace (mapreduce.map.memory.mb)"},
    {"map_milli_vcores", "0",
     "container vcores of maps, in thousandths; 0: as in the trace (mapreduce.map.cpu.vcores)"},
    {"reduce_memory_mib", "0",
     "container memory of reduces; 0: as in the trace (mapreduce.reduce.memory.mb)"},
    {"reduce_milli_vcores", "0",
     "container vcores of reduces, in thousandths; 0: as in the trace "
     "(mapreduce.reduce.cpu.vcores)"},
    {"map_heap_mib", "0",
     "heap limit of a map's JVM; a map that needs more fails as heap_exhausted; 0: no limit (-Xmx "
     "of mapreduce.map.java.opts)"},
    {"reduce_heap_mib", "0", "the same for reduces (mapreduce.reduce.java.opts)"},
    {"small_heap", "fails",
     "with storage.shuffle: spills: a task that needs more than its heap does not fail, but "
     "spills: "
     "what it reads, fetches and writes passes its machine's disk as often as its heap goes into "
     "what it needs, rounded up"},
    {"heap_share", "0.8",
     "fraction of a task's memory that is heap, which traces do not record "
     "(mapreduce.job.heap.memory-mb.ratio)"},
    {"executors", "0",
     "executors of a MapReduce job or a DAG, at most as many as it has tasks, which it runs on "
     "them one at a time, as Spark does; the scheduler places executors, not tasks, and settings "
     "of maps and reduces have no effect; 0: each task has a container of its own "
     "(spark.executor.instances)"},
    {"executor_allocation", "fixed",
     "all executors from the start (fixed), or none at first, then as many as tasks call for, near "
     "their input (dynamic), with `executors` as the limit (spark.dynamicAllocation.enabled)"},
    {"executor_backlog_ms", "1000",
     "dynamic: how long tasks wait until executors are added, and until twice as many are "
     "(spark.dynamicAllocation.schedulerBacklogTimeout)"},
    {"executor_idle_ms", "60000",
     "dynamic: how long an executor without input in memory is idle until it is given up "
     "(spark.dynamicAllocation.executorIdleTimeout)"},
    {"executor_milli_vcores", "0",
     "vcores of an executor, in thousandths; 0: the largest demand of a task "
     "(spark.executor.cores)"},
    {"executor_memory_mib", "0",
     "memory of an executor; 0: the largest demand of a task (spark.executor.memory)"},
    {"executor_cache_mib", "0",
     "memory of an executor in which it keeps input that several stages of its job read, beside "
     "its tasks'; in real worlds with `storage.shuffle` only; 0: each stage reads it "
     "(RDD.persist)"},
    {"locality_wait_process_ms", "3000",
     "how long tasks wait for the executor that keeps their input; 0: not at all "
     "(spark.locality.wait.process)"},
    {"locality_wait_node_ms", "3000",
     "how long they wait for an executor on a node with their input, after that; 0: not at all "
     "(spark.locality.wait.node)"},
    {"locality_wait_rack_ms", "3000",
     "how long they wait for one in a rack with it, after that; 0: not at all "
     "(spark.locality.wait.rack)"},
    preemption_policy_setting,
}};

constexpr auto descriptions = [] {
  std::array<SettingDescription, own_descriptions.size() + speculation_settings.size()> all;
  std::copy(own_descriptions.begin(), own_descriptions.end(), all.begin());
  std::copy(speculation_settings.begin(), speculation_settings.end(),
            all.begin() + own_descriptions.size());
  return all;
}();

}  // namespace

std::span<const SettingDescription> master_settings() {
  return descriptions;
}

Result<MasterOptions> read_master_options(const SettingValues& values) {
  constexpr std::int64_t count_max = 1'000'000;
  constexpr std::int64_t milliseconds_max = std::int64_t{1000} * 60 * 60 * 24 * 365;
  SettingReader reader("job masters", master_settings(), values);
  MasterOptions options;
  const auto count = [&](std::string_view name, std::int64_t low) {
    return static_cast<std::uint32_t>(reader.integer(name, low, count_max));
  };
  const auto share = [&](std::string_view name) {
    return static_cast<float>(reader.fraction(name, 0, 1));
  };
  MapReduceOptions& map_reduce = options.map_reduce;
  map_reduce.map_attempts_max = count("map_attempts", 1);
  map_reduce.reduce_attempts_max = count("reduce_attempts", 1);
  options.rigid_attempts_max = count("rigid_attempts", 1);
  options.service_failures_max = count("service_failures", 1);
  options.dag.attempts_max = count("dag_attempts", 1);
  options.dag.are_outputs_on_nodes = reader.choice("dag_outputs", {"node", "durable"}) == 0;
  map_reduce.are_lost_outputs_awaited = options.dag.are_lost_outputs_awaited =
      reader.choice("lost_outputs", {"fetched", "awaited"}) == 1;
  options.executors.executors = count("executors", 0);
  options.executors.allocation = {
      reader.choice("executor_allocation", {"fixed", "dynamic"}) == 1,
      reader.milliseconds_of("executor_backlog_ms", 1, milliseconds_max),
      reader.milliseconds_of("executor_idle_ms", 1, milliseconds_max)};
  options.executors.attempts_max = options.dag.attempts_max;
  options.executors.are_outputs_on_nodes = options.dag.are_outputs_on_nodes;
  options.executors.are_lost_outputs_awaited = options.dag.are_lost_outputs_awaited;
  options.executors.waits = {
      reader.milliseconds_of("locality_wait_node_ms", 0, milliseconds_max),
      reader.milliseconds_of("locality_wait_rack_ms", 0, milliseconds_max),
      reader.milliseconds_of("locality_wait_process_ms", 0, milliseconds_max)};
  options.executors.cache_bytes =
      reader.integer("executor_cache_mib", 0, task_memory_mib_max) * mebibyte;
  options.are_recorded_places_used = reader.choice("recorded_places", {"use", "ignore"}) == 0;
  options.replication = static_cast<std::uint32_t>(reader.integer("replication", 0, 512));
  options.preemption_policy = read_preemption_policy(reader);
  map_reduce.speculation = read_speculation_options(reader);
  map_reduce.ramp.slow_start = share("slow_start");
  map_reduce.ramp.ramp_up_limit = share("reduce_ramp_up_limit");
  map_reduce.ramp.preemption_limit = share("reduce_preemption_limit");
  map_reduce.preemption_delay =
      reader.milliseconds_of("reduce_preemption_delay_ms", 0, milliseconds_max);
  map_reduce.unconditional_preemption_delay =
      reader.milliseconds_of("unconditional_preemption_delay_ms", 0, milliseconds_max);
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  const auto amount = [&](std::string_view name) { return reader.integer(name, 0, amount_max); };
  map_reduce.map_size = Resources(amount("map_milli_vcores"), amount("map_memory_mib"));
  map_reduce.reduce_size = Resources(amount("reduce_milli_vcores"), amount("reduce_memory_mib"));
  const auto heap_share = static_cast<float>(reader.fraction("heap_share", 0.01, 1));
  const bool spills = reader.choice("small_heap", {"fails", "spills"}) == 1;
  map_reduce.map_heap = {amount("map_heap_mib"), heap_share, spills};
  map_reduce.reduce_heap = {amount("reduce_heap_mib"), heap_share, spills};
  options.executors.size =
      Resources(amount("executor_milli_vcores"), amount("executor_memory_mib"));
  map_reduce.heartbeat_interval = reader.milliseconds_of("heartbeat_ms", 1, milliseconds_max);
  if (const Status status = reader.status(); !status) return status.error();
  return options;
}

std::unique_ptr<ApplicationMaster> MasterBuilder::build(Job& job, std::span<const Node> nodes) {
  std::unique_ptr<PreemptibleMaster> master = make(job, nodes);
  master->set_policy(options_.preemption_policy);
  return master;
}

std::unique_ptr<PreemptibleMaster> MasterBuilder::make(Job& job, std::span<const Node> nodes) {
  const bool has_tasks = job.kind == JobKind::map_reduce || job.kind == JobKind::dag;
  if (has_tasks && options_.executors.executors > 0) return make_on_executors(job, nodes);
  switch (job.kind) {
    case JobKind::map_reduce:
      return make_map_reduce(job, nodes);
    case JobKind::rigid:
      TRACEBED_CHECK(job.stages.size() == 1, "a rigid job has one stage");
      return std::make_unique<RigidMaster>(std::move(job.stages.front()),
                                           options_.rigid_attempts_max);
    case JobKind::dag:
      return std::make_unique<DagMaster>(options_.dag, job, places_of(job, nodes));
    case JobKind::service:
      return std::make_unique<ServiceMaster>(job, places_of(job, nodes),
                                             options_.service_failures_max);
  }
  invariant_failed("a known kind", __FILE__, __LINE__, "every kind of job has a master");
}

StagePlaces MasterBuilder::recorded_places(const Stage& stage, std::span<const Node> nodes) {
  const bool are_used = options_.are_recorded_places_used || stage.input.id != 0;
  if (stage.places.is_empty() || !are_used) return {};
  node_names_.learn(nodes);
  return tracebed::recorded_places(stage.places, node_names_, nodes);
}

std::vector<StagePlaces> MasterBuilder::places_of(const Job& job, std::span<const Node> nodes) {
  std::vector<StagePlaces> places;
  places.reserve(job.stages.size());
  for (const Stage& stage : job.stages) {
    places.push_back(recorded_places(stage, nodes));
    if (stage.node_labels.empty()) continue;
    places.back().is_confined = true;
    places.back().allowed = nodes_with_label(stage.node_labels, nodes);
  }
  return places;
}

StagePlaces MasterBuilder::map_places(const Job& job, const Stage& stage,
                                      std::span<const Node> nodes) {
  StagePlaces places = recorded_places(stage, nodes);
  if (places.replication > 0 || options_.replication == 0 || stage.input.id != 0) return places;
  if (topology_.nodes() != nodes.size()) topology_ = RackTopology(nodes);
  const std::string file =
      stage.input_path.empty() ? "job " + std::to_string(job.id.value()) : stage.input_path;
  BlockPlacement placement(topology_, seed_, file, options_.replication);
  places.replication = placement.replication();
  const std::uint32_t blocks = task_count(stage);
  places.replicas.reserve(std::size_t{blocks} * places.replication);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    placement.append_replicas(block, places.replicas);
  }
  return places;
}

std::unique_ptr<PreemptibleMaster> MasterBuilder::make_on_executors(Job& job,
                                                                    std::span<const Node> nodes) {
  std::vector<StagePlaces> places = places_of(job, nodes);
  for (std::size_t i = 0; i < job.stages.size() && job.kind == JobKind::map_reduce; ++i) {
    if (job.stages[i].kind == StageKind::map) places[i] = map_places(job, job.stages[i], nodes);
  }
  return std::make_unique<ExecutorsMaster>(options_.executors, job, std::move(places), seed_);
}

std::unique_ptr<PreemptibleMaster> MasterBuilder::make_map_reduce(Job& job,
                                                                  std::span<const Node> nodes) {
  StagePlaces places;
  for (const Stage& stage : job.stages) {
    if (stage.kind == StageKind::map) places = map_places(job, stage, nodes);
  }
  auto master = std::make_unique<MapReduceMaster>(options_.map_reduce, job,
                                                  std::move(places.replicas), places.replication);
  if (options_.map_reduce.speculation.rule != SpeculationRule::none) master->know_cluster(nodes);
  return master;
}

InputBlocks MasterBuilder::input_blocks(const Job& job, std::span<const Node> nodes) {
  InputBlocks blocks;
  std::vector<NodeId> holders;
  for (const Stage& stage : job.stages) {
    if (stage.kind != StageKind::map) continue;
    const StagePlaces places = job.kind == JobKind::map_reduce ? map_places(job, stage, nodes)
                                                               : recorded_places(stage, nodes);
    for (std::size_t i = 0; i < places.replicas.size(); i += places.replication) {
      holders.clear();
      for (const Replica& replica : std::span(places.replicas).subspan(i, places.replication)) {
        if (replica.node.is_valid()) holders.push_back(replica.node);
      }
      blocks.add_block(holders);
    }
  }
  return blocks;
}

}  // namespace tracebed
