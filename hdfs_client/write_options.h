// How files are written.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "hdfs_client/connection.h"
#include "hdfs_client/rpc_channel.h"
#include "protocol/hdfs/chunk_checksums.h"

namespace tracebed::hdfs {

// Whether a datanode that failed in a pipeline is replaced by another
// (dfs.client.block.write.replace-datanode-on-failure.policy).
enum class ReplaceDatanodePolicy : std::uint8_t { never, standard, always };

// org.apache.hadoop.hdfs.protocol.datatransfer.ReplaceDatanodeOnFailure. The standard policy
// replaces if the file is to have three replicas or more, and half of them at most are left, or
// what was written before may be visible to readers already.
bool replaces_datanode(ReplaceDatanodePolicy policy, std::uint32_t replication,
                       std::size_t datanodes_left, bool is_appended_or_flushed);

struct FileWriteOptions {
  ConnectionOptions connection;  // to datanodes
  // An answer of a pipeline is waited for this much longer than one of a datanode, for each of its
  // datanodes: they wait less long for the next ones, so that each can tell which one hangs
  // (HdfsConstants.READ_TIMEOUT_EXTENSION).
  std::chrono::milliseconds read_timeout_extension{5'000};
  ChunkChecksums checksums;
  std::size_t packet_bytes = 65'536;  // dfs.client-write-packet-size
  // Packets that are sent or to be sent, and not acknowledged: what a writer's memory holds
  // (dfs.client.write.max-packets-in-flight).
  std::size_t packets_in_flight_max = 80;
  // dfs.client.block.write.retries: other datanodes for a new block, when its pipeline fails.
  unsigned block_write_retries = 3;
  // dfs.client.pipeline.recovery.max-retries: without an acknowledgement in between.
  unsigned pipeline_recoveries_max = 5;
  ReplaceDatanodePolicy replace_datanode = ReplaceDatanodePolicy::standard;
  // True: a pipeline continues with the datanodes that still work if no other one can replace those
  // that failed.
  bool replaces_best_effort = false;
  // While a namenode answers that the blocks before lack replicas, in addBlock and complete. HDFS
  // begins with 400 ms, since its datanodes report once in a while; here they do at once.
  unsigned locate_following_block_retries = 12;
  BackOff locate_following_block{std::chrono::milliseconds(10), std::chrono::milliseconds(5'000)};
};

}  // namespace tracebed::hdfs
