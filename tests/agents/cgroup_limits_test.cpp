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

TEST(MemoryLimit, IsWhatWasAskedForButEnoughToStartAProcess) {
  EXPECT_EQ(memory_limit_bytes({.milli_vcores = 1, .memory_mib = 64, .pids = 1}), 67'108'864);
  EXPECT_EQ(memory_limit_bytes({.milli_vcores = 1, .memory_mib = 1, .pids = 1}), 4'194'304);
}

}  // namespace
}  // namespace tracebed
