#include "report/job_blocks.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/random.h"

namespace tracebed {
namespace {

// x(i) = correlation x(i − 1) + noise, of variance 1.
std::vector<double> series(std::size_t count, double correlation) {
  Random random(9);
  std::vector<double> values;
  double value = random.normal();
  for (std::size_t i = 0; i < count; ++i) {
    value = correlation * value + std::sqrt(1 - correlation * correlation) * random.normal();
    values.push_back(value);
  }
  return values;
}

TEST(BlockLength, OfIndependentValuesIsShort) {
  EXPECT_LE(block_length(series(5'000, 0)).value(), 5u);
}

// G / g(0) = 2 × 0.9 / (1 − 0.81) = 9.47, so b = (1.5 × 9.47² × 5000)^⅓ = 88.
TEST(BlockLength, GrowsWithTheDependenceOfNeighbours) {
  EXPECT_NEAR(static_cast<double>(block_length(series(5'000, 0.9)).value()), 88, 35);
  EXPECT_GT(block_length(series(50'000, 0.99)).value(), 400u);
}

TEST(BlockLength, OfEqualValuesIsOne) {
  EXPECT_EQ(block_length(std::vector<double>(20, 3.0)), 1u);
}

TEST(BlockLength, IsRefusedWhereTheSeriesIsShorterThanAFewBlocks) {
  EXPECT_EQ(block_length(std::vector<double>(7, 3.0)), std::nullopt);
  EXPECT_EQ(block_length(series(200, 0.99)), std::nullopt);
  std::vector<double> rising;
  for (int i = 0; i < 1'000; ++i) rising.push_back(i);
  EXPECT_EQ(block_length(rising), std::nullopt);
}

// Deviations −1, −1, 1, 1. One by one: four draws of variance 1. In blocks of two, whose sums are
// −2, 0, 2, 0: two draws of variance 2.
TEST(StandardErrorByBlocks, IsThatOfTheMeanOfDrawnBlocks) {
  const std::vector<double> values{1, 1, 3, 3};
  EXPECT_DOUBLE_EQ(standard_error_by_blocks(values, 1), std::sqrt(4.0) / 4);
  EXPECT_DOUBLE_EQ(standard_error_by_blocks(values, 2), std::sqrt(2 * 2.0) / 4);
  EXPECT_EQ(standard_error_by_blocks(std::vector<double>{5}, 1), 0);
}

// The variance of the mean of n is g(0) / n, and g(0) = (1 + 0.9) / (1 − 0.9) = 19.
TEST(StandardErrorByBlocks, SeesWhatNeighboursShare) {
  const std::vector<double> values = series(20'000, 0.9);
  const double expected = std::sqrt(19.0 / 20'000);
  EXPECT_NEAR(standard_error_by_blocks(values, block_length(values).value()), expected,
              0.2 * expected);
  EXPECT_LT(standard_error_by_blocks(values, 1), 0.3 * expected);
}

}  // namespace
}  // namespace tracebed
