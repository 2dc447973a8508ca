#include "kernels/range_partitioner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "core/random.h"

namespace tracebed::kernels {
namespace {

using testing::HasSubstr;

Buffer key(std::string_view text) {
  const Bytes bytes = bytes_of(text);
  return {bytes.begin(), bytes.end()};
}

std::vector<Buffer> keys(const std::vector<std::string>& texts) {
  std::vector<Buffer> all;
  for (const std::string& text : texts) all.push_back(key(text));
  return all;
}

struct PartitionOfKey {
  std::string key;
  std::uint32_t partition;
};

// Of the sorted sample b d f h, the third cut in four is at f, and so on.
TEST(RangePartitioners, CutASampleIntoEqualParts) {
  const auto ranges = RangePartitioner::from_sample(keys({"f", "b", "h", "d"}), 4);
  EXPECT_EQ(ranges.partitions(), 4u);
  for (const auto& [text, partition] : std::vector<PartitionOfKey>{{"", 0},
                                                                   {"a", 0},
                                                                   {"c", 0},
                                                                   {"d", 1},
                                                                   {"da", 1},
                                                                   {"e", 1},
                                                                   {"f", 2},
                                                                   {"h", 3},
                                                                   {"z", 3}}) {
    EXPECT_EQ(ranges.partition(key(text)), partition) << text;
  }
}

TEST(RangePartitioners, HaveFewerPartitionsWhereKeysAreEqual) {
  EXPECT_EQ(RangePartitioner::from_sample(keys({"a", "a", "a", "b"}), 4).partitions(), 3u);
  EXPECT_EQ(RangePartitioner::from_sample({}, 9).partitions(), 1u);
  EXPECT_EQ(RangePartitioner().partition(key("x")), 0u);
}

TEST(RangePartitioners, LeaveKeysOutThatAreTooLong) {
  const std::string longest(RangePartitioner::key_bytes_max, 'k');
  EXPECT_EQ(RangePartitioner::from_sample(keys({"a", longest}), 2).partitions(), 2u);
  EXPECT_EQ(RangePartitioner::from_sample(keys({longest + "k", longest + "l"}), 2).partitions(),
            1u);
}

TEST(RangePartitioners, DistinguishKeysWithTheSameFirstBytes) {
  const auto ranges =
      RangePartitioner::from_sample(keys({"12345678", "12345678a", "12345678b", "12345678c"}), 4);
  EXPECT_EQ(ranges.partition(key("12345678")), 0u);
  EXPECT_EQ(ranges.partition(key("12345678a")), 1u);
  EXPECT_EQ(ranges.partition(key("12345678b1")), 2u);
  EXPECT_EQ(ranges.partition(key("12345678d")), 3u);
  EXPECT_EQ(ranges.partition(key(std::string("1234567\0", 8))), 0u);
}

TEST(RangePartitioners, CountTheSplitPointsThatAreNotAboveAKey) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const auto draw = [&random] {
      Buffer drawn(random.below(12));
      for (std::byte& byte : drawn) byte = static_cast<std::byte>(random.below(2));
      return drawn;
    };
    std::vector<Buffer> sample;
    for (std::uint64_t left = random.below(40); left > 0; --left) sample.push_back(draw());
    const auto parsed = RangePartitioner::parse(
        RangePartitioner::from_sample(sample, static_cast<std::uint32_t>(1 + random.below(20)))
            .encode());
    ASSERT_TRUE(parsed.has_value());
    Buffer low = draw();
    Buffer high = draw();
    if (compare_bytes(low, high) > 0) std::swap(low, high);
    ASSERT_LE(parsed->partition(low), parsed->partition(high));
    ASSERT_LT(parsed->partition(high), parsed->partitions());
  }
}

struct BadSplitPoints {
  std::string encoded;
  std::string message;
};

TEST(RangePartitioners, RefuseSplitPointsThatAreMalformed) {
  for (const auto& [encoded, message] : std::vector<BadSplitPoints>{
           {std::string("\1", 1), "the bytes end in split point 0"},
           {std::string("\1\0a\2\0b", 6), "the bytes end in split point 1"},
           {std::string("\1\0b\1\0a", 6), "not above the one before in split point 1"},
           {std::string("\1\0b\1\0b", 6), "not above the one before in split point 1"},
           {std::string("\xff\xff", 2), "a length of 65535 in split point 0"}}) {
    const auto parsed = RangePartitioner::parse(bytes_of(encoded));
    ASSERT_FALSE(parsed.has_value());
    EXPECT_THAT(parsed.error().message, HasSubstr(message));
  }
}

}  // namespace
}  // namespace tracebed::kernels
