#include "agents/cgroups/account_files.h"

#include <gtest/gtest.h>

#include "agents/cgroups/tree_v2.h"
#include "system/files.h"

namespace tracebed {
namespace {

TEST(IoStat, IsSummedOverDevicesAndMayLackFigures) {
  const BlockBytes bytes = parse_io_stat(
      "8:0 rbytes=4096 wbytes=8192 rios=1 wios=2 dbytes=0 dios=0\n7:0 \n8:16 rbytes=1 wbytes=2\n");
  EXPECT_EQ(bytes.read, 4'097);
  EXPECT_EQ(bytes.written, 8'194);
}

TEST(IoStat, OfNoTrafficIsZero) {
  EXPECT_EQ(parse_io_stat("").written, 0);
}

TEST(KernelFile, NumbersAreFoundByTheirWholeKey) {
  const std::string_view events = "low 1\noom 2\noom_kill 3\noom_group_kill 4\n";
  EXPECT_EQ(find_number(events, "oom_kill"), 3);
  EXPECT_EQ(find_number(events, "oom"), 2);
  EXPECT_EQ(find_number(events, "kill"), std::nullopt);
  EXPECT_EQ(find_number("usage_usec x\n", "usage_usec"), std::nullopt);
}

TEST(Controllers, AreFoundAsWholeWords) {
  EXPECT_TRUE(has_controller("cpuset cpu io memory\n", "cpu"));
  EXPECT_TRUE(has_controller("cpuset cpu io memory\n", "memory"));
  EXPECT_FALSE(has_controller("cpuset io\n", "cpu"));
  EXPECT_FALSE(has_controller("", "cpu"));
}

}  // namespace
}  // namespace tracebed
