#include "system/processor_load.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

TEST(ProcessorTimes, AreReadOffTheFirstLineInSeconds) {
  // user 100, nice 20, system 30, idle 400, iowait 50, irq 6, softirq 4, steal 70; guest 9 is in
  // user already. At 10 ticks a second: 160 are busy, 70 stolen, 450 idle.
  const auto times = parse_processor_times("cpu  100 20 30 400 50 6 4 70 9 0\ncpu0 1 2", 10);
  ASSERT_TRUE(times);
  EXPECT_DOUBLE_EQ(times->busy, 16);
  EXPECT_DOUBLE_EQ(times->stolen, 7);
  EXPECT_DOUBLE_EQ(times->idle, 45);
  EXPECT_FALSE(parse_processor_times("cpu0 1 2 3 4 5 6 7 8", 10));
  EXPECT_FALSE(parse_processor_times("cpu  1 2 3 4 5", 10));
  EXPECT_FALSE(parse_processor_times("", 10));
}

TEST(ProcessorLoad, IsThePartOfAllTimeBetweenTwoReadings) {
  // 20 s of processor time: 12 busy, of which 9 are our own; 2 stolen; 6 idle.
  const ProcessorTimes before{.busy = 100, .stolen = 10, .idle = 50, .own = 1};
  const ProcessorTimes after{.busy = 112, .stolen = 12, .idle = 56, .own = 10};
  const ProcessorLoad load = load_between(before, after);
  EXPECT_DOUBLE_EQ(load.busy, 0.6);
  EXPECT_DOUBLE_EQ(load.others, 0.15);
  EXPECT_DOUBLE_EQ(load.stolen, 0.1);
  EXPECT_DOUBLE_EQ(load_between(before, before).busy, 0);
}

TEST(ProcessorLoad, OfOthersIsNeverBelowNothing) {
  const ProcessorTimes before{};
  const ProcessorTimes after{.busy = 1, .stolen = 0, .idle = 1, .own = 1.01};
  EXPECT_DOUBLE_EQ(load_between(before, after).others, 0);
}

TEST(ProcessorTimes, OfThisMachineGrowWithWhatThisProcessDoes) {
  const auto before = read_processor_times();
  ASSERT_TRUE(before);
  volatile std::uint64_t sum = 0;
  auto now = before;
  while (now->own < before->own + 0.05) {
    for (int i = 0; i < 1'000'000; ++i) sum = sum + 1;
    now = read_processor_times();
  }
  EXPECT_GE(now->busy, before->busy);
}

}  // namespace
}  // namespace tracebed
