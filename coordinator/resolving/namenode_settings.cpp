#include "coordinator/resolving/namenode_settings.h"

#include <array>

namespace tracebed {
namespace {

constexpr std::int64_t count_max = 1'000'000'000;

constexpr std::array descriptions{
    SettingDescription{"heartbeat_interval_ms", "3000",
                       "between two heartbeats of a datanode (dfs.heartbeat.interval)"},
    SettingDescription{"heartbeat_recheck_interval_ms", "300000",
                       "between two looks for dead datanodes, which are those that were silent for "
                       "two of these and ten heartbeats (dfs.namenode.heartbeat.recheck-interval)"},
    SettingDescription{"stale_datanode_interval_ms", "30000",
                       "silence from which a datanode is stale, at least three heartbeats "
                       "(dfs.namenode.stale.datanode.interval)"},
    SettingDescription{"avoid_read_stale_datanode", "true",
                       "true: readers get stale datanodes last "
                       "(dfs.namenode.avoid.read.stale.datanode, false in HDFS)"},
    SettingDescription{"avoid_write_stale_datanode", "false",
                       "true: stale datanodes get no new replicas while enough others are there "
                       "(dfs.namenode.avoid.write.stale.datanode)"},
    SettingDescription{"replication_min", "1",
                       "replicas from which a block counts as written "
                       "(dfs.namenode.replication.min)"},
    SettingDescription{"replication_max", "512", "of any file (dfs.replication.max)"},
    SettingDescription{"safemode", "true",
                       "true: the namenode starts in safe mode, and leaves it as below"},
    SettingDescription{"safemode_threshold", "0.999",
                       "fraction of blocks that must have replication_min replicas "
                       "(dfs.namenode.safemode.threshold-pct)"},
    SettingDescription{"safemode_min_datanodes", "0",
                       "datanodes that must be alive (dfs.namenode.safemode.min.datanodes)"},
    SettingDescription{"safemode_extension_ms", "30000",
                       "from both to the end of safe mode (dfs.namenode.safemode.extension)"},
    SettingDescription{"redundancy_interval_ms", "3000",
                       "between two passes of re-replication "
                       "(dfs.namenode.redundancy.interval.seconds)"},
    SettingDescription{"replication_work_multiplier", "2",
                       "blocks for each live datanode in one pass "
                       "(dfs.namenode.replication.work.multiplier.per.iteration)"},
    SettingDescription{"replication_max_streams", "2",
                       "transfers that begin at a datanode at a time "
                       "(dfs.namenode.replication.max-streams)"},
    SettingDescription{"replication_max_streams_hard_limit", "4",
                       "the same for blocks with one replica left "
                       "(dfs.namenode.replication.max-streams-hard-limit)"},
    SettingDescription{"reconstruction_pending_timeout_ms", "300000",
                       "until a transfer that did not come is made again "
                       "(dfs.namenode.reconstruction.pending.timeout-sec)"},
    SettingDescription{"block_invalidate_limit", "1000",
                       "deletions with one heartbeat (dfs.block.invalidate.limit)"},
    SettingDescription{"consider_load", "true",
                       "true: no new replicas on datanodes with more than "
                       "consider_load_factor times the average transfers "
                       "(dfs.namenode.redundancy.considerLoad)"},
    SettingDescription{"consider_load_factor", "2",
                       "(dfs.namenode.redundancy.considerLoad.factor)"},
    SettingDescription{"lease_soft_limit_ms", "60000",
                       "silence of a writer from which another may take its file over "
                       "(HdfsConstants.LEASE_SOFTLIMIT_PERIOD); on the clients' clock"},
    SettingDescription{"lease_hard_limit_ms", "1200000",
                       "silence of a writer from which its files are closed "
                       "(dfs.namenode.lease-hard-limit-sec); on the clients' clock"},
    SettingDescription{
        "report_wait_ms", "30000",
        "how long addBlock and complete wait for a datanode's report before they "
        "answer \"not yet\"; 0: they do not wait, as in HDFS; on the clients' clock"},
    SettingDescription{"decommission_interval_ms", "30000",
                       "between two looks at datanodes that are decommissioned "
                       "(dfs.namenode.decommission.interval)"},
    SettingDescription{"retry_cache_expiry_ms", "600000",
                       "how long replies are kept for repeated calls "
                       "(dfs.namenode.retrycache.expirytime.millis); on the clients' clock"},
    SettingDescription{"list_limit", "1000", "entries of a directory in one reply (dfs.ls.limit)"},
    SettingDescription{"min_block_size", "1048576",
                       "of files, in bytes (dfs.namenode.fs-limits.min-block-size)"},
    SettingDescription{"max_blocks_per_file", "10000",
                       "(dfs.namenode.fs-limits.max-blocks-per-file)"},
    SettingDescription{"max_directory_items", "1048576",
                       "(dfs.namenode.fs-limits.max-directory-items)"},
    SettingDescription{"max_objects", "16000000",
                       "files, directories and blocks; 0: no limit (dfs.namenode.max.objects)"},
};

}  // namespace

std::span<const SettingDescription> namenode_settings() {
  return descriptions;
}

Result<NamenodeOptions> read_namenode(const SettingValues& values) {
  SettingReader reader("namenode", descriptions, values);
  const auto duration = [&](std::string_view name, std::int64_t low = 1) {
    return reader.milliseconds_of(name, low, namenode_longest_ms);
  };
  const auto is_true = [&](std::string_view name) {
    return reader.choice(name, {"false", "true"}) == 1;
  };
  const auto count = [&](std::string_view name, std::int64_t low, std::int64_t high = count_max) {
    return static_cast<std::uint32_t>(reader.integer(name, low, high));
  };
  NamenodeOptions options;
  options.intervals.heartbeat = duration("heartbeat_interval_ms");
  options.intervals.recheck = duration("heartbeat_recheck_interval_ms");
  options.intervals.stale = duration("stale_datanode_interval_ms");
  options.intervals.avoids_stale_for_writes = is_true("avoid_write_stale_datanode");
  options.placement.avoids_stale_for_writes = options.intervals.avoids_stale_for_writes;
  options.avoids_stale_for_reads = is_true("avoid_read_stale_datanode");
  options.replication_min = count("replication_min", 1, 512);
  options.limits.replication_max = count("replication_max", 1, 512);
  options.safe_mode.at_start = is_true("safemode");
  options.safe_mode.threshold = reader.fraction("safemode_threshold", 0, 1);
  options.safe_mode.datanodes_min = count("safemode_min_datanodes", 0);
  options.safe_mode.extension = duration("safemode_extension_ms", 0);
  options.redundancy.interval = duration("redundancy_interval_ms");
  options.redundancy.work_multiplier = count("replication_work_multiplier", 1, 1'000'000);
  options.redundancy.streams_max = count("replication_max_streams", 1, 1'000'000);
  options.redundancy.streams_hard_max = count("replication_max_streams_hard_limit", 1, 1'000'000);
  options.redundancy.transfer_timeout = duration("reconstruction_pending_timeout_ms");
  options.redundancy.deletions_max = count("block_invalidate_limit", 1);
  options.placement.considers_load = is_true("consider_load");
  options.placement.load_factor = reader.fraction("consider_load_factor", 1, 1'000'000);
  options.leases.soft_limit = duration("lease_soft_limit_ms");
  options.leases.hard_limit = duration("lease_hard_limit_ms");
  options.report_wait = duration("report_wait_ms", 0);
  options.decommission_interval = duration("decommission_interval_ms");
  options.retry_expiry = duration("retry_cache_expiry_ms");
  options.listing_max = count("list_limit", 1, 100'000);
  options.limits.block_size_min =
      reader.integer("min_block_size", 1, options.limits.block_size_max);
  options.limits.blocks_per_file_max = count("max_blocks_per_file", 1);
  options.limits.directory_items_max = count("max_directory_items", 1, 6'400'000);
  options.limits.objects_max = count("max_objects", 0);
  if (const Status status = reader.status(); !status) return status.error();
  const auto refuse = [&](const char* greater, const char* lesser) {
    const char* const to_blame = values.contains(greater) ? greater : lesser;
    return Error{"namenode: expected " + std::string(greater) + " to be at most " + lesser,
                 to_blame};
  };
  if (options.replication_min > options.limits.replication_max) {
    return refuse("replication_min", "replication_max");
  }
  if (options.redundancy.streams_max > options.redundancy.streams_hard_max) {
    return refuse("replication_max_streams", "replication_max_streams_hard_limit");
  }
  if (options.leases.soft_limit > options.leases.hard_limit) {
    return refuse("lease_soft_limit_ms", "lease_hard_limit_ms");
  }
  return options;
}

}  // namespace tracebed
