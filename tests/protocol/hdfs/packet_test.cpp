#include "protocol/hdfs/packet.h"

#include <gtest/gtest.h>
#include <limits>

#include "core/random.h"
#include "protocol/hdfs/bytes.h"
#include "protocol/hdfs/recorded_client.h"

namespace tracebed::hdfs {
namespace {

using test::from_hex;
using test::text;
using test::view;

constexpr ChunkChecksums crc32_of_512{ChecksumType::crc32, 512};

std::string written(const PacketHeader& header, const std::string& checksums,
                    const std::string& data) {
  const PacketPrefix prefix = packet_prefix(header, checksums.size());
  return text(prefix.view()) + checksums + data;
}

std::string packet_error(const std::string& bytes, const PacketLimits& limits = {}) {
  const auto result = parse_packet(view(bytes), limits);
  const auto* malformed = std::get_if<Malformed>(&result);
  return malformed == nullptr ? "is accepted or too short" : malformed->reason;
}

TEST(Packets, ReadsWhatARealClientSends) {
  const std::string bytes = test::recorded_packets();
  const auto first = std::get<Parsed<Packet>>(parse_packet(view(bytes)));
  EXPECT_EQ(first.value.header, (PacketHeader{0, 1, false, 14, false}));
  EXPECT_EQ(text(first.value.data), "hello hdfs, 13");
  EXPECT_EQ(checksum_layout_error(first.value, crc32_of_512), std::nullopt);
  EXPECT_EQ(first_bad_chunk(crc32_of_512, first.value.data, first.value.checksums), std::nullopt);
  const auto last = std::get<Parsed<Packet>>(parse_packet(view(bytes).subspan(first.bytes)));
  EXPECT_EQ(last.value.header, (PacketHeader{14, 2, true, 0, false}));
  EXPECT_EQ(first.bytes + last.bytes, bytes.size());
}

TEST(Packets, WritesWhatARealClientSends) {
  const std::string data = "hello hdfs, 13";
  EXPECT_EQ(written({0, 1, false, 14, false}, from_hex("1f64ecdf"), data) +
                written({14, 2, true, 0, false}, "", ""),
            test::recorded_packets());
}

// 2 bytes more than other headers.
TEST(Packets, APacketThatSyncsTheBlockStatesIt) {
  const std::string bytes = written({0, 0, false, 0, true}, "", "");
  EXPECT_EQ(bytes.size(), 33u);
  EXPECT_TRUE(std::get<Parsed<Packet>>(parse_packet(view(bytes))).value.header.syncs_block);
}

TEST(Packets, AHeartbeatHasNoData) {
  const std::string bytes = written({0, heartbeat_sequence_number, false, 0, false}, "", "");
  const auto packet = std::get<Parsed<Packet>>(parse_packet(view(bytes))).value;
  EXPECT_EQ(packet.header.sequence_number, -1);
  EXPECT_TRUE(packet.data.empty());
}

TEST(Packets, SixBytesGiveTheLengthOfThePacket) {
  const std::string bytes = test::recorded_packets();
  const auto first = std::get<Parsed<Packet>>(parse_packet(view(bytes)));
  for (std::size_t size = 0; size < first.bytes; ++size) {
    const auto result = parse_packet(view(bytes).first(size));
    ASSERT_TRUE(std::holds_alternative<NeedMore>(result)) << size;
    EXPECT_EQ(std::get<NeedMore>(result).bytes, size < 6 ? 6u : first.bytes);
  }
}

TEST(Packets, SpansPointIntoTheBuffer) {
  const std::string bytes = test::recorded_packets();
  const auto packet = std::get<Parsed<Packet>>(parse_packet(view(bytes))).value;
  EXPECT_EQ(packet.checksums.data(), view(bytes).data() + 31);
  EXPECT_EQ(packet.data.data(), view(bytes).data() + 35);
}

TEST(Packets, LengthsHaveBounds) {
  EXPECT_EQ(packet_error(from_hex("00000003 0019")),
            "a packet's payload of 3 bytes is not within 4 … 16777216");
  EXPECT_EQ(packet_error(from_hex("01000001 0019")),
            "a packet's payload of 16777217 bytes is not within 4 … 16777216");
  EXPECT_EQ(packet_error(from_hex("ffffffff 0019")),
            "a packet's payload of 4294967295 bytes is not within 4 … 16777216");
  EXPECT_EQ(packet_error(from_hex("00000016 001c")),
            "a packet's header of 28 bytes exceeds the limit of 27");
  EXPECT_EQ(packet_error(test::recorded_packets(), {.payload_bytes_max = 21}),
            "a packet's payload of 22 bytes is not within 4 … 21");
}

TEST(Packets, AHeaderFitsItsPacket) {
  EXPECT_EQ(packet_error(from_hex("00000004 0000")), "a packet's header cannot be parsed");
  EXPECT_EQ(
      packet_error(written({0, 0, false, 5, false}, "", "1234").insert(3, 1, '\x08').erase(4, 1)),
      "a packet has less data than its header states");
  std::string negative_offset = written({0, 0, false, 0, false}, "", "");
  negative_offset[14] = '\xff';
  EXPECT_EQ(packet_error(negative_offset), "a packet has a negative offset");
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(packet_error(written({most, 0, false, 1, false}, "", "1")),
            "a packet ends beyond any block");
  std::string negative_length = written({0, 0, false, 0, false}, "", "");
  negative_length[negative_length.size() - 1] = '\xff';
  EXPECT_EQ(packet_error(negative_length), "a packet has a negative length");
  EXPECT_EQ(packet_error(written({0, 0, true, 4, false}, "", "1234")),
            "a block's last packet has data");
}

TEST(Packets, ChecksumsAreAsManyAsChunks) {
  const auto layout = [](std::size_t data, std::size_t checksums, bool may_lack) {
    const std::string bytes = written({0, 0, false, static_cast<std::int32_t>(data), false},
                                      std::string(checksums, 'c'), std::string(data, 'd'));
    return checksum_layout_error(std::get<Parsed<Packet>>(parse_packet(view(bytes))).value,
                                 crc32_of_512, may_lack);
  };
  EXPECT_EQ(layout(512, 4, false), std::nullopt);
  EXPECT_EQ(layout(513, 8, false), std::nullopt);
  EXPECT_EQ(layout(513, 4, false), "a packet of 513 bytes has 4 bytes of checksums, not 8");
  EXPECT_EQ(layout(512, 8, false), "a packet of 512 bytes has 8 bytes of checksums, not 4");
  EXPECT_EQ(layout(512, 0, false), "a packet of 512 bytes has 0 bytes of checksums, not 4");
  EXPECT_EQ(layout(512, 0, true), std::nullopt);
}

TEST(Packets, RandomPacketsReturnAsTheyWereSent) {
  Random random(9866);
  for (int round = 0; round < 300; ++round) {
    const auto size = random.below(3000);
    const PacketHeader header{static_cast<std::int64_t>(random.next() >> 2),
                              static_cast<std::int64_t>(random.next()), size == 0,
                              static_cast<std::int32_t>(size), random.chance(0.5)};
    std::string data;
    for (std::uint64_t i = 0; i < size; ++i) data += static_cast<char>(random.below(256));
    std::string checksums(crc32_of_512.bytes(data.size()), '\0');
    write_checksums(crc32_of_512, view(data),
                    {reinterpret_cast<std::byte*>(checksums.data()), checksums.size()});
    const std::string bytes = written(header, checksums, data);
    const auto packet = std::get<Parsed<Packet>>(parse_packet(view(bytes + "next")));
    EXPECT_EQ(packet.value.header, header);
    EXPECT_EQ(packet.bytes, bytes.size());
    const auto again = std::get<Parsed<Packet>>(parse_packet(view(bytes))).value;
    EXPECT_EQ(text(again.data), data);
    EXPECT_EQ(text(again.checksums), checksums);
  }
}

// A packet with its checksums detects each change of its data and of them.
TEST(Packets, EveryChangedBitIsAnErrorOrAnotherPacket) {
  const std::string original = test::recorded_packets().substr(0, 49);  // without the last packet
  for (std::size_t bit = 0; bit < original.size() * 8; ++bit) {
    std::string changed = original;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    const auto result = parse_packet(view(changed));
    const auto* packet = std::get_if<Parsed<Packet>>(&result);
    if (packet == nullptr) continue;
    if (packet->value.header != PacketHeader{0, 1, false, 14, false}) continue;
    const bool is_detected =
        checksum_layout_error(packet->value, crc32_of_512).has_value() ||
        first_bad_chunk(crc32_of_512, packet->value.data, packet->value.checksums).has_value();
    EXPECT_TRUE(is_detected) << "bit " << bit;
  }
}

}  // namespace
}  // namespace tracebed::hdfs
