// Masters' faults: who has which, and how their processes are told.
#include "applications/hosting/master_faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

MasterFaults some() {
  MasterFaults faults{.seed = 7};
  faults.part(MasterFault::repeats) = 0.1;
  faults.part(MasterFault::dies) = 0.3;
  return faults;
}

TEST(MasterFaults, FallOnAsManyAttemptsAsTheyAreToldTo) {
  const MasterFaults faults = some();
  std::map<MasterFault, int> counts;
  for (std::uint32_t i = 0; i < 10'000; ++i) ++counts[faults.of(ApplicationId(i), 1)];
  EXPECT_NEAR(counts[MasterFault::repeats], 1'000, 150);
  EXPECT_NEAR(counts[MasterFault::dies], 3'000, 250);
  EXPECT_NEAR(counts[MasterFault::none], 6'000, 300);
  EXPECT_EQ(counts.size(), 3u);
}

TEST(MasterFaults, AreDrawnAnewForEachAttemptAndForEachSeed) {
  const MasterFaults faults = some();
  MasterFaults others = some();
  others.seed = 8;
  int of_attempts = 0;
  int of_seeds = 0;
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    const ApplicationId application(i);
    EXPECT_EQ(faults.of(application, 1), faults.of(application, 1));
    of_attempts += faults.of(application, 1) != faults.of(application, 2) ? 1 : 0;
    of_seeds += faults.of(application, 1) != others.of(application, 1) ? 1 : 0;
  }
  EXPECT_GT(of_attempts, 300);
  EXPECT_GT(of_seeds, 300);
}

TEST(MasterFaults, AreToldToProcessesAsTheyAre) {
  SettingValues values{{"replication", "2"}};
  for (const auto& [name, value] : to_settings(some())) values[name] = value;
  EXPECT_EQ(values.size(), 6u);
  const Result<MasterFaults> told = take_master_faults(values, 7);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->parts, some().parts);
  EXPECT_EQ(told->seed, 7u);
  EXPECT_EQ(values, (SettingValues{{"replication", "2"}})) << "the others stay";
}

TEST(MasterFaults, AreNotToldWhereThereAreNone) {
  EXPECT_THAT(to_settings({}), IsEmpty());
  SettingValues values;
  EXPECT_FALSE(take_master_faults(values, 7)->any());
}

TEST(MasterFaults, AreRefusedOutOfRange) {
  SettingValues values{{"faults.crashes_during_preemption", "1.5"}};
  const Result<MasterFaults> told = take_master_faults(values, 7);
  ASSERT_FALSE(told);
  EXPECT_THAT(
      told.error().message,
      HasSubstr(
          "setting faults.crashes_during_preemption: expected a number from 0 to 1, got \"1.5\""));
}

}  // namespace
}  // namespace tracebed
