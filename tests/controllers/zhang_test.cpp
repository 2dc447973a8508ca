#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

#include "controllers/cluster_states.h"
#include "controllers/zhang2015.h"
#include "controllers/zhang2016.h"

namespace tracebed {
namespace {

using testing::state;

std::unique_ptr<Controller> made(const ControllerEntry& entry, std::int64_t share,
                                 const SettingValues& settings = {}) {
  auto controller = entry.make(settings, share);
  EXPECT_TRUE(controller) << controller.error().message;
  return std::move(*controller);
}

// Of memory in use 60 %, tasks have 60 % less two GiB for each master.
TEST(Zhang2015, RisesWhileMemoryIsFreeAndJobsArePendingAndFallsWhileTasksHaveLittle) {
  const auto controller = made(zhang2015_entry(), 500'000);
  EXPECT_EQ(controller->step(state(3, 2, 60)).value, 550'000);
  EXPECT_EQ(controller->step(state(0, 2, 60)).value, std::nullopt);
  EXPECT_EQ(controller->step(state(0, 10, 60)).value, 500'000);
  EXPECT_EQ(controller->step(state(3, 30, 100)).value, 450'000);
}

// The flaw that the later paper names.
TEST(Zhang2015, StaysWhereItIsBothUnderAndOverAllocated) {
  const auto controller = made(zhang2015_entry(), 500'000);
  EXPECT_EQ(controller->step(state(30, 10, 60)).value, std::nullopt);
}

// P begins as 0.9: predicted 1.8, gain 1.8 / 1.9, P = 1.8 × 0.1 / 1.9 = 0.0947368;
// then predicted 0.9947368, gain 0.9947368 / 1.0947368 = 0.9086538.
TEST(Zhang2016, FiltersByHand) {
  ScalarKalmanFilter filter(0.9, 0.1);
  const double first = filter.take(1);
  EXPECT_NEAR(first, 1.8 / 1.9, 1e-12);
  EXPECT_NEAR(filter.take(0), first * (1 - 0.9947368 / 1.0947368), 1e-6);
}

// Of a use of 50 % the first estimate is 0.5 × 1.8 / 1.9 = 0.473684; √(42.6316) / 100 = 0.065293.
TEST(Zhang2016, RisesByTheRootOfTheDistance) {
  const auto controller = made(zhang2016_entry(), 100'000);
  const ControllerStep step = controller->step(state(3, 1, 50));
  EXPECT_EQ(step.value, 165'293);
  EXPECT_EQ(step.next, milliseconds(1001));
}

TEST(Zhang2016, DoesNothingWhileNothingIsPending) {
  const auto controller = made(zhang2016_entry(), 100'000);
  const ControllerStep step = controller->step(state(0, 1, 50));
  EXPECT_EQ(step.value, std::nullopt);
  EXPECT_EQ(step.next, milliseconds(1001));
}

// A full cluster is looked at ten times, a second apart; then the share falls by the least change:
// √((1 − 0.95) × 100) / 100 = 0.02236.
TEST(Zhang2016, LooksTenTimesBeforeItFalls) {
  const auto controller = made(zhang2016_entry(), 500'000);
  for (int look = 1; look < 10; ++look) {
    const ControllerStep step = controller->step(state(3, 1, 100));
    EXPECT_EQ(step.value, std::nullopt) << look;
    EXPECT_EQ(step.next, seconds(1)) << look;
  }
  const ControllerStep last = controller->step(state(3, 1, 100));
  ASSERT_TRUE(last.value);
  EXPECT_NEAR(static_cast<double>(*last.value), 477'639, 1);
  EXPECT_EQ(last.next, milliseconds(1001));
}

TEST(Zhang2016, StaysWithinItsBounds) {
  const auto high = made(zhang2016_entry(), 990'000);
  EXPECT_EQ(high->step(state(3, 1, 0)).value, 1'000'000);
  EXPECT_EQ(high->step(state(3, 1, 0)).value, std::nullopt);
  // It begins at its least value: 0.1 + √((0.9 − 0.89 × 1.8 / 1.9) × 100) / 100.
  EXPECT_EQ(made(zhang2016_entry(), 0)->step(state(3, 1, 89)).value, 123'842);
}

}  // namespace
}  // namespace tracebed
