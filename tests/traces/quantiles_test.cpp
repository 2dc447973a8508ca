#include "traces/quantiles.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/random.h"
#include "traces/statistics.h"

namespace tracebed {
namespace {

TEST(Quantiles, TakeTheValueNearestToThePosition) {
  Quantiles values(100);
  for (const std::int64_t value : {40, 10, 30, 20}) values.add(value);
  // Positions 0 to 3: 0.5 × 3 = 1.5 rounds up to 2, 0.4 × 3 = 1.2 down to 1.
  EXPECT_EQ(values.at(0), 10);
  EXPECT_EQ(values.at(0.4), 20);
  EXPECT_EQ(values.at(0.5), 30);
  EXPECT_EQ(values.at(1), 40);
  EXPECT_TRUE(values.is_exact());
  EXPECT_EQ(values.mean(), 25);
}

TEST(Quantiles, OfNothingAreZero) {
  Quantiles values(10);
  EXPECT_EQ(values.at(0.5), 0);
  EXPECT_EQ(values.minimum(), 0);
  EXPECT_EQ(values.mean(), 0);
}

TEST(Quantiles, AnswerAgainAfterMoreValues) {
  Quantiles values(10);
  values.add(5);
  EXPECT_EQ(values.at(0.5), 5);
  values.add(1);
  values.add(2);
  EXPECT_EQ(values.at(0.5), 2);
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
  for (const double q : {0.0, 0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0}) {
    const auto exact = static_cast<double>(all[static_cast<std::size_t>(q * 49'999 + 0.5)]);
    EXPECT_NEAR(static_cast<double>(sketched.at(q)), exact, 0.0051 * exact + 0.5) << q;
  }
}

TEST(Quantiles, KeepZerosAndTheLargestNumbersApart) {
  Quantiles values(0);
  values.add(0);
  values.add(0);
  values.add(9'223'372'036'854'775'807);
  EXPECT_EQ(values.at(0.5), 0);
  EXPECT_EQ(values.at(1), 9'223'372'036'854'775'807);
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
  EXPECT_EQ(load.span_microseconds(), 16 * 60'000'000);  // 1000 / 96 minutes, to a power of two
  std::uint64_t jobs = 0;
  double work = 0;
  for (const auto& span : load.spans()) {
    jobs += span.jobs;
    work += span.vcore_seconds;
  }
  EXPECT_EQ(jobs, 1000u);
  EXPECT_EQ(work, 2000);
  EXPECT_EQ(load.spans()[0].jobs, 16u);
  EXPECT_EQ(load.spans()[1].jobs, 16u);
}

TEST(LoadOverTime, TakesAJumpFarAhead) {
  LoadOverTime load;
  load.add(0, 1);
  load.add(1'000'000'000'000'000'000, 1);
  EXPECT_LE(load.spans().size(), LoadOverTime::spans_max);
  EXPECT_EQ(load.spans().front().jobs, 1u);
  EXPECT_EQ(load.spans().back().jobs, 1u);
}

}  // namespace
}  // namespace tracebed
