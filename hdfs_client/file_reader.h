// Reads a part of a file, block after block, each from the first replica in the namenode's order
// that works (org.apache.hadoop.hdfs.DFSInputStream). When a replica refuses, closes, hangs, is too
// slow, too short or corrupt, reading continues with another at the very next byte: what next()
// returns is right, once and in order, or it fails.
//
// A replica that failed is given up; when all of a block's are, the reader waits, asks for the
// locations again and begins with the first one, fewer than `acquire_failures_max` times for a
// block. Replicas that are corrupt are reported to the namenode.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "hdfs_client/block_reader.h"
#include "hdfs_client/dead_datanodes.h"
#include "hdfs_client/located_file.h"
#include "hdfs_client/read_statistics.h"
#include "hdfs_client/receive_rate.h"
#include "hdfs_client/replica_attempts.h"

namespace tracebed::hdfs {

struct FileReadOptions {
  ConnectionOptions connection;  // to datanodes
  PacketLimits packets;
  bool verifies_checksums = true;
  // Each byte is to be that of core/block_content.h; one that is not makes its replica corrupt.
  bool verifies_generated_content = false;
  // Instead, of a file whose bytes follow from their place in it: how many of these bytes, which
  // begin at `offset` of the file, are right, from the first on.
  std::function<std::size_t(std::uint64_t offset, Bytes bytes)> count_right;
  MinimumRate minimum_rate;           // below it, another replica is tried, if there is one
  unsigned acquire_failures_max = 3;  // dfs.client.max.block.acquire.failures
  // dfs.client.retry.window.base: the n-th wait for other locations, from 0 on, lasts n times as
  // long and a random part of n + 1 times as long.
  std::chrono::milliseconds retry_window{3'000};
  // How far a datanode is; without it, all count as off-rack.
  std::function<ReadDistance(const pb::DatanodeInfo& datanode)> distance;
};

class FileReader {
 public:
  // From `offset` on, `length` bytes or until the file's end. The namenode's client and the dead
  // datanodes must outlive the reader.
  static ClientResult<FileReader> open(NamenodeClient& namenode, DeadDatanodes& dead,
                                       const std::string& path, std::uint64_t offset,
                                       std::uint64_t length, FileReadOptions options);

  // The next bytes, valid until the next call; empty when all have been returned. A failure names
  // the block and what became of each replica; nothing can be read after it.
  ClientResult<Bytes> next();

  std::uint64_t file_length() const { return file_.length(); }
  std::uint64_t position() const { return position_; }
  const ReadStatistics& statistics() const { return statistics_; }

 private:
  FileReader(NamenodeClient& namenode, DeadDatanodes& dead, LocatedFile file,
             FileReadOptions options);

  ClientStatus begin_block();
  ClientStatus open_replica();
  ClientStatus find_other_locations();
  // Of the replica that is read; empty: its part of the range is done.
  ClientResult<Bytes> next_of_replica();
  ClientStatus check_content(Bytes bytes) const;
  void count(std::size_t bytes);
  void give_up_replica(const ClientFailure& failure);
  ClientStatus end_block();
  ClientStatus report_corrupt_replicas();
  std::uint64_t block_end() const;

  NamenodeClient* namenode_;
  DeadDatanodes* dead_;
  LocatedFile file_;
  FileReadOptions options_;
  std::uint64_t position_ = 0;
  std::uint64_t end_ = 0;
  ReadStatistics statistics_;

  // Of the block that is read; none: the next is to begin.
  std::optional<pb::LocatedBlock> block_;
  ReplicaAttempts attempts_;
  unsigned acquire_failures_ = 0;

  // Of the replica that is read; none: one is to be chosen.
  std::optional<BlockReader> replica_;
  pb::DatanodeInfo datanode_;
  ReceiveRate rate_;
  bool is_too_slow_ = false;
};

}  // namespace tracebed::hdfs
