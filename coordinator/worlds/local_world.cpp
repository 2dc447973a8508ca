#include "coordinator/monitoring/run_observer.h"
#include "coordinator/real/agent_roster.h"
#include "coordinator/real/local_cluster.h"
#include "coordinator/worlds/real_world.h"
#include "coordinator/worlds/run_world.h"
#include "system/processor_load.h"

namespace tracebed {
namespace {

constexpr std::chrono::seconds local_start_timeout{30};
constexpr std::chrono::seconds goodbye_timeout{5};

RealFleetOptions local_fleet_options(const WorldPlan& plan) {
  RealFleetOptions options = fleet_options(plan);
  options.are_speeds_emulated = true;
  options.silence_max = plan.experiment.local.agent_lost_after;
  options.time_limit_factor = plan.experiment.local.time_limit_factor;
  options.time_limit_minimum = plan.experiment.local.time_limit_minimum;
  return options;
}

LocalClusterOptions cluster_options(const WorldPlan& plan, const RealFleet& fleet) {
  LocalClusterOptions options;
  options.run = plan.run;
  options.coordinator = fleet.endpoint();
  options.links = fleet.links();
  options.programs = plan.host.programs;
  options.logs = plan.folder / "agents";
  options.isolation = plan.experiment.local.isolation;
  options.oversubscribe = plan.experiment.local.oversubscribe;
  std::filesystem::create_directories(options.logs);
  return options;
}

// Members are destroyed from the last to the first: the agents end before the fleet that they speak
// to, and both before Redis.
class LocalWorld final : public RunWorld {
 public:
  explicit LocalWorld(const WorldPlan& plan)
      : warn_(plan.warn),
        log_(plan, plan.experiment.log.redis, {}),
        fleet_(local_fleet_options(plan), plan.machines, plan.warn),
        viewed_fleet_(fleet_, log_.views()),
        cluster_(cluster_options(plan, fleet_), plan.machines) {
    fleet_.wait_for_agents(local_start_timeout, [&] {
      cluster_.look();
      if (!plan.goes_on()) throw RunInterrupted();
    });
    fleet_.watch([this] { return cluster_.find_deaths(); });
    if (cluster_.is_oversubscribed()) {
      warn_("the local agents offer more than this machine has (local.oversubscribe)");
    }
    warn_of_conditions(plan, fleet_);
  }

  Fleet& fleet() override { return viewed_fleet_; }
  RoundLog* log() override { return &log_.rounds(); }
  std::optional<FileChecksum> log_checksum() const override { return log_.checksum(); }
  RecordSink* records() override { return &log_.views(); }
  std::string isolation() const override {
    const std::string isolation = std::string(name(fleet_.isolation()));
    return cluster_.is_oversubscribed() ? isolation + ", oversubscribed" : isolation;
  }
  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return counters_of(fleet_);
  }
  // Of this machine: its agents and their tasks have ended, and are this program's own by then.
  std::vector<MachineLoad> machine_loads() const override {
    const std::optional<ProcessorTimes> now = read_processor_times();
    if (!times_before_ || !now) return {};
    return {{"localhost", load_between(*times_before_, *now)}};
  }

  void crash(NodeId node, TraceTime /*now*/, bool comes_back) override {
    cluster_.crash(node.index(), comes_back);
  }
  void bring_back(NodeId node, TraceTime /*now*/) override { cluster_.bring_back(node.index()); }

  void close() override {
    log_.finish();
    warn_of_what_was_refused(warn_, fleet_);
    end_agents("the run has ended");
  }
  void give_up() override {
    log_.finish_copy();
    warn_of_what_was_refused(warn_, fleet_);
    end_agents("the run has failed");
  }

 private:
  void end_agents(const std::string& reason) {
    fleet_.announce_end(reason);
    fleet_.wait_for_goodbyes(goodbye_timeout);  // stop() tells who did not end
    cluster_.stop(warn_);
  }

  std::function<void(const std::string&)> warn_;
  const std::optional<ProcessorTimes> times_before_ = read_processor_times();
  RealWorldLog log_;
  RealFleet fleet_;
  ViewedFleet viewed_fleet_;
  LocalCluster cluster_;
};

}  // namespace

std::unique_ptr<RunWorld> make_local_world(const WorldPlan& plan) {
  return std::make_unique<LocalWorld>(plan);
}

}  // namespace tracebed
