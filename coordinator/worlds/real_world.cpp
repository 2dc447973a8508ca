#include "coordinator/worlds/real_world.h"

#include <chrono>
#include <fmt/format.h>

#include "coordinator/monitoring/run_observer.h"
#include "coordinator/resolving/fault_choice.h"
#include "coordinator/resolving/given_settings.h"
#include "core/check.h"
#include "report/run_json.h"
#include "system/own_machine.h"

namespace tracebed {
namespace {

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

std::optional<PrivateRedis> start_server(const WorldPlan& plan, const std::string& redis) {
  if (!redis.empty()) return std::nullopt;
  return std::optional<PrivateRedis>(std::in_place, persistence_of(plan.experiment.log.durability));
}

// A server that others use, too, may be started again, or its machine. The run's own has no second
// life: its data ends with it.
constexpr std::chrono::seconds redis_timeout{60};

RedisRun entry_of(const WorldPlan& plan, const std::string& redis) {
  const bool is_owned = redis == plan.host.redis;
  const RedisOwner& owner = plan.host.redis_owner;
  const std::filesystem::path folder = std::filesystem::absolute(plan.folder);
  RedisRun entry;
  entry.owner = is_owned ? owner.id : host_name();
  entry.folder = is_owned ? folder.lexically_proximate(owner.folder) : folder;
  entry.began = std::chrono::duration_cast<std::chrono::seconds>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count();
  return entry;
}

// Who is to end does not wait for a Redis that stalls.
RedisReturn return_of(const WorldPlan& plan, bool is_own) {
  const auto look = [should_continue = plan.should_continue] {
    if (!should_continue()) throw RunInterrupted();
  };
  if (is_own) return {{}, {}, look, {}};
  return {redis_timeout, plan.warn, look, plan.warn};
}

}  // namespace

RealFleetOptions fleet_options(const WorldPlan& plan) {
  RealFleetOptions options;
  options.run = plan.run;
  options.time_scale = plan.experiment.scale.time;
  options.heartbeat_period = plan.experiment.cluster.heartbeat;
  options.out_of_band_heartbeat = plan.experiment.cluster.out_of_band_heartbeat;
  options.cpu_enforcement = plan.experiment.cluster.cpu_enforcement;
  options.shares_vcores =
      !plan.limits.has_vcores() || options.cpu_enforcement == CpuEnforcement::weight;
  options.dimensions = ResourceDimensions(plan.experiment.cluster.extra_dimensions);
  options.faults = task_faults(plan.experiment.faults, plan.seed);
  options.virtual_memory = plan.experiment.memory_check;
  const ResolvedMasters& masters = plan.experiment.masters;
  if (masters.containers) {
    options.masters.settings = to_record(masters.settings);
    for (auto& setting : to_settings(master_faults(plan.experiment.faults, plan.seed))) {
      options.masters.settings.push_back(std::move(setting));
    }
    options.masters.seed = plan.seed;
    options.masters.heartbeat_interval = masters.containers->heartbeat_interval;
    options.masters.expiry = masters.containers->expiry;
    options.masters.quota_factor = plan.experiment.scale.cpu;
  }
  return options;
}

std::vector<std::pair<std::string, std::uint64_t>> counters_of(const RealFleet& fleet) {
  const RealFleetCounters& counters = fleet.counters();
  return {
      {"agents_lost", counters.agents_lost},
      {"agents_returned", counters.agents_returned},
      {"agents_refused", counters.refused},
      {"keys_refused", fleet.keys_refused()},
      {"exits_implausible", counters.exits_implausible},
      {"launches_lost", counters.launches_lost},
      {"messages", counters.messages},
      {"messages_garbage", counters.garbage},
      {"messages_misplaced", counters.misplaced},
      {"messages_repeated", counters.repeats},
      {"messages_unsent", counters.unsent},
      {task_cpu_counter, counters.task_cpu},
      {task_cpu_work_counter, counters.task_cpu_work},
  };
}

void warn_of_conditions(const WorldPlan& plan, const RealFleet& fleet) {
  if (const auto& masters = plan.experiment.masters.containers) {
    const std::string warning = short_interval_warning("the masters' heartbeat",
                                                       masters->heartbeat_interval, fleet.clock());
    if (!warning.empty()) plan.warn(warning);
  }
  if (fleet.isolation() == wire::Isolation::none) {
    plan.warn(
        "containers are NOT isolated: cgroups are not writable or were disabled, so tasks have no "
        "resource limits");
  }
}

void warn_of_what_was_refused(const Warn& warn, const RealFleet& fleet) {
  const std::uint64_t implausible = fleet.counters().exits_implausible;
  if (implausible > 0) {
    warn(fmt::format("{} containers reported implausible exits: do not trust their figures",
                     implausible));
  }
  if (fleet.keys_refused() > 0) {
    warn(fmt::format("{} connections to the coordinator were refused, the last with {}",
                     fleet.keys_refused(), fleet.last_key_refused()));
  }
}

RealWorldLog::RealWorldLog(const WorldPlan& plan, const std::string& redis, const RedisLogin& login)
    : server_(start_server(plan, redis)),
      connection_(server_ ? server_->address() : redis, login,
                  return_of(plan, server_.has_value())),
      copy_(free_log_file(plan.folder), plan.run, compression_of(plan.experiment.log),
            checksum_.observer()),
      log_(connection_, plan.run, plan.names, durability_of(plan.experiment.log.durability),
           &copy_),
      views_(connection_, plan.run, plan.names),
      run_(plan.run) {
  if (server_) return;
  entry_ = entry_of(plan, redis);
  RedisRuns(connection_).add(run_, *entry_);
}

void RealWorldLog::finish() {
  log_.finish();
  constexpr std::int64_t of_the_log = 1;
  if (entry_) RedisRuns(connection_).end(run_, *entry_, views_.keys() + of_the_log);
}

}  // namespace tracebed
