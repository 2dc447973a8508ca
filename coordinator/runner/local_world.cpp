#include <optional>

#include "coordinator/real/local_cluster.h"
#include "coordinator/real/private_redis.h"
#include "coordinator/real/real_fleet.h"
#include "coordinator/real/redis_round_log.h"
#include "coordinator/real/redis_views.h"
#include "coordinator/real/round_log_tee.h"
#include "coordinator/runner/choices.h"
#include "coordinator/runner/master_choice.h"
#include "coordinator/runner/run_world.h"
#include "core/input_error.h"
#include "protocol/log_file.h"

namespace tracebed {
namespace {

constexpr std::chrono::seconds start_patience{30};
constexpr std::chrono::seconds end_patience{5};

RealFleetOptions fleet_options(const WorldPlan& plan) {
  RealFleetOptions options;
  options.run = plan.run;
  options.time_scale = plan.experiment.scale.time;
  options.heartbeat_period = plan.experiment.cluster.heartbeat;
  options.out_of_band_heartbeat = plan.experiment.cluster.out_of_band_heartbeat;
  options.silence_max = plan.experiment.local.agent_lost_after;
  options.time_limit_factor = plan.experiment.local.time_limit_factor;
  options.time_limit_minimum = plan.experiment.local.time_limit_minimum;
  if (const auto masters = container_masters(plan.experiment)) {
    options.masters.settings = to_record(complete_master_settings(plan.experiment.masters));
    options.masters.seed = plan.seed;
    options.masters.heartbeat_interval = masters->heartbeat_interval;
    options.masters.expiry = masters->expiry;
  }
  return options;
}

LocalClusterOptions cluster_options(const WorldPlan& plan, const std::string& endpoint) {
  LocalClusterOptions options;
  options.run = plan.run;
  options.coordinator = endpoint;
  options.programs = plan.host.programs;
  options.logs = plan.folder / "agents";
  options.isolation = plan.experiment.local.isolation;
  options.oversubscribe = plan.experiment.local.oversubscribe;
  std::filesystem::create_directories(options.logs);
  return options;
}

// A log without a run record is of a run that could not be started, and in nobody's way.
std::string free_log_file(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / round_log_file;
  std::filesystem::remove(file);
  return file.string();
}

// What the durability that the user chose asks of the log's writer. With `every_second`, what Redis
// loses in a second is lost whether it was waited for or not.
RedisDurability durability_of(LogChoice::Durability durability) {
  return durability == LogChoice::Durability::always ? RedisDurability::acknowledged
                                                     : RedisDurability::sent;
}

RedisPersistence persistence_of(LogChoice::Durability durability) {
  switch (durability) {
    case LogChoice::Durability::none:
      return RedisPersistence::none;
    case LogChoice::Durability::every_second:
      return RedisPersistence::every_second;
    case LogChoice::Durability::always:
      return RedisPersistence::always;
  }
  TRACEBED_CHECK(false, "a durability is one of those known");
}

std::string isolation_name(wire::Isolation isolation) {
  switch (isolation) {
    case wire::Isolation::none:
      return "none";
    case wire::Isolation::cgroup_v1:
      return "cgroup-v1";
    case wire::Isolation::cgroup_v2:
      return "cgroup-v2";
  }
  TRACEBED_CHECK(false, "an isolation is one of those known");
}

// The run's Redis: one given by the user, or a private one.
class RunRedis {
 public:
  explicit RunRedis(const LogChoice& choice) {
    if (choice.redis.empty()) server_.emplace(persistence_of(choice.durability));
    connection_.emplace(server_ ? server_->address() : choice.redis);
  }
  RedisConnection& connection() { return *connection_; }

 private:
  std::optional<PrivateRedis> server_;  // first: it outlives the connection
  std::optional<RedisConnection> connection_;
};

// Members are destroyed from the last to the first: the agents end before the fleet that they speak
// to, and both before Redis.
class LocalWorld final : public RunWorld {
 public:
  explicit LocalWorld(const WorldPlan& plan)
      : run_(plan.run),
        warn_(plan.warn),
        redis_(plan.experiment.log),
        log_copy_(free_log_file(plan.folder), run_),
        log_(redis_.connection(), run_, plan.names, durability_of(plan.experiment.log.durability),
             &log_copy_),
        views_(redis_.connection(), run_, plan.names),
        logs_({&log_, &views_}),
        fleet_(fleet_options(plan), plan.machines, plan.warn),
        viewed_fleet_(fleet_, views_),
        cluster_(cluster_options(plan, fleet_.endpoint()), plan.machines) {
    fleet_.wait_for_agents(start_patience, [&] {
      cluster_.look();
      if (!plan.goes_on()) throw RunInterrupted();
    });
    fleet_.watch([this] { return cluster_.find_deaths(); });
    if (const auto masters = container_masters(plan.experiment)) {
      const std::string warning = short_interval_warning(
          "the masters' heartbeat", masters->heartbeat_interval, fleet_.clock());
      if (!warning.empty()) warn_(warning);
    }
    if (cluster_.is_oversubscribed()) {
      warn_("the local agents promise more than this machine has (local.oversubscribe)");
    }
    if (fleet_.isolation() == wire::Isolation::none) {
      warn_(
          "containers are NOT isolated: this machine's cgroups cannot be written or were not "
          "wanted, so tasks take what they can get");
    }
  }

  Fleet& fleet() override { return viewed_fleet_; }
  RoundLog* log() override { return &logs_; }
  RecordSink* records() override { return &views_; }
  std::string isolation() const override {
    const std::string isolation = isolation_name(fleet_.isolation());
    return cluster_.is_oversubscribed() ? isolation + ", oversubscribed" : isolation;
  }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    const RealFleetCounters& counters = fleet_.counters();
    return {
        {"agents_lost", counters.agents_lost},     {"agents_returned", counters.agents_returned},
        {"launches_lost", counters.launches_lost}, {"messages", counters.messages},
        {"messages_garbage", counters.garbage},    {"messages_misplaced", counters.misplaced},
        {"messages_repeated", counters.repeats},   {"messages_unsent", counters.unsent},
    };
  }

  void close() override {
    log_.finish();
    end_agents("the run has ended");
  }
  void give_up() override {
    log_.finish_copy();
    end_agents("the run has failed");
  }

 private:
  void end_agents(const std::string& reason) {
    fleet_.announce_end(reason);
    fleet_.wait_for_goodbyes(end_patience);  // stop() tells who did not end
    cluster_.stop(warn_);
  }

  std::string run_;
  std::function<void(const std::string&)> warn_;
  RunRedis redis_;
  PieceFileWriter log_copy_;
  RedisRoundLog log_;
  RedisViews views_;
  RoundLogTee logs_;
  RealFleet fleet_;
  ViewedFleet viewed_fleet_;
  LocalCluster cluster_;
};

}  // namespace

std::unique_ptr<RunWorld> make_local_world(const WorldPlan& plan) {
  return std::make_unique<LocalWorld>(plan);
}

}  // namespace tracebed
