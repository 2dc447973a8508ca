// Writes a file: data in packets, packets in blocks, each block to a pipeline of datanodes of its
// own (org.apache.hadoop.hdfs.DFSOutputStream). The file is complete when close() has succeeded; a
// writer that is destroyed before leaves it open, for its lease to expire. After a failure every
// call returns that failure.
//
// A writer has no thread. One that has nothing to write for minutes calls hflush() now and then:
// the lease is renewed by calls alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hdfs_client/block_writer.h"

namespace tracebed::hdfs {

struct CreateOptions {
  std::uint32_t permission = 0644;
  bool overwrites = false;
  bool creates_parents = true;
  std::uint32_t replication = 3;
  std::uint64_t block_size = std::uint64_t{128} << 20;  // a multiple of bytes per checksum
};

// What hsync() makes the namenode know.
enum class SyncLength : std::uint8_t { as_it_is, updated };

class FileWriter {
 public:
  // The namenode's client must outlive the writer.
  static ClientResult<FileWriter> create(NamenodeClient& namenode, const std::string& path,
                                         const CreateOptions& creation, FileWriteOptions options);
  static ClientResult<FileWriter> append(NamenodeClient& namenode, const std::string& path,
                                         FileWriteOptions options);

  ClientStatus write(Bytes bytes);
  // All that was written is on the datanodes of its pipeline, and new readers see it.
  ClientStatus hflush();
  // As hflush(), and on their disks.
  ClientStatus hsync(SyncLength length = SyncLength::as_it_is);
  ClientStatus close();

  // With what has been written.
  std::uint64_t length() const { return length_; }
  // Of the block that is being written; none between two blocks.
  const BlockWriter* block() const { return block_ ? &*block_ : nullptr; }

 private:
  FileWriter(NamenodeClient& namenode, WrittenFile file, FileWriteOptions options)
      : namenode_(&namenode), file_(std::move(file)), options_(std::move(options)) {}

  // The call's own status, which becomes that of all calls to come if it is a failure.
  ClientStatus kept(ClientStatus status);
  ClientStatus write_pieces(Bytes bytes);
  ClientStatus flush(bool syncs, SyncLength length);
  ClientStatus complete();

  ClientStatus begin_block();
  ClientResult<pb::LocatedBlock> add_block();
  void abandon(const pb::ExtendedBlock& block);
  void exclude(const pb::DatanodeInfo& datanode);
  void begin_packet(std::uint64_t offset_in_block);
  ClientStatus send_packet(bool syncs);
  ClientStatus end_block();

  struct Excluded {
    pb::DatanodeInfo datanode;
    Deadline until;
  };

  NamenodeClient* namenode_;
  WrittenFile file_;
  FileWriteOptions options_;
  std::uint64_t length_ = 0;
  std::optional<ClientFailure> failure_;
  bool is_closed_ = false;
  std::optional<pb::ExtendedBlock> previous_;  // of this writer's blocks, the last that has ended
  std::vector<Excluded> excluded_;

  // Of the block that is written.
  std::optional<BlockWriter> block_;
  std::optional<OutgoingPacket> packet_;  // being filled
  std::uint64_t sent_end_ = 0;            // of its bytes that are in packets before that
  bool is_persisted_ = false;             // the namenode shows the block to readers
};

}  // namespace tracebed::hdfs
