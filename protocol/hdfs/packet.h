// Packets of the data transfer protocol (org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader
// and PacketReceiver):
//
//   int32 payload | int16 header | PacketHeader | checksums | data
//
// where `payload` counts itself, the checksums and the data, but neither the header's length nor
// the header. Nothing is copied: a packet views the buffer, and only what precedes the checksums is
// written here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "protocol/hdfs/chunk_checksums.h"
#include "protocol/hdfs/parse_result.h"

namespace tracebed::hdfs {

constexpr std::int64_t heartbeat_sequence_number = -1;  // of packets without data that keep a
                                                        // pipeline open, and of their acks

struct PacketHeader {
  std::int64_t offset_in_block = 0;
  std::int64_t sequence_number = 0;
  bool is_last_in_block = false;  // has no data
  std::int32_t data_bytes = 0;
  bool syncs_block = false;

  bool operator==(const PacketHeader&) const = default;
};

struct Packet {
  PacketHeader header;
  Bytes checksums;  // empty if the sender sends none
  Bytes data;
};

struct PacketLimits {
  std::size_t payload_bytes_max = std::size_t{16} << 20;  // PacketReceiver.MAX_PACKET_SIZE
};

// Offset, length and their sum are not negative, the lengths fit each other, and a last packet has
// no data. Its `NeedMore` is the whole packet's length as soon as six bytes are there.
ParseResult<Packet> parse_packet(Bytes unread, const PacketLimits& limits = {});

// Why the packet is not one of a stream with such checksums; nothing if it is. A packet may come
// without checksums if `may_lack_checksums`: the reader asked for none.
std::optional<std::string> checksum_layout_error(const Packet& packet,
                                                 const ChunkChecksums& checksums,
                                                 bool may_lack_checksums = false);

// All before the checksums.
struct PacketPrefix {
  static constexpr std::size_t bytes_max = 33;
  std::array<std::byte, bytes_max> bytes;
  std::size_t size = 0;

  Bytes view() const { return Bytes(bytes).first(size); }
};
// The packet is written as prefix, checksums, `header.data_bytes` bytes of data, for example by
// `writev`. The payload is within Hadoop's limit (checked).
PacketPrefix packet_prefix(const PacketHeader& header, std::size_t checksum_bytes);

}  // namespace tracebed::hdfs
