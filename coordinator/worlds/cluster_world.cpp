#include <fmt/format.h>

#include "coordinator/monitoring/run_observer.h"
#include "coordinator/real/agent_roster.h"
#include "coordinator/real/scheduler_threads.h"
#include "coordinator/worlds/real_world.h"
#include "coordinator/worlds/run_world.h"
#include "coordinator/worlds/storage_desk.h"
#include "core/check.h"
#include "core/input_error.h"
#include "system/processor_load.h"

namespace tracebed {
namespace {

// Agents end the run's containers before they say goodbye.
constexpr std::chrono::seconds end_timeout{10};

const HostedStorage& storage_of(const WorldPlan& plan) {
  if (plan.host.storage) return *plan.host.storage;
  throw EnvironmentError(
      "the experiment has [storage], but this coordinator serves no HDFS clients: expected the "
      "table [storage] in its configuration file");
}

bool needs_outputs_of(const WorldPlan& plan) {
  const auto& storage = plan.experiment.storage_options;
  return storage && storage->namenode.shuffle;
}

void warn_of_agents_without_outputs(const WorldPlan& plan) {
  if (!needs_outputs_of(plan)) return;
  for (const std::string& agent : plan.host.roster->without_outputs()) {
    plan.warn(fmt::format(
        "agent {} is left out: the run has a shuffle, and it keeps no outputs ([shuffle] in its "
        "agent.toml)",
        agent));
  }
}

RealFleetOptions cluster_fleet_options(const WorldPlan& plan, SchedulerThreads& threads) {
  RealFleetOptions options = fleet_options(plan);
  options.scheduler_threads = &threads;
  if (plan.experiment.storage_options) {
    const HostedStorage& hosted = storage_of(plan);
    options.storage = real_storage(plan, *hosted.gate, *hosted.orders, hosted.namenode);
    if (plan.experiment.storage_options->datanodes.rack_rate) {
      plan.warn("storage.rack_rate has no effect here: a cluster's racks have their own uplinks");
    }
  }
  options.silence_max = plan.experiment.agents.lost_after;
  options.take_log = plan.host.roster->take_log();
  options.orphan_grace = plan.experiment.agents.orphan_grace;
  options.time_limit_factor = plan.experiment.agents.time_limit_factor;
  options.time_limit_minimum = plan.experiment.agents.time_limit_minimum;
  AgentRoster& roster = *plan.host.roster;
  options.note_bystander = [&roster](const wire::Hello& hello) { roster.note_hello(hello); };
  options.note_idle_datanode = [&roster](const wire::DatanodeHello& hello) {
    roster.note_hello(hello);
  };
  const bool needs_outputs = needs_outputs_of(plan);
  options.is_kept_out = [&roster, needs_outputs](const wire::Hello& hello) {
    return roster.is_drained(hello.agent) || (needs_outputs && !hello.keeps_outputs);
  };
  return options;
}

AgentRoster& roster_of(const WorldPlan& plan) {
  TRACEBED_CHECK(plan.host.roster != nullptr, "a cluster's machines come from its roster");
  return *plan.host.roster;
}

const std::string& redis_of(const WorldPlan& plan) {
  const std::string& chosen = plan.experiment.log.redis;
  return chosen.empty() ? plan.host.redis : chosen;
}

ProcessorTimes times_of(const wire::ProcessorSums& sums) {
  const auto seconds_of = [](std::int64_t us) { return static_cast<double>(us) * 1e-6; };
  return {.busy = seconds_of(sums.busy_us),
          .stolen = seconds_of(sums.stolen_us),
          .idle = seconds_of(sums.idle_us),
          .own = seconds_of(sums.own_us)};
}

// The agents stay when the run ends. The socket goes back to the roster after the fleet has ended.
class ClusterWorld final : public RunWorld {
 public:
  explicit ClusterWorld(const WorldPlan& plan)
      : warn_(plan.warn),
        log_(plan, redis_of(plan), plan.host.redis_login),
        loan_(roster_of(plan)),
        fleet_(cluster_fleet_options(plan, scheduler_threads_), plan.machines, plan.warn,
               loan_.socket()),
        machines_(plan.machines),
        roster_(roster_of(plan)) {
    warn_of_agents_without_outputs(plan);
    fleet_.wait_for_agents(
        plan.experiment.agents.timeout,
        [&] {
          if (!plan.should_continue()) throw RunInterrupted();
        },
        plan.experiment.agents.count_min);
    if (plan.experiment.storage_options) {
      fleet_.wait_for_datanodes(plan.experiment.agents.timeout, [&] {
        if (!plan.should_continue()) throw RunInterrupted();
      });
      served_.emplace(*plan.host.storage->gate, plan.run, fleet_.clock());
    }
    warn_of_conditions(plan, fleet_);
  }
  ~ClusterWorld() override { end_run("the run was abandoned"); }

  void arrived(const Round& round) override {
    log_.views().arrived(round);
    keep_drains(round);
  }
  void commanded(std::span<const Command> commands) override {
    log_.views().commanded(commands);
    note_agents();
  }
  Fleet& fleet() override { return fleet_; }
  RoundLog* log() override { return &log_.rounds(); }
  std::optional<FileChecksum> log_checksum() const override { return log_.checksum(); }
  RecordSink* records() override { return &log_.views(); }
  std::string isolation() const override { return std::string(name(fleet_.isolation())); }
  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return counters_of(fleet_);
  }
  std::vector<MachineLoad> machine_loads() const override {
    std::vector<MachineLoad> loads;
    for (const AgentRecord& agent : fleet_.agents()) {
      if (!agent.processors) continue;
      loads.push_back({agent.machine.name, load_between(times_of(*agent.processors_before),
                                                        times_of(*agent.processors))});
    }
    return loads;
  }

  std::optional<ReadBytes> served_bytes() const override { return served_bytes_of(fleet_); }
  void look_at(const StorageView& /*namenode*/) override {}
  void serve(const Namenode& namenode) override { served_->serve(namenode); }
  DecisionThreads* decision_threads() override { return &scheduler_threads_; }
  void end_service() override {
    scheduler_threads_.stop();
    if (served_) served_->close("the run has ended");
  }
  // An experiment for it has no crashes (disturbance_tables.h).
  void crash(NodeId, TraceTime, bool) override {
    TRACEBED_CHECK(false, "a run cannot crash the hosts of a cluster");
  }
  void bring_back(NodeId, TraceTime) override {
    TRACEBED_CHECK(false, "a run cannot start the hosts of a cluster");
  }

  void close() override {
    log_.finish();
    warn_of_what_was_refused(warn_, fleet_);
    end_run("the run has ended");
  }
  void give_up() override {
    log_.finish_copy();
    warn_of_what_was_refused(warn_, fleet_);
    end_run("the run has failed");
  }

 private:
  // An agent that is drained while a run is in progress stays drained when it has ended.
  void keep_drains(const Round& round) {
    for (const Arrival& arrival : round.arrivals) {
      const auto* command = std::get_if<AdministratorCommand>(&arrival);
      if (command == nullptr || command->kind == AdministratorCommandKind::move) continue;
      if (command->node.index() >= machines_.size()) continue;
      const std::string& agent = machines_[command->node.index()].name;
      try {
        roster_.set_drained(agent, command->kind == AdministratorCommandKind::drain);
      } catch (const EnvironmentError& error) {
        warn_(fmt::format("the drained state of {} could not be saved: {}", agent, error.what()));
      }
    }
  }

  // The state of the agents that the fleet has borrowed, now and then.
  void note_agents() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_note_) return;
    next_note_ = now + std::chrono::seconds(1);
    roster_.note(fleet_.agents());
    if (fleet_.datanodes() != nullptr) roster_.note_datanodes(fleet_.datanodes()->records());
  }

  void end_run(const std::string& reason) {
    if (has_ended_) return;
    has_ended_ = true;
    end_service();
    fleet_.announce_end(reason);
    if (fleet_.wait_for_goodbyes(end_timeout)) return;
    warn_(
        "an agent did not confirm the end of the run; it will kill its containers when it "
        "reconnects");
  }

  std::function<void(const std::string&)> warn_;
  RealWorldLog log_;
  AgentRoster::Loan loan_;
  SchedulerThreads scheduler_threads_;
  RealFleet fleet_;
  const std::vector<Machine>& machines_;
  AgentRoster& roster_;
  std::chrono::steady_clock::time_point next_note_{};
  std::optional<ServedNamenode> served_;  // of a run with storage
  bool has_ended_ = false;
};

}  // namespace

std::unique_ptr<RunWorld> make_cluster_world(const WorldPlan& plan) {
  return std::make_unique<ClusterWorld>(plan);
}

}  // namespace tracebed
