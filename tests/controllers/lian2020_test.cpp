// Algorithms 1 to 3 of Lian and Liu (2020), with steps worked by hand.
#include "controllers/lian2020.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "controllers/cluster_states.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using testing::state;
using Counts = Lian2020Options::Counts;
using Branch = Lian2020Branch;

// More jobs wait in each period, and there is room.
std::vector<std::int64_t> increases(Lian2020Options options, std::int64_t from, int periods) {
  Lian2020 controller(options, from);
  std::vector<std::int64_t> values;
  for (int i = 1; i <= periods; ++i) {
    controller.step(state(static_cast<std::uint32_t>(i), 0, 10));
    values.push_back(controller.value());
  }
  return values;
}

// (A_max − A) / 2^n from n = 1: 0.85 / 2, then 0.425 / 4; 0.31875 / 8 is below the step of 0.05.
TEST(Lian2020, RisesByHalvesThatShrinkAndThenByTheStep) {
  EXPECT_THAT(increases({}, 100'000, 4), ElementsAre(525'000, 631'250, 681'250, 731'250));
  EXPECT_THAT(increases({}, 500'000, 6),
              ElementsAre(725'000, 781'250, 831'250, 881'250, 931'250, 950'000));
}

// (A − A_min) / 2^n with n as it grows by each change of A: 0.9 / 2, 0.45 / 4; then the step.
TEST(Lian2020, FallsLikewise) {
  Lian2020Options options;
  options.counts = Counts::adjust;
  Lian2020 high(options, 950'000);
  std::vector<std::int64_t> values;
  high.step(state(0, 50, 10));
  for (std::uint32_t running = 40; running > 37; --running) {
    high.step(state(0, running, 10));
    values.push_back(high.value());
  }
  EXPECT_THAT(values, ElementsAre(500'000, 387'500, 337'500));
  Lian2020 middle(options, 500'000);
  middle.step(state(0, 50, 10));
  values.clear();
  for (std::uint32_t running = 40; running > 34; --running) {
    middle.step(state(0, running, 10));
    values.push_back(middle.value());
  }
  EXPECT_THAT(values, ElementsAre(275'000, 218'750, 168'750, 118'750, 68'750, 50'000));
}

TEST(Lian2020, HasItsBranchesByPendingRunningAndMemory) {
  struct Case {
    ControllerInput before;
    ControllerInput now;
    Branch branch;
    int direction;  // of A
  };
  const Case cases[] = {
      {state(0, 5, 50), state(0, 5, 50), Branch::idle, 0},
      {state(0, 5, 50), state(0, 6, 50), Branch::idle, 0},
      {state(0, 5, 50), state(0, 4, 50), Branch::drains, -1},
      {state(3, 5, 50), state(0, 4, 50), Branch::drains, -1},
      {state(3, 5, 50), state(4, 5, 50), Branch::under, 1},
      // Tasks have 90 − 50 = 40 % at 25 masters of 2 GiB.
      {state(3, 25, 90), state(3, 25, 90), Branch::over_early, -1},
      {state(3, 25, 90), state(4, 25, 90), Branch::under, 1},  // line 11 comes first
      {state(3, 20, 90), state(3, 20, 90), Branch::busy, 0},   // 50 % is not below T2
      {state(3, 25, 80), state(3, 25, 80), Branch::busy, 0},   // 80 % is not above T3
      {state(3, 26, 100), state(9, 26, 100), Branch::over_full, -1},
      {state(3, 25, 100), state(9, 25, 100), Branch::full, 0},
      {state(3, 60, 100), state(3, 60, 100), Branch::over_full, -1},  // masters alone
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(::testing::Message() << "P " << one.now.pending << ", R " << one.now.running
                                      << ", used " << one.now.memory_used_mib);
    Lian2020 controller({}, 500'000);
    controller.step(one.before);
    const std::int64_t before = controller.value();
    const ControllerStep step = controller.step(one.now);
    EXPECT_EQ(controller.branch(), one.branch);
    const std::int64_t change = controller.value() - before;
    EXPECT_EQ(change > 0 ? 1 : change < 0 ? -1 : 0, one.direction);
    EXPECT_EQ(step.value.has_value(), one.direction != 0);
    EXPECT_EQ(step.next, seconds(15));
  }
}

// The first period compares with nothing pending and nothing running.
TEST(Lian2020, BeginsWithNothingBefore) {
  Lian2020 burst({}, 100'000);
  burst.step(state(30, 0, 0));
  EXPECT_EQ(burst.branch(), Branch::under);
  Lian2020 running({}, 100'000);
  running.step(state(0, 5, 50));
  EXPECT_EQ(running.branch(), Branch::idle);
}

TEST(Lian2020, WithTheTextsOrderTestsCaseTwoFirst) {
  Lian2020Options options;
  options.case_2 = Lian2020Options::Case2::text;
  Lian2020 controller(options, 500'000);
  controller.step(state(3, 25, 90));
  controller.step(state(4, 25, 90));
  EXPECT_EQ(controller.branch(), Branch::over_early);
}

// 24 masters count as 48 GiB by the formula, and have 60.
TEST(Lian2020, CountsTheMemoryOfMastersByTheFormulaOrExactly) {
  for (const auto& [masters, branch] :
       {std::pair(Lian2020Options::Masters::estimate, Branch::full),
        std::pair(Lian2020Options::Masters::exact, Branch::over_full)}) {
    Lian2020Options options;
    options.masters = masters;
    Lian2020 controller(options, 500'000);
    ControllerInput full = state(3, 24, 100);
    full.masters_mib = 60 * 1024;
    controller.step(full);
    EXPECT_EQ(controller.branch(), branch);
  }
}

std::uint32_t n_after(Lian2020Options options, const std::vector<ControllerInput>& states,
                      std::int64_t from = 500'000) {
  Lian2020 controller(options, from);
  for (const ControllerInput& input : states) controller.step(input);
  return controller.n();
}

TEST(Lian2020, CountsItsStepsInEachOfTheThreeReadings) {
  const std::vector<ControllerInput> states{state(0, 0, 0), state(5, 0, 50), state(5, 5, 50),
                                            state(0, 5, 50), state(0, 4, 50)};
  const auto n = [&](Counts counts) {
    Lian2020Options options;
    options.counts = counts;
    return n_after(options, states);
  };
  EXPECT_EQ(n(Counts::period), 6u);   // five periods
  EXPECT_EQ(n(Counts::pending), 3u);  // two with pending jobs
  EXPECT_EQ(n(Counts::adjust), 3u);   // a rise and a fall
}

// Drained at A_min: n is 1, and counts this period or not.
TEST(Lian2020, BeginsToCountAgainWhenTheClusterHasDrainedAtTheLeastShare) {
  const std::vector<ControllerInput> states{state(5, 1, 50), state(5, 1, 50), state(0, 1, 50),
                                            state(0, 0, 0)};
  const auto n = [&](Counts counts, bool is_first, std::int64_t from) {
    Lian2020Options options;
    options.counts = counts;
    options.adjust_counts_first = is_first;
    options.bounds = {50'000, 60'000};  // any fall reaches the least share
    return n_after(options, states, from);
  };
  EXPECT_EQ(n(Counts::period, false, 60'000), 2u);
  EXPECT_EQ(n(Counts::pending, false, 60'000), 1u);
  EXPECT_EQ(n(Counts::adjust, false, 60'000), 2u);
  EXPECT_EQ(n(Counts::adjust, true, 60'000), 1u);
}

TEST(Lian2020, GoesOnCountingWhenTheClusterDrainsAboveTheLeastShare) {
  EXPECT_EQ(n_after({}, {state(0, 1, 50), state(0, 0, 0)}), 3u);
  Lian2020Options drained;
  drained.bounds = {500'000, 950'000};
  EXPECT_EQ(n_after(drained, {state(0, 2, 50), state(0, 1, 50)}), 3u);  // not to the end
}

TEST(Lian2020, CountsChangesThatItsBoundMakesVoidIfToldTo) {
  Lian2020Options options;
  options.counts = Counts::adjust;
  const std::vector<ControllerInput> states{state(1, 0, 50), state(2, 0, 50)};
  EXPECT_EQ(n_after(options, states, 950'000), 1u);
  options.adjust_counts_void = true;
  EXPECT_EQ(n_after(options, states, 950'000), 3u);
}

TEST(Lian2020, WantsNothingWhereAStaysAtItsBound) {
  Lian2020 controller({}, 950'000);
  EXPECT_FALSE(controller.step(state(1, 0, 50)).value);
}

TEST(Lian2020, BeginsAtTheNearestBoundOfAFilesValueOutside) {
  EXPECT_EQ(Lian2020({}, 0).value(), 50'000);
  EXPECT_EQ(Lian2020({}, 1'000'000).value(), 950'000);
  EXPECT_EQ(Lian2020({}, -1).value(), 950'000);  // without limit
}

TEST(Lian2020, GoesBackToTheValueInForceWhenAChangeIsRefused) {
  Lian2020 controller({}, 100'000);
  controller.step(state(1, 0, 10));
  EXPECT_EQ(controller.value(), 525'000);
  controller.refused(100'000);
  EXPECT_EQ(controller.value(), 100'000);
}

TEST(Lian2020, HoldsAfterAChangeIfToldTo) {
  Lian2020Options options;
  options.hold = 2;
  Lian2020 controller(options, 100'000);
  std::vector<std::int64_t> values;
  for (std::uint32_t pending = 1; pending <= 4; ++pending) {
    controller.step(state(pending, 0, 10));
    values.push_back(controller.value());
  }
  // The fourth is the second change: 0.425 / 2^4 is below the step.
  EXPECT_THAT(values, ElementsAre(525'000, 525'000, 525'000, 575'000));
}

// A cluster without machines has no shares.
TEST(Lian2020, TakesAClusterWithoutMemory) {
  Lian2020 controller({}, 500'000);
  ControllerInput empty;
  empty.pending = 5;
  controller.step(empty);
  EXPECT_EQ(controller.branch(), Branch::full);
}

// Whatever it sees, in every reading.
TEST(Lian2020, KeepsItsShareWithinTheBounds) {
  std::uint64_t drawn = 1;
  const auto draw = [&](std::uint64_t below) {
    drawn = drawn * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return (drawn >> 33) % below;
  };
  for (const Counts counts : {Counts::period, Counts::pending, Counts::adjust}) {
    for (int run = 0; run < 200; ++run) {
      Lian2020Options options;
      options.counts = counts;
      options.step = static_cast<std::int64_t>(draw(1'000'001));
      options.case_2 = static_cast<Lian2020Options::Case2>(draw(2));
      Lian2020 controller(options, static_cast<std::int64_t>(draw(1'000'001)));
      for (int period = 0; period < 200; ++period) {
        controller.step(state(static_cast<std::uint32_t>(draw(4)),
                              static_cast<std::uint32_t>(draw(60)),
                              static_cast<std::int64_t>(draw(101))));
        ASSERT_GE(controller.value(), options.bounds.low);
        ASSERT_LE(controller.value(), options.bounds.high);
      }
    }
  }
}

}  // namespace
}  // namespace tracebed
