#include <gtest/gtest.h>

#include "agents/cgroups/limits.h"

namespace tracebed {
namespace {

TEST(CpuQuota, IsTheShareOfTheDefaultPeriod) {
  EXPECT_EQ(cpu_quota(1'000), (CpuQuota{100'000, 100'000}));
  EXPECT_EQ(cpu_quota(2'500), (CpuQuota{250'000, 100'000}));
  EXPECT_EQ(cpu_quota(10), (CpuQuota{1'000, 100'000}));
}

// The kernel refuses quotas below 1,000 us, so small shares get a longer period instead.
TEST(CpuQuota, OfAFewMilliVcoresLengthensThePeriod) {
  EXPECT_EQ(cpu_quota(9), (CpuQuota{1'000, 111'111}));
  EXPECT_EQ(cpu_quota(5), (CpuQuota{1'000, 200'000}));
  EXPECT_EQ(cpu_quota(1), (CpuQuota{1'000, 1'000'000}));
}

std::int64_t shares(std::int64_t milli_vcores, std::int64_t of_all) {
  return cpu_weight({.milli_vcores = milli_vcores, .milli_vcores_of_all = of_all},
                    cpu_shares_range);
}
std::int64_t weight(std::int64_t milli_vcores, std::int64_t of_all) {
  return cpu_weight({.milli_vcores = milli_vcores, .milli_vcores_of_all = of_all},
                    cpu_weight_range);
}

TEST(CpuWeight, IsThePartOfAllVcoresInTheKernelsRange) {
  EXPECT_EQ(shares(16'000, 16'000), 262'144);
  EXPECT_EQ(shares(4'000, 16'000), 65'536);
  EXPECT_EQ(shares(1, 16'000'000), 2);
  EXPECT_EQ(shares(32'000, 16'000), 262'144) << "one that has more than there is";
  EXPECT_EQ(weight(16'000, 16'000), 10'000);
  EXPECT_EQ(weight(4'000, 16'000), 2'500);
  EXPECT_EQ(weight(1, 16'000'000), 1);
}

// One and two vcores of sixteen, on a forty-eighth of them: 21 and 42 of 333 thousandths.
TEST(CpuWeight, KeepsRatiosOfSmallParts) {
  EXPECT_EQ(weight(42, 333), 1'261);
  EXPECT_EQ(weight(21, 333), 631);
  EXPECT_EQ(shares(42, 333), 33'063);
  EXPECT_EQ(shares(21, 333), 16'532);
}

TEST(MemoryLimit, IsWhatWasAskedForButEnoughToStartAProcess) {
  EXPECT_EQ(memory_limit_bytes({.milli_vcores = 1, .memory_mib = 64, .pids = 1}), 67'108'864);
  EXPECT_EQ(memory_limit_bytes({.milli_vcores = 1, .memory_mib = 1, .pids = 1}), 4'194'304);
}

}  // namespace
}  // namespace tracebed
