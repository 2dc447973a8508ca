#include "coordinator/api/run_obstacles.h"

#include "coordinator/real/redis_monitor.h"
#include "system/disk_room.h"

namespace tracebed {

std::string run_obstacle(const Experiment& experiment, const std::filesystem::path& state,
                         RedisMonitor* redis) {
  if (std::string full = full_disk(state, kept_free_bytes(state)); !full.empty()) return full;
  // An experiment that names a Redis of its own waits for that when it runs (RedisReturn).
  const bool uses_ours = experiment.world == World::cluster && experiment.log.redis.empty();
  return redis != nullptr && uses_ours ? redis->look_now() : std::string();
}

}  // namespace tracebed
