#include <optional>

#include "applications/hosting/master_host.h"
#include "coordinator/resolving/fault_choice.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "coordinator/worlds/log_checksum.h"
#include "coordinator/worlds/run_world.h"
#include "protocol/log_file.h"
#include "report/run_json.h"

namespace tracebed {
namespace {

VirtualOptions virtual_options(const ResolvedExperiment& experiment, std::uint64_t seed) {
  VirtualOptions options;
  options.is_ideal = experiment.simulated.ideal;
  options.heartbeat_period = experiment.cluster.heartbeat;
  options.out_of_band_heartbeat = experiment.cluster.out_of_band_heartbeat;
  options.launch_latency_median = experiment.simulated.launch_latency;
  options.launch_latency_spread = experiment.simulated.launch_spread;
  options.node_expiry = experiment.simulated.node_expiry;
  options.checkpoint_time = experiment.simulated.checkpoint_time;
  options.faults = task_faults(experiment.faults, seed);
  options.virtual_memory = experiment.memory_check;
  options.seed = seed;
  return options;
}

class VirtualWorld final : public RunWorld {
 public:
  explicit VirtualWorld(const WorldPlan& plan)
      : fleet_(virtual_options(plan.experiment, plan.seed), plan.machines, plan.changes) {
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
                 LogDurability::buffered, checksum_.observer());
  }

  Fleet& fleet() override { return fleet_; }
  RoundLog* log() override { return log_ ? &*log_ : nullptr; }
  std::optional<FileChecksum> log_checksum() const override {
    if (!log_) return std::nullopt;
    return checksum_.checksum();
  }
  RecordSink* records() override { return nullptr; }
  std::string isolation() const override { return "modelled"; }
  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    if (!hosts_masters_) return {};
    return {{"messages_garbage", fleet_.garbage()}};
  }
  std::vector<MachineLoad> machine_loads() const override { return {}; }
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
