#include "report/job_statistics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "report/job_blocks.h"
#include "report/percentiles.h"

namespace tracebed {
namespace {

std::vector<double> exponential_values(std::size_t count) {
  Random random(3);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(random.exponential(5));
  return values;
}

TEST(RankedColumn, TellsTheStatisticsOfItsValues) {
  EXPECT_EQ(RankedColumn({30, 10, 20, 40}).statistics(), (JobStatistics{25, 20, 40, 40}));
  EXPECT_EQ(RankedColumn({}).statistics(), (JobStatistics{0, 0, 0, 0}));
}

TEST(RankedColumn, AgreesWithTheDefinitionOnManyValues) {
  std::vector<double> values = exponential_values(777);
  const JobStatistics statistics = RankedColumn(values).statistics();
  const Spread spread = spread_of(values);
  EXPECT_NEAR(statistics[0], spread.mean, 1e-12);
  EXPECT_EQ(statistics[1], spread.p50);
  EXPECT_EQ(statistics[2], spread.p95);
  EXPECT_EQ(statistics[3], spread.p99);
}

TEST(RankedColumn, TheContributionsToAMeanAreTheValues) {
  std::vector<double> sums{1, 1, 1};
  RankedColumn({3, 5, 7}).add_contributions(0, 2, sums);
  EXPECT_EQ(sums, (std::vector<double>{7, 11, 15}));
}

// Of n independent values with density f at its p-quantile, a percentile has the standard error
// √(p (1 − p) / n) / f. Of an exponential distribution with mean 5, f = (1 − p) / 5 there.
TEST(RankedColumn, ContributionsVaryAsThePercentileDoes) {
  constexpr std::size_t count = 40'000;
  const RankedColumn column(exponential_values(count));
  const std::array<double, 3> probabilities{0.5, 0.95, 0.99};
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    std::vector<double> sums(count);
    column.add_contributions(1 + i, 1, sums);
    const double p = probabilities[i];
    const double expected = std::sqrt(p * (1 - p) / count) * 5 / (1 - p);
    EXPECT_NEAR(standard_error_by_blocks(sums, 1), expected, 0.15 * expected) << p;
    EXPECT_NEAR(std::accumulate(sums.begin(), sums.end(), 0.0) / count, 0, 0.01 * expected) << p;
  }
}

}  // namespace
}  // namespace tracebed
