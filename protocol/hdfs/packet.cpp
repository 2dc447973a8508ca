#include "protocol/hdfs/packet.h"

#include <limits>

#include "core/check.h"
#include "data_transfer.pb.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed::hdfs {
namespace {

constexpr std::size_t lengths_bytes = 6;  // int32 and int16
constexpr std::size_t header_bytes_max = PacketPrefix::bytes_max - lengths_bytes;

std::optional<Malformed> check(const PacketHeader& header, std::size_t content_bytes) {
  if (header.offset_in_block < 0) return Malformed{"a packet has a negative offset"};
  if (header.data_bytes < 0) return Malformed{"a packet has a negative length"};
  if (header.offset_in_block > std::numeric_limits<std::int64_t>::max() - header.data_bytes) {
    return Malformed{"a packet ends beyond any block"};
  }
  if (static_cast<std::size_t>(header.data_bytes) > content_bytes) {
    return Malformed{"a packet has less data than its header states"};
  }
  if (header.is_last_in_block && header.data_bytes != 0) {
    return Malformed{"a block's last packet has data"};
  }
  return std::nullopt;
}

}  // namespace

ParseResult<Packet> parse_packet(Bytes unread, const PacketLimits& limits) {
  if (unread.size() < lengths_bytes) return NeedMore{lengths_bytes};
  const std::size_t payload = big_endian32(unread.data());
  const std::size_t header_bytes = big_endian16(unread.data() + 4);
  if (payload < 4 || payload > limits.payload_bytes_max) {
    return Malformed{"a packet's payload of " + std::to_string(payload) +
                     " bytes is not within 4 … " + std::to_string(limits.payload_bytes_max)};
  }
  if (header_bytes > header_bytes_max) {
    return Malformed{"a packet's header of " + std::to_string(header_bytes) +
                     " bytes exceeds the limit of " + std::to_string(header_bytes_max)};
  }
  const std::size_t content_bytes = payload - 4;
  const std::size_t packet_bytes = lengths_bytes + header_bytes + content_bytes;
  if (unread.size() < packet_bytes) return NeedMore{packet_bytes};
  pb::PacketHeader message;
  if (!parse_message(unread.subspan(lengths_bytes, header_bytes), message)) {
    return Malformed{"a packet's header cannot be parsed"};
  }
  Packet packet;
  packet.header = {message.offset_in_block(), message.seqno(), message.last_packet_in_block(),
                   message.data_len(), message.sync_block()};
  if (auto error = check(packet.header, content_bytes)) return *error;
  const Bytes content = unread.subspan(lengths_bytes + header_bytes, content_bytes);
  const auto data_bytes = static_cast<std::size_t>(packet.header.data_bytes);
  packet.checksums = content.first(content_bytes - data_bytes);
  packet.data = content.last(data_bytes);
  return Parsed<Packet>{packet, packet_bytes};
}

// org.apache.hadoop.hdfs.server.datanode.BlockReceiver.receivePacket
std::optional<std::string> checksum_layout_error(const Packet& packet,
                                                 const ChunkChecksums& checksums,
                                                 bool may_lack_checksums) {
  const std::size_t expected = checksums.bytes(packet.data.size());
  if (packet.checksums.size() == expected) return std::nullopt;
  if (may_lack_checksums && packet.checksums.empty()) return std::nullopt;
  return "a packet of " + std::to_string(packet.data.size()) + " bytes has " +
         std::to_string(packet.checksums.size()) + " bytes of checksums, not " +
         std::to_string(expected);
}

PacketPrefix packet_prefix(const PacketHeader& header, std::size_t checksum_bytes) {
  TRACEBED_CHECK(header.data_bytes >= 0, "a packet's length is not negative");
  const std::size_t payload = 4 + checksum_bytes + static_cast<std::size_t>(header.data_bytes);
  TRACEBED_CHECK(payload <= PacketLimits().payload_bytes_max, "a packet is within Hadoop's limit");
  pb::PacketHeader message;
  message.set_offset_in_block(header.offset_in_block);
  message.set_seqno(header.sequence_number);
  message.set_last_packet_in_block(header.is_last_in_block);
  message.set_data_len(header.data_bytes);
  if (header.syncs_block) message.set_sync_block(true);
  PacketPrefix prefix;
  const std::size_t header_bytes = message.ByteSizeLong();
  store_big_endian32(static_cast<std::uint32_t>(payload), prefix.bytes.data());
  prefix.bytes[4] = static_cast<std::byte>(header_bytes >> 8);
  prefix.bytes[5] = static_cast<std::byte>(header_bytes & 0xff);
  message.SerializeWithCachedSizesToArray(
      reinterpret_cast<std::uint8_t*>(prefix.bytes.data() + lengths_bytes));
  prefix.size = lengths_bytes + header_bytes;
  return prefix;
}

}  // namespace tracebed::hdfs
