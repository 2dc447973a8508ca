// When a datanode counts as stale and as dead (hdfs-default.xml; org.apache.hadoop.hdfs.server.
// blockmanagement.DatanodeManager, HeartbeatManager). Trace time, as everything in a run.
#pragma once

#include <algorithm>

#include "core/time.h"

namespace tracebed {

struct DatanodeIntervals {
  Duration heartbeat = seconds(3);  // dfs.heartbeat.interval
  // dfs.namenode.heartbeat.recheck-interval
  Duration recheck = std::chrono::minutes(5);
  Duration stale = seconds(30);  // dfs.namenode.stale.datanode.interval
  // dfs.namenode.avoid.write.stale.datanode, which is false in HDFS
  bool avoids_stale_for_writes = false;

  // Since the last heartbeat: 630 s by default.
  constexpr Duration until_dead() const { return 2 * recheck + 10 * heartbeat; }
  // Not below three heartbeats (dfs.namenode.stale.datanode.minimum.interval).
  constexpr Duration until_stale() const { return std::max(stale, 3 * heartbeat); }
  // From one look for dead datanodes to the next: one is found up to this much after it has died.
  constexpr Duration scan() const {
    return avoids_stale_for_writes ? std::min(recheck, until_stale()) : recheck;
  }
};

}  // namespace tracebed
