#include "report/log_histogram.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/random.h"

namespace tracebed {
namespace {

TEST(LogHistogram, CountsSmallValuesOneByOne) {
  LogHistogram histogram;
  for (int i = 1; i <= 2000; ++i) histogram.add(microseconds(i));
  const Spread spread = histogram.spread();
  EXPECT_EQ(spread.count, 2000u);
  EXPECT_DOUBLE_EQ(spread.mean, 1000.5e-6);
  EXPECT_DOUBLE_EQ(spread.p50, 1000e-6);
  EXPECT_DOUBLE_EQ(spread.p95, 1900e-6);
  EXPECT_DOUBLE_EQ(spread.p99, 1980e-6);
  EXPECT_DOUBLE_EQ(spread.max, 2000e-6);
}

TEST(LogHistogram, TellsAConstantExactly) {
  LogHistogram histogram;
  for (int i = 0; i < 10; ++i) histogram.add(microseconds(899'999));
  EXPECT_DOUBLE_EQ(histogram.spread().p50, 0.899999);
  EXPECT_DOUBLE_EQ(histogram.spread().p99, 0.899999);
}

TEST(LogHistogram, OrdersNegativeBeforePositive) {
  LogHistogram histogram;
  for (int value : {-3'000'000, -5, 0, 7}) histogram.add(microseconds(value));
  EXPECT_DOUBLE_EQ(histogram.spread().p50, -5e-6);
  EXPECT_DOUBLE_EQ(histogram.spread().max, 7e-6);
  EXPECT_DOUBLE_EQ(histogram.spread().mean, -2'999'998 / 4e6);
  LogHistogram all_negative;
  for (int value : {-3'000'000, -20}) all_negative.add(microseconds(value));
  EXPECT_DOUBLE_EQ(all_negative.spread().p50, -3);
  EXPECT_DOUBLE_EQ(all_negative.spread().p99, -20e-6);
  EXPECT_DOUBLE_EQ(all_negative.spread().max, -20e-6);
}

TEST(LogHistogram, IsWithinAThousandthOfTheExactPercentile) {
  Random random(7);
  LogHistogram histogram;
  std::vector<double> values;
  for (int i = 0; i < 20'000; ++i) {
    const auto value = static_cast<std::int64_t>(random.lognormal(13, 3));
    histogram.add(microseconds(value));
    values.push_back(to_seconds(microseconds(value)));
  }
  const Spread exact = spread_of(values);
  const Spread told = histogram.spread();
  EXPECT_NEAR(told.p50, exact.p50, exact.p50 / 1000);
  EXPECT_NEAR(told.p95, exact.p95, exact.p95 / 1000);
  EXPECT_NEAR(told.p99, exact.p99, exact.p99 / 1000);
  EXPECT_DOUBLE_EQ(told.max, exact.max);
}

TEST(LogHistogram, OfNothingIsZero) {
  EXPECT_EQ(LogHistogram().spread(), Spread());
}

}  // namespace
}  // namespace tracebed
