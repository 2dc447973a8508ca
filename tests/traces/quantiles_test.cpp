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

// What one stream of values is drawn from.
enum class Shape { log_normal, uniform, powers, few, bimodal };

std::int64_t draw(Shape shape, Random& random) {
  switch (shape) {
    case Shape::log_normal:
      return static_cast<std::int64_t>(std::min(random.lognormal(10, 4), 9e18));
    case Shape::uniform:
      return static_cast<std::int64_t>(random.below(std::uint64_t{1} << 62));
    case Shape::powers:  // and their neighbours, where buckets begin and end
      return std::max<std::int64_t>(0, (std::int64_t{1} << random.below(62)) +
                                           static_cast<std::int64_t>(random.below(3)) - 1);
    case Shape::few:
      return static_cast<std::int64_t>(random.below(300));
    case Shape::bimodal:
      return random.below(2) == 0 ? 1000
                                  : 1'000'000'000 + static_cast<std::int64_t>(random.below(50));
  }
  return 0;
}

TEST(Quantiles, AreWithinHalfAPercentOfTheExactOnesWhateverComes) {
  for (const Shape shape :
       {Shape::log_normal, Shape::uniform, Shape::powers, Shape::few, Shape::bimodal}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Random random(seed * 5 + static_cast<std::uint64_t>(shape));
      Quantiles sketched(random.below(2) == 0 ? 0 : 64);
      Quantiles exact(SIZE_MAX);
      std::vector<std::int64_t> all;
      double sum = 0;
      const std::uint64_t draws = 1 + random.below(10'000);
      for (std::uint64_t i = 0; i < draws; ++i) {
        const std::int64_t value = draw(shape, random);
        const std::uint64_t times = random.below(10) == 0 ? random.below(5) : 1;
        all.insert(all.end(), times, value);
        sum += static_cast<double>(value) * static_cast<double>(times);
        sketched.add(value, times);
        exact.add(value, times);
      }
      if (all.empty()) continue;
      std::sort(all.begin(), all.end());
      EXPECT_TRUE(exact.is_exact());
      EXPECT_EQ(sketched.count(), all.size());
      EXPECT_EQ(sketched.minimum(), all.front());
      EXPECT_EQ(sketched.maximum(), all.back());
      EXPECT_NEAR(sketched.sum(), sum, 1e-9 * sum);
      EXPECT_EQ(sketched.sum(), exact.sum());
      for (unsigned percent = 0; percent <= 100; ++percent) {
        const std::int64_t wanted = all[(percent * (all.size() - 1) + 50) / 100];
        ASSERT_EQ(exact.percentile(percent), wanted);
        const auto error = static_cast<double>(sketched.percentile(percent) - wanted);
        ASSERT_LE(std::abs(error), Quantiles::relative_error * static_cast<double>(wanted))
            << "seed " << seed << ", p" << percent << " of " << all.size();
      }
    }
  }
}

TEST(Quantiles, StayExactHoweverManyEqualValuesCome) {
  Quantiles values(1 << 16);
  for (std::int64_t i = 0; i < 1'000'000; ++i) values.add(i % 1000);
  EXPECT_TRUE(values.is_exact());
  EXPECT_EQ(values.percentile(50), 500);
  for (std::int64_t i = 0; i < 200'000; ++i) values.add(i * 7);
  EXPECT_FALSE(values.is_exact());
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
