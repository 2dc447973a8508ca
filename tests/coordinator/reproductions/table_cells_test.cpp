#include "coordinator/reproductions/table_cells.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using ::testing::IsEmpty;

MeasuredRun run_of(std::uint32_t repetition, double makespan,
                   RunOutcome outcome = RunOutcome::complete) {
  MeasuredRun run;
  run.experiment = "e";
  run.label = "s";
  run.repetition = repetition;
  run.outcome = outcome;
  run.metrics.makespan = makespan;
  return run;
}

MeasuredRuns pointers(const std::vector<MeasuredRun>& runs) {
  MeasuredRuns all;
  for (const MeasuredRun& run : runs) all.push_back(&run);
  return all;
}

// By hand: of 10, 12 and 14 the mean is 12 and the standard error 2 / √3 = 1.1547; Student's t of
// two degrees of freedom exceeds 4.3027 with probability 0.025, so the interval is 12 ± 4.968.
TEST(TableCells, HaveTheMeanAndItsStudentInterval) {
  constexpr std::array<double, 3> values{10, 12, 14};
  const auto mean = mean_of(values);
  ASSERT_TRUE(mean && mean->interval);
  EXPECT_DOUBLE_EQ(mean->mean, 12);
  EXPECT_NEAR(mean->interval->low, 7.032, 0.001);
  EXPECT_NEAR(mean->interval->high, 16.968, 0.001);
}

TEST(TableCells, OfOneValueHaveNoInterval) {
  constexpr std::array<double, 1> values{10};
  const auto mean = mean_of(values);
  ASSERT_TRUE(mean);
  EXPECT_FALSE(mean->interval);
  EXPECT_EQ(figure_cell(pointers({run_of(1, 10)}), makespan_of).text, "10");
}

TEST(TableCells, OfNoRunsSayNothing) {
  EXPECT_FALSE(mean_of({}));
  const TableCell cell = figure_cell({}, makespan_of);
  EXPECT_EQ(cell.text, "-");
  EXPECT_FALSE(cell.value);
}

TEST(TableCells, LeaveOutRunsThatDidNotCompleteAndCountThem) {
  const std::vector<MeasuredRun> some{run_of(1, 10), run_of(2, 99, RunOutcome::stalled),
                                      run_of(3, 10)};
  const TableCell cell = figure_cell(pointers(some), makespan_of);
  EXPECT_EQ(cell.text, "10 (10..10); 1 of 3 stalled");
  EXPECT_EQ(cell.value, 10);
  const std::vector<MeasuredRun> none{run_of(1, 99, RunOutcome::stalled),
                                      run_of(2, 99, RunOutcome::stalled)};
  const TableCell stalled = figure_cell(pointers(none), makespan_of);
  EXPECT_EQ(stalled.text, "stalled");
  EXPECT_FALSE(stalled.value);
}

// Pairs are 100 → 50 and 200 → 150: −50 % and −25 %. Means alone would give −33 %.
TEST(TableCells, OfChangesPairRunsByRepetition) {
  const std::vector<MeasuredRun> baseline{run_of(1, 100), run_of(2, 200)};
  const std::vector<MeasuredRun> candidate{run_of(2, 150), run_of(1, 50)};
  const TableCell cell = change_cell(pointers(baseline), pointers(candidate), makespan_of);
  ASSERT_TRUE(cell.value);
  EXPECT_DOUBLE_EQ(*cell.value, -37.5);
}

TEST(TableCells, OfChangesNeedBothSidesOfAPair) {
  const std::vector<MeasuredRun> baseline{run_of(1, 100, RunOutcome::stalled), run_of(2, 200)};
  const std::vector<MeasuredRun> candidate{run_of(1, 50), run_of(2, 100)};
  const TableCell cell = change_cell(pointers(baseline), pointers(candidate), makespan_of);
  EXPECT_EQ(cell.text, "-50.0 %");
  EXPECT_EQ(change_cell({}, pointers(candidate), makespan_of).text, "-");
}

// By hand: of the default's 100 and 200 the candidate is 20 and 30 above the reference: 20 and 15
// points.
TEST(TableCells, OfPointsCompareTwoInPercentOfAThird) {
  const std::vector<MeasuredRun> baseline{run_of(1, 100), run_of(2, 200)};
  const std::vector<MeasuredRun> reference{run_of(1, 40), run_of(2, 80)};
  const std::vector<MeasuredRun> candidate{run_of(1, 60), run_of(2, 110)};
  const ByRepetition points =
      changes_of(pointers(baseline), pointers(reference), pointers(candidate), makespan_of);
  EXPECT_THAT(points, ::testing::ElementsAre(std::pair(1u, 20.0), std::pair(2u, 15.0)));
  EXPECT_TRUE(percent_cell(points, true).text.starts_with("+17.5 points (")) << "their mean";
}

TEST(TableCells, AverageGroupsWithinTheRepetitionsThatAllHave) {
  const std::vector<ByRepetition> groups{{{1, 10}, {2, 20}, {3, 30}}, {{1, -10}, {3, 0}}};
  EXPECT_THAT(mean_by_repetition(groups),
              ::testing::ElementsAre(std::pair(1u, 0.0), std::pair(3u, 15.0)));
  EXPECT_TRUE(mean_by_repetition({}).empty());
  EXPECT_EQ(percent_cell({}).text, "-");
}

TEST(ReproductionResults, GiveTheRunsOfAnExperimentAndSchedulerByRepetition) {
  ReproductionResults results;
  for (const std::uint32_t repetition : {3U, 1U, 2U}) results.add(run_of(repetition, 10));
  const MeasuredRuns found = results.find("e", "s");
  ASSERT_EQ(found.size(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(found[i]->repetition, i + 1);
  EXPECT_THAT(results.find("e", "other"), IsEmpty());
  EXPECT_THAT(results.find("other", "s"), IsEmpty());
}

}  // namespace
}  // namespace tracebed
