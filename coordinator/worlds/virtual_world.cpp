#include <algorithm>
#include <optional>

#include "applications/hosting/master_host.h"
#include "coordinator/resolving/fault_choice.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "coordinator/worlds/run_log.h"
#include "coordinator/worlds/run_world.h"
#include "protocol/log_file.h"
#include "report/run_json.h"

namespace tracebed {
namespace {

VirtualDatanodeOptions datanode_options(const ResolvedStorage& storage, std::uint64_t seed) {
  // From four heartbeats on a datanode is the first to lose a replica that is too much
  // (BlockManager: dfs.namenode.tolerate.heartbeat.multiplier), and readers avoid stale ones.
  const DatanodeIntervals& intervals = storage.namenode.intervals;
  const Duration almost_stale = intervals.until_stale() - microseconds(1);
  return {.datanodes = storage.datanodes,
          .silence_max = std::min(4 * intervals.heartbeat, almost_stale),
          .block_size = storage.namenode.default_block_size,
          .seed = seed};
}

VirtualOptions virtual_options(const ResolvedExperiment& experiment, std::uint64_t seed) {
  VirtualOptions options;
  options.is_ideal = experiment.simulated.ideal;
  options.heartbeat_period = experiment.cluster.heartbeat;
  options.out_of_band_heartbeat = experiment.cluster.out_of_band_heartbeat;
  options.cpu_enforcement = experiment.cluster.cpu_enforcement;
  const VirtualChoice& simulated = experiment.simulated;
  options.launch_latency = {simulated.launch_latency, simulated.launch_spread};
  options.task_overhead = {simulated.task_overhead, simulated.task_overhead_spread};
  options.swap_cost = simulated.swap_cost;
  options.heartbeat_jitter = {simulated.heartbeat_jitter, simulated.heartbeat_jitter_spread};
  options.node_expiry = experiment.simulated.node_expiry;
  options.checkpoint_time = experiment.simulated.checkpoint_time;
  options.master_startup = {simulated.master_startup, simulated.master_startup_spread};
  options.faults = task_faults(experiment.faults, seed);
  options.virtual_memory = experiment.memory_check;
  options.seed = seed;
  if (experiment.storage_options) {
    options.storage = datanode_options(*experiment.storage_options, seed);
    // The policy looks at what all machines reported last, whatever matters to the scheduler.
    const std::optional<RelocationOptions>& relocation = experiment.relocation.options;
    options.deliver_every_heartbeat = relocation && relocation->for_io;
  }
  return options;
}

void add_counters(const VirtualStorage& storage,
                  std::vector<std::pair<std::string, std::uint64_t>>& counters) {
  const VirtualDatanodeCounters& datanodes = storage.datanodes().counters();
  const auto add = [&](const char* name, auto count) {
    counters.emplace_back(name, static_cast<std::uint64_t>(count));
  };
  add("datanode_heartbeats", datanodes.heartbeats);
  add("replicas_transferred", datanodes.transfers);
  add("replicas_not_transferred", datanodes.transfers_lost);
  add("replicas_deleted", datanodes.deletions);
  add("replica_bytes_transferred", datanodes.bytes_transferred);
}

class VirtualWorld final : public RunWorld {
 public:
  explicit VirtualWorld(const WorldPlan& plan)
      : fleet_(virtual_options(plan.experiment, plan.seed), plan.machines, plan.changes) {
    fleet_.warn_by(plan.warn);
    const ResolvedMasters& masters = plan.experiment.masters;
    if (masters.containers) {
      hosts_masters_ = true;
      fleet_.host_masters(make_master_host(masters.options, plan.seed,
                                           masters.containers->heartbeat_interval,
                                           master_faults(plan.experiment.faults, plan.seed)));
    }
    if (!plan.experiment.log.keep) return;
    // A virtual run that is lost can be run again, so nothing is gained by a log that is synced.
    log_.emplace((plan.folder / round_log_file).string(), plan.run, plan.names,
                 LogDurability::buffered, compression_of(plan.experiment.log),
                 checksum_.observer());
  }

  void arrived(const Round& /*round*/) override {}
  void commanded(std::span<const Command> /*commands*/) override {}
  Fleet& fleet() override { return fleet_; }
  RoundLog* log() override { return log_ ? &*log_ : nullptr; }
  std::optional<FileChecksum> log_checksum() const override {
    if (!log_) return std::nullopt;
    return checksum_.checksum();
  }
  RecordSink* records() override { return nullptr; }
  std::string isolation() const override { return "modelled"; }
  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    std::vector<std::pair<std::string, std::uint64_t>> counters;
    if (hosts_masters_) counters.emplace_back("messages_garbage", fleet_.garbage());
    if (fleet_.storage() != nullptr) add_counters(*fleet_.storage(), counters);
    return counters;
  }
  std::vector<MachineLoad> machine_loads() const override { return {}; }
  std::optional<ReadBytes> served_bytes() const override {
    if (fleet_.storage() == nullptr) return std::nullopt;
    return fleet_.storage()->reads().sent();
  }
  void serve(const Namenode& /*namenode*/) override {}
  DecisionThreads* decision_threads() override { return nullptr; }
  void end_service() override {}
  void look_at(const StorageView& namenode) override { fleet_.look_at(namenode); }
  void crash(NodeId node, TraceTime now, bool /*comes_back*/) override {
    fleet_.schedule({now, node, false});
  }
  void bring_back(NodeId node, TraceTime now) override { fleet_.schedule({now, node, true}); }
  void close() override {
    if (log_) log_->finish();
  }
  void give_up() override { close(); }

 private:
  VirtualFleet fleet_;
  bool hosts_masters_ = false;
  LogChecksum checksum_;
  std::optional<LogFileWriter> log_;
};

}  // namespace

std::unique_ptr<RunWorld> make_virtual_world(const WorldPlan& plan) {
  return std::make_unique<VirtualWorld>(plan);
}

}  // namespace tracebed
