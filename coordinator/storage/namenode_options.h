// All settings of a namenode. The defaults are HDFS' own (hdfs-default.xml); a run scales the
// durations as all times of the trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "coordinator/storage/block_manager.h"
#include "coordinator/storage/datanode_intervals.h"
#include "coordinator/storage/replica_placement.h"
#include "core/shuffle.h"
#include "core/time.h"

namespace tracebed {

struct LeaseOptions {
  // Another client may take a file over whose writer has been silent for longer
  // (HdfsConstants.LEASE_SOFTLIMIT_PERIOD), …
  Duration soft_limit = seconds(60);
  // … and the namenode closes it by itself (dfs.namenode.lease-hard-limit-sec).
  Duration hard_limit = seconds(20 * 60);
};

struct SafeModeOptions {
  bool at_start = true;
  double threshold = 0.999;  // dfs.namenode.safemode.threshold-pct
  // dfs.namenode.safemode.extension
  Duration extension = seconds(30);
  std::size_t datanodes_min = 0;  // dfs.namenode.safemode.min.datanodes
};

// What clients can make grow.
struct StorageLimits {
  std::int64_t block_size_min = 1024 * 1024;  // dfs.namenode.fs-limits.min-block-size
  std::int64_t block_size_max = std::int64_t{1} << 40;
  std::size_t blocks_per_file_max = 10'000;       // dfs.namenode.fs-limits.max-blocks-per-file
  std::size_t directory_items_max = 1024 * 1024;  // dfs.namenode.fs-limits.max-directory-items
  std::uint32_t replication_max = 512;            // dfs.replication.max
  // dfs.namenode.max.objects, where 0 is none: files, directories and blocks
  std::size_t objects_max = 16'000'000;
  // Not limited by HDFS itself.
  std::size_t name_bytes_max = 255;  // of clients, users and groups
  std::size_t owners_max = 65'536;   // names of users, and as many of groups
  std::size_t open_files_per_client_max = 10'000;
  std::size_t list_items_max = 10'000;  // nodes, sources or blocks in one call
  std::size_t retries_max = 65'536;     // replies that are kept for repeated calls
  std::size_t deferred_max = 1'000;     // calls whose answers wait for reports
};

struct NamenodeOptions {
  DatanodeIntervals intervals;
  RedundancyOptions redundancy;
  PlacementOptions placement;
  std::string placement_policy = "default";
  LeaseOptions leases;
  SafeModeOptions safe_mode;
  StorageLimits limits;
  std::uint32_t replication_min = 1;  // dfs.namenode.replication.min
  // Counted in heartbeats: a block recovery that has not ended by then is begun again
  // (BlockManager.getBlockRecoveryTimeout).
  int recovery_timeout_heartbeats = 30;
  // dfs.namenode.retrycache.expirytime.millis
  Duration retry_expiry = seconds(600);
  // How long the answer to a writer waits for a datanode's report that it depends on; HDFS answers
  // at once, and leaves it to the client to ask again. 0: as HDFS.
  Duration report_wait = seconds(30);
  // dfs.namenode.decommission.interval
  Duration decommission_interval = seconds(30);
  // Stale datanodes come after all others in what readers get (dfs.namenode.avoid.read.stale.
  // datanode, which is false in HDFS).
  bool avoids_stale_for_reads = true;
  std::size_t listing_max = 1'000;  // dfs.ls.limit
  // What FsServerDefaults states for clients that name none.
  std::uint32_t default_replication = 3;                      // dfs.replication
  std::int64_t default_block_size = std::int64_t{128} << 20;  // dfs.blocksize
  // Of what a run's own tasks write; 0: they write nothing.
  std::uint32_t replication_of_outputs = 0;
  // How they fetch from tasks of earlier stages; none: they do not.
  std::optional<ShuffleOptions> shuffle;
  // The resource by which their transfers share disks and links (core/transfer_weight.h); none:
  // equally.
  std::optional<std::size_t> transfer_weights;
  std::string superuser = "hdfs";
  std::string supergroup = "supergroup";  // dfs.permissions.superusergroup
  std::uint64_t seed = 1;
};

}  // namespace tracebed
