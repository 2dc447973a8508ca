// The defaults that people read (coordinator/config/experiment_keys.h) are those that hold.
#include <gtest/gtest.h>
#include <tuple>

#include "coordinator/config/experiment_keys.h"
#include "coordinator/config/load_experiment.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

constexpr const char* least_text = R"(
name = "least"
world = "virtual"
schedulers = ["fifo"]
trace.file = "jobs.tsv"
cluster = { nodes = 4, vcores = 2, memory = "8 GiB" }
)";

// Every value that a key with a default sets.
auto general_values(const Experiment& e) {
  const TraceChoice& t = e.trace;
  return std::tuple(e.seed, e.paranoid, e.master.in_containers, t.skip_bad_lines, e.replay.mode,
                    e.replay.speed, e.replay.think_time, e.vary.submit_times, e.vary.run_times,
                    e.compare.primary, e.compare.matters_from, e.compare.noise_time,
                    e.log.durability, e.log.keep);
}

auto scale_values(const Experiment& e) {
  const ScaleChoice& s = e.scale;
  return std::tuple(s.time, s.cpu, s.memory, s.data, s.machines, s.thin, s.stretch, s.tasks,
                    s.keep_load);
}

auto cluster_values(const Experiment& e) {
  const Machine& machine = e.cluster.machines.back();
  return std::tuple(machine.rack, machine.speed, e.cluster.heartbeat,
                    e.cluster.out_of_band_heartbeat, e.cluster.limit_vcores,
                    e.cluster.cpu_enforcement);
}

auto world_values(const Experiment& e) {
  const VirtualChoice& v = e.simulated;
  const LocalChoice& l = e.local;
  const AgentsChoice& a = e.agents;
  return std::tuple(
      v.ideal, v.launch_latency, v.launch_spread, v.task_overhead, v.task_overhead_spread,
      v.swap_cost, v.heartbeat_jitter, v.heartbeat_jitter_spread, v.node_expiry, v.checkpoint_time,
      v.master_startup, v.master_startup_spread, v.trace_memory_bytes, l.oversubscribe, l.isolation,
      l.agent_lost_after, l.time_limit_factor, l.time_limit_minimum, a.count_min, a.timeout,
      a.lost_after, a.orphan_grace, a.time_limit_factor, a.time_limit_minimum);
}

auto fault_values(const Experiment& e) {
  const FaultChoice& f = e.faults;
  const MasterContainerOptions& m = e.master.container;
  return std::tuple(f.ignored_checkpoints, f.exceeded_memory, f.of_masters(), m.demand,
                    m.attempts_max, m.heartbeat_interval, m.expiry, m.allocation_expiry);
}

auto storage_values(const Experiment& e) {
  const StorageChoice& s = e.storage;
  return std::tuple(s.replication, s.block_size, s.placement, s.datanodes, s.rpc_port, s.http_port,
                    s.thrift_port, s.topology.script_args, s.topology.script_timeout);
}

void expect_equal(const Experiment& a, const Experiment& b, const std::string& key) {
  EXPECT_TRUE(general_values(a) == general_values(b)) << key;
  EXPECT_TRUE(scale_values(a) == scale_values(b)) << key;
  EXPECT_TRUE(cluster_values(a) == cluster_values(b)) << key;
  EXPECT_TRUE(world_values(a) == world_values(b)) << key;
  EXPECT_TRUE(fault_values(a) == fault_values(b)) << key;
  EXPECT_TRUE(storage_values(a) == storage_values(b)) << key;
}

// "10 in the virtual world" and the like are words.
bool is_toml(std::string_view default_value) {
  return default_value == "true" || default_value == "false" || default_value.starts_with('"') ||
         default_value.find_first_not_of("0123456789.") == std::string_view::npos;
}

// What a key needs beside it to be allowed.
std::vector<Override> beside(const std::string& key) {
  if (key.starts_with("master_container.")) return {{"test", "am", "container"}};
  if (key.starts_with("storage.topology_script_")) {
    return {{"test", "storage.topology_script", "topology.sh"}};
  }
  if (key == "replay.think_time") return {{"test", "replay.mode", "think_time"}};
  return {};
}

TEST(KeyTexts, HaveTheDefaultThatHoldsWithoutTheKey) {
  const TemporaryFolder folder;
  folder.write("jobs.tsv", "job0\t0\t0\t1\t0\t0\n");
  const std::filesystem::path file = folder.write("least.toml", least_text);
  std::size_t keys = 0;
  for (const KeySection& section : experiment_keys()) {
    const std::optional<std::string> prefix = prefix_of(section);
    if (!prefix || !section.table.ends_with(section.table.starts_with('[') ? "]" : "level")) {
      continue;  // lists of tables, and machines from a file
    }
    for (const KeyText& text : section.keys) {
      if (!is_toml(text.default_value)) continue;
      const std::string key = *prefix + std::string(text.name);
      std::vector<Override> overrides = beside(key);
      const Experiment without = load_experiment(file, std::nullopt, overrides);
      overrides.push_back({"test", key, std::string(text.default_value)});
      expect_equal(load_experiment(file, std::nullopt, overrides), without, key);
      ++keys;
    }
  }
  EXPECT_GE(keys, 50U);
}

}  // namespace
}  // namespace tracebed
