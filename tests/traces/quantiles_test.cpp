#include "traces/parts/quantiles.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/random.h"
#include "traces/parts/statistics.h"

namespace tracebed {
namespace {

TEST(Quantiles, AreValuesAtTheNearestPosition) {
  Quantiles values(100);
  for (const std::int64_t value : {40, 10, 30, 20}) values.add(value);
  // Positions 0 to 3: 0.5 × 3 = 1.5 rounds up to 2, 0.49 × 3 = 1.47 down to 1.
  EXPECT_EQ(values.percentile(0), 10);
  EXPECT_EQ(values.percentile(49), 20);
  EXPECT_EQ(values.percentile(50), 30);
  EXPECT_EQ(values.percentile(99), 40);
  EXPECT_TRUE(values.is_exact());
  EXPECT_EQ(values.mean(), 25);
}

TEST(Quantiles, OfNothingAreZero) {
  Quantiles values(10);
  EXPECT_EQ(values.percentile(50), 0);
  EXPECT_EQ(values.minimum(), 0);
  EXPECT_EQ(values.mean(), 0);
}

TEST(Quantiles, AnswerAgainAfterMoreValues) {
  Quantiles values(10);
  values.add(5);
  EXPECT_EQ(values.percentile(50), 5);
  values.add(1);
  values.add(2);
  EXPECT_EQ(values.percentile(50), 2);
}

TEST(Quantiles, StayWithinHalfAPercentOnceTheValuesAreMany) {
  Quantiles sketched(1000);
  std::vector<std::int64_t> all;
  Random random(7);
  for (int i = 0; i < 50'000; ++i) {
    const auto value = static_cast<std::int64_t>(random.lognormal(10, 4));
    all.push_back(value);
    sketched.add(value);
  }
  std::sort(all.begin(), all.end());
  EXPECT_FALSE(sketched.is_exact());
  for (const unsigned percent : {0u, 1u, 25u, 50u, 75u, 90u, 99u, 100u}) {
    const auto exact = static_cast<double>(all[(percent * 49'999 + 50) / 100]);
    EXPECT_NEAR(static_cast<double>(sketched.percentile(percent)), exact, 0.0051 * exact + 0.5)
        << percent;
  }
}

TEST(Quantiles, KeepZerosAndTheLargestNumbersApart) {
  Quantiles values(0);
  values.add(0);
  values.add(0);
  values.add(9'223'372'036'854'775'807);
  EXPECT_EQ(values.percentile(50), 0);
  EXPECT_EQ(values.percentile(100), 9'223'372'036'854'775'807);
}

TEST(Quantiles, SumBeyond64Bits) {
  Quantiles values(10);
  for (int i = 0; i < 4; ++i) {
    values.add(std::int64_t{1} << 62);
    values.add(std::int64_t{3} << 60);
  }
  // 4 × (4 + 3) × 2^60.
  EXPECT_EQ(values.sum(), std::ldexp(28.0, 60));
}

TEST(LoadOverTime, WidensItsSpansAndLosesNothing) {
  LoadOverTime load;
  for (std::int64_t minute = 0; minute < 1000; ++minute) load.add(minute * 60'000'000, 2);
  EXPECT_LE(load.spans().size(), LoadOverTime::spans_max);
  EXPECT_EQ(load.span_microseconds(), 30 * 60'000'000);  // the first width of which 96 reach so far
  std::uint64_t jobs = 0;
  double work = 0;
  for (const auto& span : load.spans()) {
    jobs += span.jobs;
    work += span.vcore_seconds;
  }
  EXPECT_EQ(jobs, 1000u);
  EXPECT_EQ(work, 2000);
  EXPECT_EQ(load.spans()[0].jobs, 30u);
  EXPECT_EQ(load.spans()[1].jobs, 30u);
}

TEST(LoadOverTime, JoinsSpansForWhoeverWantsFewer) {
  LoadOverTime load;
  for (std::int64_t hour = 0; hour < 25; ++hour) load.add(hour * 3'600'000'000, 1);
  EXPECT_EQ(load.span_microseconds(), 30 * 60'000'000LL);
  load.widen_to(24);
  EXPECT_EQ(load.span_microseconds(), 2 * 3'600'000'000LL);  // 25 spans of an hour are too many
  ASSERT_EQ(load.spans().size(), 13u);
  EXPECT_EQ(load.spans()[0].jobs, 2u);
  EXPECT_EQ(load.spans()[12].jobs, 1u);
  EXPECT_EQ(load.spans()[12].vcore_seconds, 1);
}

TEST(LoadOverTime, TakesAJumpFarAhead) {
  LoadOverTime load;
  load.add(0, 1);
  load.add(1'000'000'000'000'000'000, 1);
  EXPECT_LE(load.spans().size(), LoadOverTime::spans_max);
  // 10^12 s are 385,802 times thirty days: 4096 of them at once leave 95 spans.
  EXPECT_EQ(load.span_microseconds(), 4096 * 30 * 86'400'000'000);
  EXPECT_EQ(load.spans().front().jobs, 1u);
  EXPECT_EQ(load.spans().back().jobs, 1u);
}

}  // namespace
}  // namespace tracebed
