#include "hdfs_client/outgoing_packet.h"

#include <algorithm>
#include <span>

#include "core/check.h"

namespace tracebed::hdfs {

OutgoingPacket::OutgoingPacket(const ChunkChecksums& checksums, std::size_t packet_bytes)
    : checksums_(checksums),
      chunks_max_(std::max<std::size_t>(
          (std::max(packet_bytes, PacketPrefix::bytes_max) - PacketPrefix::bytes_max) /
              (checksums.bytes_per_checksum + checksums.checksum_size()),
          1)),
      data_begin_(PacketPrefix::bytes_max + chunks_max_ * checksums.checksum_size()) {
  buffer_.resize(data_begin_ + chunks_max_ * checksums.bytes_per_checksum);
}

void OutgoingPacket::begin(std::uint64_t offset_in_block, std::uint64_t block_bytes) {
  TRACEBED_CHECK(offset_in_block <= block_bytes, "a packet begins within its block");
  const std::uint64_t within_chunk = offset_in_block % checksums_.bytes_per_checksum;
  const std::uint64_t most = within_chunk == 0 ? chunks_max_ * checksums_.bytes_per_checksum
                                               : checksums_.bytes_per_checksum - within_chunk;
  data_bytes_max_ = std::min(most, block_bytes - offset_in_block);
  data_bytes_ = 0;
  offset_ = offset_in_block;
  sealed_bytes_ = 0;
}

std::size_t OutgoingPacket::append(Bytes bytes) {
  const std::size_t taken = std::min(bytes.size(), data_bytes_max_ - data_bytes_);
  std::copy_n(bytes.begin(), taken,
              buffer_.begin() + static_cast<std::ptrdiff_t>(data_begin_ + data_bytes_));
  data_bytes_ += taken;
  return taken;
}

void OutgoingPacket::seal(std::int64_t sequence_number, bool syncs_block) {
  seal({static_cast<std::int64_t>(offset_), sequence_number, false,
        static_cast<std::int32_t>(data_bytes_), syncs_block});
}

void OutgoingPacket::seal_as_last(std::int64_t sequence_number) {
  TRACEBED_CHECK(data_bytes_ == 0, "a block's last packet has no data");
  seal({static_cast<std::int64_t>(offset_), sequence_number, true, 0, false});
}

// Checksums end where the data begins, and the prefix where they begin.
void OutgoingPacket::seal(const PacketHeader& header) {
  const std::size_t checksum_bytes = checksums_.bytes(data_bytes_);
  const std::size_t checksums_begin = data_begin_ - checksum_bytes;
  if (checksum_bytes > 0) {
    write_checksums(checksums_, data(),
                    std::span(buffer_).subspan(checksums_begin, checksum_bytes));
  }
  const PacketPrefix prefix = packet_prefix(header, checksum_bytes);
  sealed_begin_ = checksums_begin - prefix.size;
  sealed_bytes_ = prefix.size + checksum_bytes + data_bytes_;
  const Bytes prefix_bytes = prefix.view();
  std::copy(prefix_bytes.begin(), prefix_bytes.end(),
            buffer_.begin() + static_cast<std::ptrdiff_t>(sealed_begin_));
  sequence_number_ = header.sequence_number;
}

}  // namespace tracebed::hdfs
