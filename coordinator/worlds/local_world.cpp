#include <fmt/format.h>

#include "coordinator/monitoring/run_observer.h"
#include "coordinator/namenode_server/namenode_servers.h"
#include "coordinator/real/agent_roster.h"
#include "coordinator/real/local_cluster.h"
#include "coordinator/real/local_datanodes.h"
#include "coordinator/real/local_storage_folder.h"
#include "coordinator/real/scheduler_threads.h"
#include "coordinator/real/wall_rate.h"
#include "coordinator/worlds/real_world.h"
#include "coordinator/worlds/run_world.h"
#include "coordinator/worlds/storage_desk.h"
#include "system/processor_load.h"

namespace tracebed {
namespace {

constexpr std::chrono::seconds local_start_timeout{30};
constexpr std::chrono::seconds goodbye_timeout{5};

// Of a run with storage: where its namenode's clients come in, and its datanodes.
struct LocalStorage {
  explicit LocalStorage(const WorldPlan& plan)
      : servers(gate, orders, server_options(plan.experiment.storage)) {}

  static NamenodeServersOptions server_options(const StorageChoice& choice) {
    NamenodeServersOptions options;
    options.rpc.port = choice.rpc_port;
    options.web.port = choice.http_port;
    options.administration.port = choice.thrift_port;
    return options;
  }
  std::string namenode() const { return fmt::format("127.0.0.1:{}", servers.rpc().port()); }
  // For people who want to look at it.
  std::string addresses() const {
    return fmt::format(
        "HDFS: HADOOP_NAMENODE={}; WebHDFS at http://127.0.0.1:{}/webhdfs/v1/; "
        "Thrift at 127.0.0.1:{}",
        namenode(), servers.web().port(), servers.administration().port());
  }

  StorageGate gate;
  DatanodeOrderQueue orders;
  NamenodeServers servers;
};

std::unique_ptr<LocalStorage> make_storage(const WorldPlan& plan) {
  if (!plan.experiment.storage_options) return nullptr;
  return std::make_unique<LocalStorage>(plan);
}

LocalDatanodeOptions datanode_options(const WorldPlan& plan, const RealFleet& fleet) {
  const DatanodeOptions& datanodes = plan.experiment.storage_options->datanodes;
  LocalDatanodeOptions options;
  options.run = plan.run;
  options.coordinator = fleet.endpoint();
  options.links = fleet.links();
  options.programs = plan.host.programs;
  options.logs = plan.folder / "agents";
  options.isolation = plan.experiment.local.isolation;
  options.store = datanodes.store;
  options.capacity = datanodes.capacity;
  options.socket_timeout = datanodes.socket_timeout;
  return options;
}

RealFleetOptions local_fleet_options(const WorldPlan& plan, SchedulerThreads& threads,
                                     LocalStorage* storage) {
  RealFleetOptions options = fleet_options(plan);
  options.scheduler_threads = &threads;
  if (storage != nullptr) {
    options.storage = real_storage(plan, storage->gate, storage->orders, storage->namenode());
  }
  options.are_speeds_emulated = true;
  options.silence_max = plan.experiment.local.agent_lost_after;
  options.time_limit_factor = plan.experiment.local.time_limit_factor;
  options.time_limit_minimum = plan.experiment.local.time_limit_minimum;
  return options;
}

std::unique_ptr<LocalStorageFolder> make_folder(const WorldPlan& plan, const RealFleet& fleet) {
  if (!plan.experiment.storage_options) return nullptr;
  const auto rack_rate = plan.experiment.storage_options->datanodes.rack_rate;
  return std::make_unique<LocalStorageFolder>(plan.machines, wall_rate(rack_rate, fleet.clock()));
}

LocalClusterOptions cluster_options(const WorldPlan& plan, const RealFleet& fleet,
                                    const LocalStorageFolder* folder) {
  LocalClusterOptions options;
  options.run = plan.run;
  options.coordinator = fleet.endpoint();
  options.links = fleet.links();
  options.programs = plan.host.programs;
  options.logs = plan.folder / "agents";
  options.isolation = plan.experiment.local.isolation;
  options.oversubscribe = plan.experiment.local.oversubscribe;
  options.storage = folder;
  std::filesystem::create_directories(options.logs);
  return options;
}

// Members are destroyed from the last to the first: the agents end before the fleet that they speak
// to, and both before Redis.
class LocalWorld final : public RunWorld {
 public:
  explicit LocalWorld(const WorldPlan& plan)
      : warn_(plan.warn),
        note_(plan.note),
        log_(plan, plan.experiment.log.redis, {}),
        storage_(make_storage(plan)),
        fleet_(local_fleet_options(plan, scheduler_threads_, storage_.get()), plan.machines,
               plan.warn),
        folder_(make_folder(plan, fleet_)),
        cluster_(cluster_options(plan, fleet_, folder_.get()), plan.machines) {
    const auto look = [&] {
      cluster_.look();
      if (datanodes_) datanodes_->look();
      if (!plan.should_continue()) throw RunInterrupted();
    };
    if (storage_) {
      datanodes_.emplace(datanode_options(plan, fleet_), plan.machines, *folder_);
      served_.emplace(storage_->gate, plan.run, fleet_.clock());
    }
    fleet_.wait_for_agents(local_start_timeout, look);
    if (storage_) fleet_.wait_for_datanodes(local_start_timeout, look);
    fleet_.watch([this] { return find_deaths(); });
    if (cluster_.is_oversubscribed()) {
      warn_("the local agents offer more than this machine has (local.oversubscribe)");
    }
    warn_of_conditions(plan, fleet_);
  }

  void arrived(const Round& round) override { log_.views().arrived(round); }
  void commanded(std::span<const Command> commands) override { log_.views().commanded(commands); }
  Fleet& fleet() override { return fleet_; }
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

  std::optional<ReadBytes> served_bytes() const override { return served_bytes_of(fleet_); }
  void look_at(const StorageView& /*namenode*/) override {}
  void serve(const Namenode& namenode) override {
    served_->serve(namenode);
    if (note_) note_(storage_->addresses());
  }
  DecisionThreads* decision_threads() override { return &scheduler_threads_; }
  void end_service() override {
    scheduler_threads_.stop();
    if (served_) served_->close("the run has ended");
  }
  void crash(NodeId node, TraceTime /*now*/, bool comes_back) override {
    cluster_.crash(node.index(), comes_back);
    if (datanodes_) datanodes_->crash(node.index());
  }
  void bring_back(NodeId node, TraceTime /*now*/) override {
    cluster_.bring_back(node.index());
    if (datanodes_) datanodes_->bring_back(node.index());
  }

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
  // The namenode learns of a datanode's end as of any other's: from its heartbeats.
  std::vector<AgentDeath> find_deaths() {
    if (!datanodes_) return cluster_.find_deaths();
    for (const LocalDatanodes::End& end : datanodes_->find_ends()) {
      fleet_.forget_datanode(end.node);
      if (end.is_expected || (is_over_ && end.is_success)) continue;
      warn_(fmt::format("the datanode of {} {}", fleet_.agents()[end.node.index()].machine.name,
                        end.how));
    }
    return cluster_.find_deaths();
  }

  void end_agents(const std::string& reason) {
    end_service();
    is_over_ = true;
    fleet_.announce_end(reason);
    fleet_.wait_for_goodbyes(goodbye_timeout);  // stop() reports who did not end
    if (datanodes_) datanodes_->stop(warn_);
    cluster_.stop(warn_);
    if (folder_) folder_->remove(warn_);
  }

  std::function<void(const std::string&)> warn_;
  std::function<void(const std::string&)> note_;  // may be empty
  const std::optional<ProcessorTimes> times_before_ = read_processor_times();
  RealWorldLog log_;
  std::unique_ptr<LocalStorage> storage_;  // null without [storage], as the next two
  SchedulerThreads scheduler_threads_;
  RealFleet fleet_;
  std::unique_ptr<LocalStorageFolder> folder_;  // as storage_
  LocalCluster cluster_;
  std::optional<LocalDatanodes> datanodes_;
  std::optional<ServedNamenode> served_;
  bool is_over_ = false;  // it was announced, and agents and datanodes end by themselves
};

}  // namespace

std::unique_ptr<RunWorld> make_local_world(const WorldPlan& plan) {
  return std::make_unique<LocalWorld>(plan);
}

}  // namespace tracebed
