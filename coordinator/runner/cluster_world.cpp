#include "coordinator/real/agent_roster.h"
#include "coordinator/runner/real_world.h"
#include "coordinator/runner/run_world.h"
#include "core/check.h"

namespace tracebed {
namespace {

// Agents that the roster told of the run come at once; one that was just started again asks every
// eight seconds at the most.
constexpr std::chrono::seconds start_patience{30};
// Agents end the run's containers before they say goodbye.
constexpr std::chrono::seconds end_patience{10};

RealFleetOptions cluster_fleet_options(const WorldPlan& plan) {
  RealFleetOptions options = fleet_options(plan);
  options.silence_max = plan.experiment.agents.lost_after;
  options.take_log = plan.host.roster->take_log();
  options.orphan_grace = plan.experiment.agents.orphan_grace;
  options.time_limit_factor = plan.experiment.agents.time_limit_factor;
  options.time_limit_minimum = plan.experiment.agents.time_limit_minimum;
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

// A fleet that tells the roster now and then how the agents are that it borrowed.
class ToldFleet final : public Fleet {
 public:
  // All outlive this.
  ToldFleet(Fleet& fleet, const RealFleet& agents, AgentRoster& roster)
      : fleet_(fleet), agents_(agents), roster_(roster) {}

  void execute(std::span<const Command> commands, const HeartbeatInterest& interest) override {
    fleet_.execute(commands, interest);
  }
  void wait_until(TraceTime deadline, Round& round) override {
    fleet_.wait_until(deadline, round);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::seconds(1);
    roster_.note(agents_.agents());
  }
  bool expects_changes() const override { return fleet_.expects_changes(); }

 private:
  Fleet& fleet_;
  const RealFleet& agents_;
  AgentRoster& roster_;
  std::chrono::steady_clock::time_point next_{};
};

// The agents stay when the run ends. The socket goes back to the roster after the fleet has ended.
class ClusterWorld final : public RunWorld {
 public:
  explicit ClusterWorld(const WorldPlan& plan)
      : warn_(plan.warn),
        log_(plan, redis_of(plan), plan.host.redis_login),
        loan_(roster_of(plan)),
        fleet_(cluster_fleet_options(plan), plan.machines, plan.warn, loan_.socket()),
        viewed_fleet_(fleet_, log_.views()),
        told_fleet_(viewed_fleet_, fleet_, roster_of(plan)) {
    fleet_.wait_for_agents(start_patience, [&] {
      if (!plan.goes_on()) throw RunInterrupted();
    });
    warn_of_conditions(plan, fleet_);
  }
  ~ClusterWorld() override { end_run("the run was left"); }

  Fleet& fleet() override { return told_fleet_; }
  RoundLog* log() override { return &log_.rounds(); }
  RecordSink* records() override { return &log_.views(); }
  std::string isolation() const override { return std::string(name(fleet_.isolation())); }
  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return counters_of(fleet_);
  }

  // An experiment for it has no crashes (disturbance_tables.h).
  void crash(NodeId, TraceTime, bool) override {
    TRACEBED_CHECK(false, "a cluster's hosts are not a run's to fail");
  }
  void bring_back(NodeId, TraceTime) override {
    TRACEBED_CHECK(false, "a cluster's hosts are not a run's to start");
  }

  void close() override {
    log_.finish();
    end_run("the run has ended");
  }
  void give_up() override {
    log_.finish_copy();
    end_run("the run has failed");
  }

 private:
  void end_run(const std::string& reason) {
    if (has_ended_) return;
    has_ended_ = true;
    fleet_.announce_end(reason);
    if (fleet_.wait_for_goodbyes(end_patience)) return;
    warn_("an agent has not said goodbye; it ends what it runs when it is heard of again");
  }

  std::function<void(const std::string&)> warn_;
  RealWorldLog log_;
  AgentRoster::Loan loan_;
  RealFleet fleet_;
  ViewedFleet viewed_fleet_;
  ToldFleet told_fleet_;
  bool has_ended_ = false;
};

}  // namespace

std::unique_ptr<RunWorld> make_cluster_world(const WorldPlan& plan) {
  return std::make_unique<ClusterWorld>(plan);
}

}  // namespace tracebed
