// The common parts of the worlds of real machines: how their fleet is run, and where its rounds are
// logged and shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/real/private_redis.h"
#include "coordinator/real/real_fleet.h"
#include "coordinator/real/redis_round_log.h"
#include "coordinator/real/redis_runs.h"
#include "coordinator/real/redis_views.h"
#include "coordinator/worlds/run_log.h"
#include "coordinator/worlds/run_world.h"
#include "protocol/log_file.h"

namespace tracebed {

// Without the timeouts, which each world has of its own.
RealFleetOptions fleet_options(const WorldPlan& plan);

std::vector<std::pair<std::string, std::uint64_t>> counters_of(const RealFleet& fleet);

// Warns of conditions in which a run of real machines differs from the plan.
void warn_of_conditions(const WorldPlan& plan, const RealFleet& fleet);

// After the last round: warns of implausible exits, and of unknown peers that tried to connect.
void warn_of_what_was_refused(const Warn& warn, const RealFleet& fleet);

// The log of rounds and the live views in Redis, over one connection, and the log's copy in the
// run's folder.
class RealWorldLog {
 public:
  // In the Redis at the address, else in one of the run's own. `plan` outlives this.
  RealWorldLog(const WorldPlan& plan, const std::string& redis, const RedisLogin& login);

  RoundLog& rounds() { return log_; }
  RedisViews& views() { return views_; }
  // After the last round.
  void finish();
  void finish_copy() { log_.finish_copy(); }
  // Of the copy, when it is finished.
  FileChecksum checksum() const { return checksum_.checksum(); }

 private:
  std::optional<PrivateRedis> server_;  // first: it outlives the connection
  RedisConnection connection_;
  LogChecksum checksum_;
  PieceFileWriter copy_;
  RedisRoundLog log_;
  RedisViews views_;
  std::string run_;
  std::optional<RedisRun> entry_;  // in a Redis that others share
};

}  // namespace tracebed
