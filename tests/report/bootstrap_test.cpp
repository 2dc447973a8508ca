#include "report/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "report/percentiles.h"

namespace tracebed {
namespace {

BootstrapRun run_of(std::vector<double> jobs, double figure) {
  BootstrapRun run;
  run.columns.emplace_back(std::move(jobs));
  run.run_figures = {figure};
  return run;
}

TEST(RankedColumn, TellsTheStatisticsOfWeightedValues) {
  const RankedColumn column({30, 10, 20, 40});
  EXPECT_EQ(column.statistics(), (JobStatistics{25, 20, 40, 40}));
  const std::vector<std::uint16_t> weights{0, 3, 1, 0};  // 10, 10, 10, 20
  EXPECT_EQ(column.statistics(weights), (JobStatistics{12.5, 10, 20, 20}));
}

TEST(RankedColumn, AgreesWithTheDefinitionOnManyValues) {
  Random random(3);
  std::vector<double> values;
  for (int i = 0; i < 777; ++i) values.push_back(random.exponential(5));
  const RankedColumn column(values);
  const Spread spread = spread_of(values);
  const JobStatistics statistics = column.statistics();
  EXPECT_NEAR(statistics[0], spread.mean, 1e-12);
  EXPECT_EQ(statistics[1], spread.p50);
  EXPECT_EQ(statistics[2], spread.p95);
  EXPECT_EQ(statistics[3], spread.p99);
}

TEST(BootstrapPlan, DrawsJobsInBlocksWhereThereIsOneRepetition) {
  const std::vector<BootstrapSubject> subjects(2, {{run_of(std::vector<double>(27, 1.0), 1)}});
  const BootstrapPlan plan = plan_bootstrap(subjects, true);
  EXPECT_TRUE(plan.draws_jobs);
  EXPECT_FALSE(plan.draws_repetitions);
  EXPECT_EQ(plan.block_jobs, 3u);
  EXPECT_EQ(plan.replicates, 2000u);
}

TEST(BootstrapPlan, DrawsOnlyRepetitionsWhereThereAreSix) {
  const BootstrapSubject five{std::vector<BootstrapRun>(5, run_of({1, 2}, 1))};
  const BootstrapSubject six{std::vector<BootstrapRun>(6, run_of({1, 2}, 1))};
  EXPECT_TRUE(plan_bootstrap(std::vector{six, five}, false).draws_jobs);
  EXPECT_FALSE(plan_bootstrap(std::vector{six, six}, true).draws_jobs);
  EXPECT_TRUE(plan_bootstrap(std::vector{six, six}, true).repetitions_are_paired);
}

// All that could be drawn is the one job itself: an interval of no width.
TEST(BootstrapPlan, DrawsNothingOfASingleJob) {
  const std::vector<BootstrapSubject> subjects(2, {{run_of({1}, 1)}});
  EXPECT_FALSE(plan_bootstrap(subjects, true).draws_jobs);
}

TEST(BootstrapPlan, BoundsTheWorkOfVeryManyJobs) {
  const std::vector<BootstrapSubject> subjects(2,
                                               {{run_of(std::vector<double>(1'000'000, 1.0), 1)}});
  EXPECT_EQ(plan_bootstrap(subjects, true).replicates, 200u);
}

// Of four jobs, two took no time and two took one second: the mean of four draws is k/4 with the
// binomial probability C(4, k)/16.
TEST(Bootstrap, DrawsJobsWithReplacement) {
  const std::vector<BootstrapSubject> subjects{{{run_of({0, 1, 0, 1}, 1)}}};
  const BootstrapPlan plan = plan_bootstrap(subjects, true);
  ASSERT_EQ(plan.block_jobs, 1u);
  const Replicates replicates = draw_replicates(subjects, plan, 1);
  const std::vector<double>& means = replicates[0][0];
  ASSERT_EQ(means.size(), 2000u);
  const auto n = static_cast<double>(means.size());
  const std::array<double, 5> probability{1 / 16.0, 4 / 16.0, 6 / 16.0, 4 / 16.0, 1 / 16.0};
  for (std::size_t k = 0; k < probability.size(); ++k) {
    const auto count =
        static_cast<double>(std::count(means.begin(), means.end(), 0.25 * static_cast<double>(k)));
    const double deviation = std::sqrt(n * probability[k] * (1 - probability[k]));
    EXPECT_NEAR(count, n * probability[k], 4 * deviation) << k;
  }
}

TEST(Bootstrap, DrawsBlocksOfNeighbours) {
  // Eight jobs, so blocks of two; the last job's neighbour is the first.
  const std::vector<BootstrapSubject> subjects{{{run_of({8, 0, 0, 0, 0, 0, 0, 8}, 1)}}};
  const BootstrapPlan plan = plan_bootstrap(subjects, true);
  ASSERT_EQ(plan.block_jobs, 2u);
  const Replicates replicates = draw_replicates(subjects, plan, 1);
  double sum = 0;
  double squares = 0;
  for (double mean : replicates[0][0]) {
    sum += mean;
    squares += mean * mean;
  }
  const auto n = static_cast<double>(plan.replicates);
  // A block's sum is 0, 8 or 16 with probabilities 5/8, 2/8, 1/8: mean 4, variance 48 − 16 = 32.
  // The mean of eight jobs is the sum of four blocks over 8: variance 4 × 32 / 64 = 2. Drawn one by
  // one it would be 8 × 12 / 64 = 1.5.
  EXPECT_NEAR(sum / n, 2, 0.1);
  EXPECT_NEAR(squares / n - (sum / n) * (sum / n), 2, 0.2);
}

TEST(Bootstrap, GivesEverySchedulerTheSameJobs) {
  const std::vector<BootstrapSubject> subjects{{{run_of({1, 2, 3, 4, 50}, 1)}},
                                               {{run_of({2, 3, 4, 5, 51}, 1)}}};
  const Replicates replicates = draw_replicates(subjects, plan_bootstrap(subjects, true), 1);
  for (std::size_t i = 0; i < replicates[0][0].size(); ++i) {
    EXPECT_NEAR(replicates[1][0][i] - replicates[0][0][i], 1, 1e-12);
  }
}

TEST(Bootstrap, PairsRepetitions) {
  BootstrapSubject a;
  BootstrapSubject b;
  for (int repetition = 0; repetition < 6; ++repetition) {
    a.runs.push_back(run_of({}, 10.0 * repetition));
    b.runs.push_back(run_of({}, 10.0 * repetition + 3));
  }
  const std::vector<BootstrapSubject> subjects{a, b};
  const auto widest_difference = [&](bool paired) {
    const Replicates replicates = draw_replicates(subjects, plan_bootstrap(subjects, paired), 1);
    double widest = 0;
    for (std::size_t i = 0; i < replicates[0][4].size(); ++i) {
      widest = std::max(widest, std::abs(replicates[1][4][i] - replicates[0][4][i] - 3));
    }
    return widest;
  };
  EXPECT_LT(widest_difference(true), 1e-9);
  EXPECT_GT(widest_difference(false), 10);
}

TEST(Bootstrap, IsTheSameForTheSameSeed) {
  const std::vector<BootstrapSubject> subjects{{{run_of({1, 2, 3, 4, 50}, 1)}}};
  const BootstrapPlan plan = plan_bootstrap(subjects, true);
  EXPECT_EQ(draw_replicates(subjects, plan, 5), draw_replicates(subjects, plan, 5));
  EXPECT_NE(draw_replicates(subjects, plan, 5), draw_replicates(subjects, plan, 6));
}

std::vector<double> counting(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i));
  return values;
}

TEST(Bootstrap, IntervalLeavesOutTwoAndAHalfPerCentOnEachSide) {
  BootstrapPlan plan;
  plan.draws_jobs = true;
  std::vector<double> values = counting(2000);
  EXPECT_EQ(interval_of(1000, values, plan), (ConfidenceInterval{50, 1949}));
}

TEST(Bootstrap, IntervalHoldsTheEstimate) {
  BootstrapPlan plan;
  plan.draws_jobs = true;
  std::vector<double> values = counting(2000);
  EXPECT_EQ(interval_of(-7, values, plan), (ConfidenceInterval{-7, 1949}));
  EXPECT_EQ(interval_of(1999, values, plan), (ConfidenceInterval{50, 1999}));
}

TEST(Bootstrap, IntervalOfFewRepetitionsIsWidened) {
  // Six repetitions: t(5) = 2.571, × √(6/5) = 2.816, beyond which the normal has 0.24 %.
  BootstrapPlan plan;
  plan.repetitions_min = 6;
  std::vector<double> values = counting(10'000);
  EXPECT_EQ(interval_of(5000, values, plan), (ConfidenceInterval{24, 9975}));
  // A hundred: t(99) = 1.984, × √(100/99) = 1.994, 2.31 %.
  plan.repetitions_min = 100;
  values = counting(10'000);
  EXPECT_NEAR(interval_of(5000, values, plan).low, 231, 1);
}

}  // namespace
}  // namespace tracebed
