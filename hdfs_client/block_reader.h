// Reads a part of one replica (org.apache.hadoop.hdfs.client.impl.BlockReaderRemote). All that a
// datanode sends is checked: the lengths, offsets and numbers of its packets, and the checksum of
// each chunk, the last partial one of a block included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hdfs_client/datanode_connection.h"
#include "protocol/hdfs/packet.h"

namespace tracebed::hdfs {

struct BlockRange {
  pb::ExtendedBlock block;
  pb::Token token;
  std::uint64_t offset = 0;  // in the block
  std::uint64_t length = 0;  // at least 1; offset + length is within the block
};

struct BlockReadOptions {
  ConnectionOptions connection;
  std::string client_name;
  bool verifies_checksums = true;  // false: the datanode is asked to send none
  // Bounds the memory that a datanode can make a reader take.
  PacketLimits packets;
};

class BlockReader {
 public:
  static ClientResult<BlockReader> open(const pb::DatanodeId& datanode, BlockRange range,
                                        const BlockReadOptions& options);

  // The next bytes of the range, verified; they are valid until the next call. Empty after the last
  // one: by then the reader has sent the datanode the status that all checksums were right. After a
  // failure the reader cannot be used any more.
  ClientResult<Bytes> next();

  // The first byte of the block that next() has not returned.
  std::uint64_t position() const { return position_; }
  // For the packets that follow; that of the options at first.
  void set_read_timeout(std::chrono::milliseconds timeout) { read_timeout_ = timeout; }

 private:
  BlockReader(DatanodeConnection datanode, BlockRange range, const BlockReadOptions& options);

  ClientStatus accept(const pb::BlockOpResponse& response);
  ClientResult<Packet> receive_packet();
  ClientStatus check(const Packet& packet) const;
  ClientStatus end_read();
  ClientFailure failure(ClientFailureKind kind, const std::string& reason) const;
  std::uint64_t end() const { return range_.offset + range_.length; }

  DatanodeConnection datanode_;
  BlockRange range_;
  PacketLimits packet_limits_;
  std::chrono::milliseconds read_timeout_;
  std::chrono::milliseconds write_timeout_;
  bool verifies_checksums_;
  ChunkChecksums checksums_;
  std::uint64_t position_;
  std::uint64_t packet_offset_ = 0;  // where the next packet begins
  std::int64_t next_sequence_number_ = 0;
  std::size_t viewed_bytes_ = 0;  // of the packet that the last result views
  bool has_ended_ = false;
};

}  // namespace tracebed::hdfs
