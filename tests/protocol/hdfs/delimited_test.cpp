#include "protocol/hdfs/delimited.h"

#include <gtest/gtest.h>

#include "protocol/hdfs/bytes.h"
#include "rpc_headers.pb.h"

namespace tracebed::hdfs {
namespace {

using test::from_hex;
using test::text;
using test::view;

TEST(Delimited, AMessageFollowsItsLength) {
  const std::string bytes = from_hex("03 61 62 63 ff");
  const auto parsed = parse_delimited(view(bytes), 3);
  const auto& message = std::get<Parsed<Bytes>>(parsed);
  EXPECT_EQ(text(message.value), "abc");
  EXPECT_EQ(message.bytes, 4u);
}

TEST(Delimited, ALengthOfTwoBytesCountsFromTheLowest) {
  const std::string bytes = from_hex("80 01") + std::string(128, 'x');
  const auto parsed = parse_delimited(view(bytes), 1000);
  EXPECT_EQ(std::get<Parsed<Bytes>>(parsed).value.size(), 128u);
}

TEST(Delimited, EveryPrefixNeedsMoreAndAtMostTheMessage) {
  std::string bytes;
  append_varint(bytes, 300);
  bytes += std::string(300, 'x');
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto parsed = parse_delimited(view(bytes).first(size), 300);
    ASSERT_TRUE(std::holds_alternative<NeedMore>(parsed)) << size;
    EXPECT_GT(std::get<NeedMore>(parsed).bytes, size);
    EXPECT_LE(std::get<NeedMore>(parsed).bytes, bytes.size());
  }
}

TEST(Delimited, AMessageBeyondTheLimitIsRefusedByItsLengthAlone) {
  const std::string bytes = from_hex("04");
  const auto parsed = parse_delimited(view(bytes), 3);
  EXPECT_EQ(std::get<Malformed>(parsed).reason, "a message of 4 bytes exceeds the limit of 3");
}

TEST(Delimited, ALengthHasAtMostFiveBytes) {
  const std::string bytes = from_hex("8080808080 01");
  EXPECT_EQ(std::get<Malformed>(parse_delimited(view(bytes), 1'000'000)).reason,
            "a message's length has more than five bytes");
}

TEST(Delimited, AVarintIsWrittenLowestBitsFirst) {
  std::string out;
  append_varint(out, 0);
  append_varint(out, 127);
  append_varint(out, 300);
  append_varint(out, 0xffffffff);
  EXPECT_EQ(test::to_hex(out), "007fac02ffffffff0f");
}

TEST(Delimited, AMessageWithoutARequiredFieldIsNone) {
  pb::RequestHeader header;
  const std::string without_version = from_hex("0a 01 6d 12 01 70");
  const std::string complete = without_version + from_hex("18 01");
  EXPECT_FALSE(parse_message(view(without_version), header));
  EXPECT_TRUE(parse_message(view(complete), header));
  EXPECT_EQ(header.method_name(), "m");
}

TEST(Delimited, NumbersOfJavasStreamsHaveTheirHighestByteFirst) {
  const std::string bytes = from_hex("01020304");
  EXPECT_EQ(big_endian32(view(bytes).data()), 0x01020304u);
  EXPECT_EQ(big_endian16(view(bytes).data() + 2), 0x0304u);
  std::string out;
  append_big_endian32(out, 0x01020304);
  EXPECT_EQ(out, bytes);
}

}  // namespace
}  // namespace tracebed::hdfs
