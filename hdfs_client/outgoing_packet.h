// A packet of the write pipeline while it is filled, and as it is sent
// (org.apache.hadoop.hdfs.DFSPacket). Its memory is reused for one packet after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "protocol/hdfs/packet.h"

namespace tracebed::hdfs {

class OutgoingPacket {
 public:
  // As many whole chunks as fit into `packet_bytes` with checksums and header, one at least
  // (DFSOutputStream.computePacketChunkSize).
  OutgoingPacket(const ChunkChecksums& checksums, std::size_t packet_bytes);

  // Empties it. A packet that begins within a chunk takes no more than completes that chunk, and
  // none takes bytes from `block_bytes` of the block on.
  void begin(std::uint64_t offset_in_block, std::uint64_t block_bytes);
  // How many bytes it took.
  std::size_t append(Bytes bytes);
  bool is_full() const { return data_bytes_ == data_bytes_max_; }

  // Computes checksums and header: nothing can be appended, and bytes() may be sent.
  void seal(std::int64_t sequence_number, bool syncs_block);
  // As above, of an empty packet that ends the block.
  void seal_as_last(std::int64_t sequence_number);
  Bytes bytes() const { return Bytes(buffer_).subspan(sealed_begin_, sealed_bytes_); }
  std::int64_t sequence_number() const { return sequence_number_; }

  Bytes data() const { return Bytes(buffer_).subspan(data_begin_, data_bytes_); }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t end() const { return offset_ + data_bytes_; }

 private:
  void seal(const PacketHeader& header);

  ChunkChecksums checksums_;
  std::size_t chunks_max_;
  std::vector<std::byte> buffer_;  // prefix and checksums, both up to the data, and the data
  std::size_t data_begin_;
  std::size_t data_bytes_ = 0;
  std::size_t data_bytes_max_ = 0;
  std::uint64_t offset_ = 0;
  std::int64_t sequence_number_ = 0;
  std::size_t sealed_begin_ = 0;
  std::size_t sealed_bytes_ = 0;
};

}  // namespace tracebed::hdfs
