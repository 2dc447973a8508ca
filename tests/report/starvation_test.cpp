#include "report/starvation.h"

#include <gtest/gtest.h>

#include "support/at_seconds.h"

namespace tracebed {
namespace {

// From 10 to 14 and from 20 to 30: two times, fourteen seconds in all.
TEST(Starvation, IsTimedFromItsBeginningToItsEnd) {
  StarvationMeter meter;
  const std::size_t queue = meter.add("root.b");
  meter.add("root.a");  // never starves
  for (const auto& [time, starves] :
       {std::pair(5, false), std::pair(10, true), std::pair(12, true), std::pair(14, false),
        std::pair(20, true), std::pair(30, false)}) {
    meter.look(queue, at_seconds(time), starves);
  }
  const StarvationFigures figures = meter.figures(at_seconds(50), milliseconds(500));
  EXPECT_DOUBLE_EQ(figures.seen_within_seconds, 0.5);
  ASSERT_EQ(figures.queues.size(), 1u);
  EXPECT_EQ(figures.queues[0].queue, "root.b");
  EXPECT_EQ(figures.queues[0].seconds.count, 2u);
  EXPECT_DOUBLE_EQ(figures.queues[0].seconds.max, 10);
  EXPECT_DOUBLE_EQ(figures.queues[0].total, 14);
  EXPECT_DOUBLE_EQ(figures.queues[0].unended, 0);
}

TEST(Starvation, ThatLastsBeyondTheRunIsToldApart) {
  StarvationMeter meter;
  const std::size_t queue = meter.add("root.b");
  meter.look(queue, at_seconds(3), true);
  meter.look(queue, at_seconds(4), false);
  meter.look(queue, at_seconds(10), true);
  const StarvationFigures figures = meter.figures(at_seconds(16), Duration::zero());
  ASSERT_EQ(figures.queues.size(), 1u);
  EXPECT_EQ(figures.queues[0].seconds.count, 1u);
  EXPECT_DOUBLE_EQ(figures.queues[0].unended, 6);
  EXPECT_DOUBLE_EQ(figures.queues[0].total, 7);
}

TEST(Starvation, ThatEndsAtTheMomentItBeginsIsNone) {
  StarvationMeter meter;
  const std::size_t queue = meter.add("root.b");
  meter.look(queue, at_seconds(3), true);
  meter.look(queue, at_seconds(3), false);
  EXPECT_TRUE(meter.figures(at_seconds(4), Duration::zero()).queues.empty());
}

}  // namespace
}  // namespace tracebed
