// The index of runs whose state a Redis holds that they share: the hash `tracebed:runs`, with a
// run's id as the field and as its value a JSON object:
//
//   owner      who removes its keys: a coordinator's id (coordinator/api/ended_run_keys.h), or the
//              name of the host on which `tracebed run` wrote them, which nobody removes
//   folder     of the replay; of a coordinator's, below its state folder
//   began      seconds since 1970, UTC, as is the next
//   ended      0 while the run is in progress, and of one that failed
//   keys       the number of its keys, 0 until it has ended
//   log_bytes  the memory that its log takes in Redis, 0 until then
//
// An entry is added before the run's first key, and removed after its last one; so no keys are
// without one.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "coordinator/real/redis_connection.h"

namespace tracebed {

struct RedisRun {
  std::string owner;
  std::string folder;
  std::int64_t began = 0;
  std::int64_t ended = 0;
  std::int64_t keys = 0;
  std::int64_t log_bytes = 0;

  bool operator==(const RedisRun&) const = default;
};

// Every function throws as RedisConnection's do.
class RedisRuns {
 public:
  using Entries = std::map<std::string, RedisRun, std::less<>>;  // by id of the run

  // `connection`, which others may use too, outlives it.
  explicit RedisRuns(RedisConnection& connection) : connection_(connection) {}

  void add(std::string_view run, const RedisRun& entry);
  // Adds the number of keys and the log's size to the run's entry, when the run has ended now.
  void end(std::string_view run, RedisRun entry, std::int64_t keys);
  // Those whose values are as above; others are left out.
  Entries entries();
  // Removes all keys of these runs, looking through all keys of Redis once, then their entries.
  // Returns the number of keys.
  std::int64_t remove(const std::set<std::string, std::less<>>& runs);

 private:
  RedisConnection& connection_;
};

}  // namespace tracebed
