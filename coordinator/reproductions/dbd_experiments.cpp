#include "coordinator/reproductions/dbd_experiments.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

#include "coordinator/reproductions/dbd_architectures.h"
#include "coordinator/reproductions/real_delays.h"
#include "core/check.h"
#include "core/input_error.h"
#include "traces/parts/job_kinds.h"

namespace tracebed::dbd {
namespace {

constexpr int machines = 10;
constexpr int machine_memory_mib = 16'384;
constexpr int executors = 8;

struct Choices {
  bool is_placed_as_in_paper = false;
  std::int64_t reduces = 8;
  std::int64_t disk_mib = 100;
  std::int64_t links = 1;
  std::int64_t output_replicas = 3;
};

Choices choices_of(const SettingValues& values) {
  SettingReader reader("reproduction dbd", settings(), values);
  Choices choices;
  choices.is_placed_as_in_paper = reader.choice("placement", {"hdfs", "paper"}) == 1;
  choices.reduces = reader.integer("reduces", 1, 10'000);
  choices.disk_mib = reader.integer("disk_mib", 1, 100'000);
  choices.links = reader.integer("links", 1, 2);
  choices.output_replicas = reader.integer("output_replicas", 1, 3);
  if (const Status status = reader.status(); !status) {
    throw InputError("--set " + status.error().message);
  }
  return choices;
}

// One queue, with the delay of the file that Hadoop ships: so many chances an ask lets pass before
// it takes a machine that it does not prefer.
constexpr std::string_view queues_name = "capacity-scheduler.xml";
constexpr std::string_view queues_text = R"(<configuration>
  <property><name>yarn.scheduler.capacity.root.queues</name><value>default</value></property>
  <property><name>yarn.scheduler.capacity.root.default.capacity</name><value>100</value></property>
  <property><name>yarn.scheduler.capacity.node-locality-delay</name><value>40</value></property>
</configuration>
)";

std::string trace_name(const SparkJob& job) {
  return fmt::format("{}.csv", job.kind);
}

// An executor's tasks are threads of its own, so that none has a start; of the rest, the part that
// the set-up says.
std::string rules_of(const SparkJob& job, const Setup& setup) {
  const TraceRules rules;
  const JobCosts* const costs = find_job_kind(rules, job.kind);
  TRACEBED_CHECK(costs != nullptr, "the jobs are kinds of the cost table");
  std::string text = "[trace.rules]\nmix.startup = \"0\"\n";
  if (setup.cost == 100) return text;
  const auto add = [&](std::string_view figure, double cost) {
    text += fmt::format("kind.{}.{} = \"{:.6g}\"\n", job.kind, figure, cost * setup.cost / 100);
  };
  add("map_cpu", costs->map_cpu);
  add("map_wait", costs->map_wait);
  add("reduce_base", costs->reduce_base);
  add("reduce_cpu", costs->reduce_cpu);
  add("reduce_wait", costs->reduce_wait);
  return text;
}

// Eight executors on a core of the machine.
std::string real_scale() {
  constexpr int time_scale = 4;
  return fmt::format(
      "[scale]\ntime = {}\ncpu = 8\nmemory = 64\ndata = 64\n\n"
      "[local]\noversubscribe = true  # most of the machines idle\n\n[virtual]\n{}\n",
      time_scale, real_delays(time_scale));
}

// What Spark 2.1 has of an executor's heap for execution and storage (UnifiedMemoryManager:
// spark.memory.fraction, after 300 MB of reserved memory).
int storage_mib_of(int executor_mib) {
  return (executor_mib - 300) * 6 / 10;
}

std::string text_of(const SparkJob& job, const Setup& setup, const SettingValues& settings) {
  std::string text =
      text_without_schedulers(job, setup, settings, {experiment_name(job, setup), trace_name(job)});
  if (setup.is_dynamic) {
    return text +
           fmt::format("\n[[scheduler]]\nlabel = \"{}\"\nname = \"capacity\"\nconfig = \"{}\"\n",
                       dynamic_label, queues_name);
  }
  text += fmt::format("baseline = \"{}\"\n", strategies().front().label);
  for (const PlacedStrategy& strategy : strategies()) {
    if (!setup.real_part.empty() && !strategy.is_in_real_part) continue;
    text += fmt::format("\n[[scheduler]]\nlabel = \"{}\"\n{}", strategy.label, strategy.toml);
  }
  return text;
}

}  // namespace

std::string trace_text(const SparkJob& job, int jobs, const SettingValues& settings) {
  const Choices choices = choices_of(settings);
  std::string text =
      "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n";
  for (int i = 1; i <= jobs; ++i) {
    text += fmt::format("{0}{1},0,{0},{2},{3},{4},1,1024,user,default,\n", job.kind,
                        jobs == 1 ? std::string() : std::to_string(i), block_bytes * blocks, blocks,
                        choices.reduces);
  }
  return text;
}

std::string text_without_schedulers(const SparkJob& job, const Setup& setup,
                                    const SettingValues& settings, const ExperimentFiles& files) {
  const Choices choices = choices_of(settings);
  std::string text = fmt::format(
      "# Du, Lei and Chen: {} on {} executors.\n"
      "name = \"dbd-{}\"\nworld = \"{}\"\n\n[trace]\nfile = \"{}\"\n\n{}\n"
      "[cluster]\nnodes = {}\nvcores = 16\nmemory = \"{} MiB\"\nracks = {}\n"
      "out_of_band_heartbeat = true\n\n",
      job.title, executors, files.name, setup.real_part.empty() ? "virtual" : setup.real_part,
      files.trace, rules_of(job, setup), machines, machine_memory_mib, setup.racks);
  const int executor_mib = machine_memory_mib / setup.capacity;
  text += fmt::format(
      "[masters]\nexecutors = {}\nexecutor_allocation = \"{}\"\nexecutor_milli_vcores = 1000\n"
      "executor_memory_mib = {}\n"
      "executor_cache_mib = {}\nlocality_wait_process_ms = {}\nlocality_wait_node_ms = {}\n"
      "locality_wait_rack_ms = 0\nlost_outputs = \"awaited\"\n\n",
      executors, setup.is_dynamic ? "dynamic" : "fixed", executor_mib,
      setup.real_part.empty() ? storage_mib_of(executor_mib) : 0, setup.wait_ms, setup.wait_ms);
  const std::string disk_rate =
      setup.is_cached ? "unlimited" : fmt::format("{} MiB/s", choices.disk_mib);
  text += fmt::format(
      "[storage]\nreplication = 3\nblock_size = \"128 MiB\"\nplacement = \"{}\"\n{}"
      "disk_rate = \"{}\"\nseek = \"{}\"\nnetwork_rate = \"{} MB/s\"\nshuffle = true\n"
      "output_replication = {}\n\n[storage.namenode]\nsafemode = false\n\n",
      choices.is_placed_as_in_paper ? "same_rack_second" : "default",
      setup.is_written_by_worker ? "writer = \"node3\"\n" : "", disk_rate,
      setup.is_cached ? "0s" : "8ms", 125 * choices.links, choices.output_replicas);
  if (!setup.real_part.empty()) text += real_scale();
  return text + "[compare]\nprimary = \"makespan\"\nnoise = false\n";
}

// Spread and Binpack draw between nodes that are alike, where the schedulers of these names take
// the first by id, which would always be the same machines.
std::span<const PlacedStrategy> strategies() {
  static constexpr std::array<PlacedStrategy, 6> all{
      {{"spread", "Spread",
        "name = \"weighted_priorities\"\npriorities = \"least_used=1\"\n"
        "ties = \"fewest_containers,random\"\n",
        "60", true},
       {"binpack", "Binpack",
        "name = \"weighted_priorities\"\npriorities = \"most_used=1\"\n"
        "ties = \"most_containers,random\"\n",
        "35", true},
       {"random", "Random", "name = \"random\"\n"},
       {"dbd", "DBD", "name = \"dbd\"\n", "90", true},
       {"dbd-if-one", "DBD, if_one", "name = \"dbd\"\ncover = \"if_one\"\n"},
       {"dbd-printed", "DBD as printed", "name = \"dbd\"\norder = \"sorted\"\ncover = \"always\"\n",
        "", true}}};
  return all;
}

std::span<const SparkJob> spark_jobs() {
  static constexpr std::array<SparkJob, 5> all{
      {{"terasort", "TeraSort", "-16.7 %"},
       {"wordcount", "WordCount", "-27 %"},
       {"sort", "Sort", "not stated"},
       {"kmeans", "KMeans", "between Spread and Binpack"},
       {"pagerank", "PageRank", "-7.6 %, of what is not stated"}}};
  return all;
}

const SparkJob& terasort() {
  return spark_jobs().front();
}

std::vector<Setup> grid() {
  std::vector<Setup> setups;
  for (const bool is_written_by_worker : {false, true}) {
    for (const int racks : {1, 2}) {
      for (const int capacity : {4, 8}) {
        for (const int wait_ms : {0, 3'000}) {
          for (const int cost : {100, 1}) {
            setups.push_back({is_written_by_worker, racks, capacity, wait_ms, cost, false});
          }
        }
      }
    }
  }
  return setups;
}

std::vector<Setup> compared_setups() {
  std::vector<Setup> setups;
  for (const int cost : {100, 10, 1, 0}) {
    for (const bool is_cached : {false, true}) {
      Setup& setup = setups.emplace_back(compared_setup);
      setup.cost = cost;
      setup.is_cached = is_cached;
    }
  }
  return setups;
}

std::span<const SparkJob> real_jobs() {
  return spark_jobs().first(2);
}

Setup real_setup(const WorldOfPart& world) {
  Setup setup = compared_setup;
  setup.cost = 10;
  setup.real_part = world.world;
  return setup;
}

Setup dynamic(Setup setup) {
  setup.is_dynamic = true;
  return setup;
}

std::string experiment_name(const SparkJob& job, const Setup& setup) {
  if (!setup.real_part.empty()) return fmt::format("{}-{}", job.kind, setup.real_part);
  return fmt::format("{}-{}-racks{}-cap{}-wait{}-cost{}{}{}", job.kind,
                     setup.is_written_by_worker ? "worker" : "outside", setup.racks, setup.capacity,
                     setup.wait_ms, setup.cost, setup.is_cached ? "-cached" : "",
                     setup.is_dynamic ? "-dynamic" : "");
}

const std::vector<SettingDescription>& settings() {
  static const std::vector<SettingDescription> all{
      {"placement", "hdfs",
       "where replicas are: `hdfs`, by the rule of HDFS 2.7 (second and third in another rack), or "
       "`paper`, as the paper describes it (second in the first's rack, third in another)"},
      {"reduces", "8", "tasks of the second stage, which the paper does not state"},
      {"disk_mib", "100", "MiB/s of each machine's disk, which the paper does not state"},
      {"links", "1", "of 1 Gb/s that carry data; the machines have two"},
      {"output_replicas", "3", "of what jobs write, which the paper does not state"},
  };
  return all;
}

ReproductionPlan plan(const ReproductionRequest& request) {
  ReproductionPlan plan;
  plan.files.push_back({std::string(queues_name), std::string(queues_text)});
  const auto add = [&](const SparkJob& job, const Setup& setup) {
    for (const Setup& each : {setup, dynamic(setup)}) {
      plan.experiments.push_back(
          {experiment_name(job, each), text_of(job, each, request.settings)});
    }
  };
  const std::vector<Setup> of_terasort = grid();
  for (const Setup& setup : of_terasort) add(terasort(), setup);
  for (const SparkJob& job : spark_jobs()) {
    plan.files.push_back({trace_name(job), trace_text(job, 1, request.settings)});
    for (const Setup& setup : compared_setups()) {
      const bool is_in_grid =
          job.kind == terasort().kind &&
          std::find(of_terasort.begin(), of_terasort.end(), setup) != of_terasort.end();
      if (!is_in_grid) add(job, setup);
    }
  }
  add_architectures(request, plan);
  return plan;
}

ReproductionPlan real_plan(const ReproductionRequest& request) {
  ReproductionPlan plan;
  for (const SparkJob& job : real_jobs()) {
    plan.files.push_back({trace_name(job), trace_text(job, 1, request.settings)});
    for (const WorldOfPart& world : worlds_of_real_part) {
      const Setup setup = real_setup(world);
      plan.experiments.push_back(
          {experiment_name(job, setup), text_of(job, setup, request.settings)});
    }
  }
  return plan;
}

}  // namespace tracebed::dbd
