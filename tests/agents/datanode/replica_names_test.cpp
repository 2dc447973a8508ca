#include "agents/datanode/replica_names.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

TEST(ReplicaNames, AreThoseOfHdfs) {
  constexpr std::uint64_t id = 1'073'741'825;
  EXPECT_EQ(data_file_name(id), "blk_1073741825");
  EXPECT_EQ(checksum_file_name(id, 1'001), "blk_1073741825_1001.meta");
  // DatanodeUtil.idToBlockDir
  EXPECT_EQ(level_name(first_level_of(id)), "subdir0");
  EXPECT_EQ(first_level_of(0x1f'1f'00), 31u);
  EXPECT_EQ(second_level_of(0x1f'1f'00), 31u);
  EXPECT_EQ(first_level_of(0x23'45'67), 3u);
  EXPECT_EQ(second_level_of(0x23'45'67), 5u);
}

TEST(ReplicaNames, AreReadAsTheyAreMadeAndNotOtherwise) {
  const auto data = parse_replica_file_name("blk_17");
  ASSERT_TRUE(data);
  EXPECT_EQ(data->block_id, 17u);
  EXPECT_EQ(data->generation_stamp, std::nullopt);
  const auto checksums = parse_replica_file_name("blk_17_18446744073709551615.meta");
  ASSERT_TRUE(checksums);
  EXPECT_EQ(checksums->block_id, 17u);
  EXPECT_EQ(checksums->generation_stamp, ~std::uint64_t{0});
  for (const char* name : {"", ".", "..", "blk_", "blk_x", "blk_-1", "blk_017", "blk_1_2",
                           "blk_1_.meta", "blk_1x2.meta", "blk_1_2.metal", "blk_1_02.meta",
                           "blk_18446744073709551616", "BLK_1", "lock", "blk_1 "}) {
    EXPECT_FALSE(parse_replica_file_name(name)) << name;
  }
}

}  // namespace
}  // namespace tracebed
