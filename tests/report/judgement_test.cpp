#include "report/judgement.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tracebed {
namespace {

const RunPairs ten_pairs{10, 10, std::vector<std::pair<std::size_t, std::size_t>>(10)};

// `interval` is of the difference from a baseline of 100.
FigureDifference tested(double p, ConfidenceInterval interval) {
  FigureDifference figure;
  figure.baseline = 100;
  figure.difference = (interval.low + interval.high) / 2;
  RepetitionTest test;
  test.difference = figure.difference;
  test.standard_error = (interval.high - interval.low) / 2 / 2.262;
  test.degrees = 9;
  test.interval = interval;
  test.p = p;
  figure.test = test;
  return figure;
}

std::vector<ComparedFigure> figures(std::size_t count) {
  return std::vector<ComparedFigure>(count, {"jct", "JCT", "s", true, true, 0, 0});
}

std::vector<Verdict> verdicts(std::vector<FigureDifference>& differences,
                              const JudgementRules& rules = {0, 0.01, 1}) {
  judge(differences, figures(differences.size()), ten_pairs, rules);
  std::vector<Verdict> result;
  for (const FigureDifference& figure : differences) result.push_back(figure.verdict);
  return result;
}

TEST(Judgement, ThePrimaryFigureIsTestedAloneAndFirst) {
  std::vector<FigureDifference> differences{tested(0.04, {-9, -1}), tested(0.2, {-9, 2})};
  EXPECT_EQ(verdicts(differences), (std::vector{Verdict::better, Verdict::cannot_tell}));
  differences = {tested(0.06, {-9, 1}), tested(0.0001, {-9, -7})};
  EXPECT_EQ(verdicts(differences), (std::vector{Verdict::cannot_tell, Verdict::not_judged}));
  EXPECT_EQ(*differences[0].p_corrected, 0.06);
  EXPECT_FALSE(differences[1].p_corrected.has_value());
}

// 0.01 × 3, then 0.02 × 2, then 0.045 × 1: the second and third are as large as the largest before.
TEST(Judgement, TheOthersAreCorrectedByHolm) {
  std::vector<FigureDifference> differences{tested(0.001, {2, 9}), tested(0.045, {2, 9}),
                                            tested(0.01, {2, 9}), tested(0.03, {-9, -2})};
  EXPECT_EQ(verdicts(differences), (std::vector{Verdict::worse, Verdict::cannot_tell,
                                                Verdict::worse, Verdict::cannot_tell}));
  EXPECT_NEAR(*differences[2].p_corrected, 0.03, 1e-12);
  EXPECT_NEAR(*differences[3].p_corrected, 0.06, 1e-12);
  EXPECT_NEAR(*differences[1].p_corrected, 0.06, 1e-12);
}

// None of the others is surer than the primary figure, without which it would not be told.
TEST(Judgement, TheOthersHoldWithThePrimaryFigureOnly) {
  std::vector<FigureDifference> differences{tested(0.04, {2, 9}), tested(0.001, {2, 9})};
  verdicts(differences);
  EXPECT_EQ(*differences[1].p_corrected, 0.04);
}

TEST(Judgement, CandidatesShareTheLevel) {
  std::vector<FigureDifference> differences{tested(0.02, {-9, -1}), tested(0.005, {-9, -1})};
  EXPECT_EQ(verdicts(differences, {0, 0.01, 3}),
            (std::vector{Verdict::cannot_tell, Verdict::not_judged}));
  differences = {tested(0.01, {-9, -1}), tested(0.005, {-9, -1})};
  EXPECT_EQ(verdicts(differences, {0, 0.01, 3}), (std::vector{Verdict::better, Verdict::better}));
  EXPECT_NEAR(*differences[0].p_corrected, 0.03, 1e-12);
}

TEST(Judgement, ASureDifferenceMayNotMatter) {
  std::vector<FigureDifference> differences{tested(0.001, {0.2, 0.9})};
  EXPECT_EQ(verdicts(differences), std::vector{Verdict::no_difference});
  differences = {tested(0.001, {0.2, 1.1})};
  EXPECT_EQ(verdicts(differences), std::vector{Verdict::worse});
  differences = {tested(0.5, {-0.9, 0.9})};
  EXPECT_EQ(verdicts(differences), std::vector{Verdict::no_difference});
  differences = {tested(0.001, {0.2, 1.1})};
  EXPECT_EQ(verdicts(differences, {0, 0.02, 1}), std::vector{Verdict::no_difference});
}

// A standard error of 2.5/2.262 from ten pairs: a standard deviation of 3.5. To find 1 with 80 %:
// (2.05 + 0.84)² × 3.5² = 102 and two more for t.
TEST(Judgement, ItCountsTheRepetitionsThatWouldTell) {
  std::vector<FigureDifference> differences{tested(0.6, {-3, 2})};
  EXPECT_EQ(verdicts(differences), std::vector{Verdict::cannot_tell});
  EXPECT_EQ(differences[0].repetitions_needed, 105u);
  differences = {tested(0.08, {-4.5, 0.5})};  // a difference of 2: a quarter as many
  verdicts(differences);
  EXPECT_EQ(differences[0].repetitions_needed, 28u);
}

TEST(Judgement, JobsWidenAndNeverNarrow) {
  std::vector<FigureDifference> differences{tested(0.01, {-6, -2})};
  differences[0].job_error = 3;
  EXPECT_EQ(verdicts(differences), std::vector{Verdict::cannot_tell});
  EXPECT_NEAR(differences[0].interval->low, -4 - 1.96 * 3, 0.01);
  EXPECT_NEAR(differences[0].interval->high, -4 + 1.96 * 3, 0.01);
  EXPECT_NEAR(*differences[0].p, 0.1824, 1e-3);  // 4/3 standard errors
  differences[0].test->standard_error = 0.5;     // eight of the repetitions' own
  judge(differences, figures(1), RunPairs{2, 2, {{0, 0}, {1, 1}}}, {0, 0.01, 1});
  EXPECT_EQ(differences[0].repetitions_needed, repetitions_enough);
  differences = {tested(0.01, {-6, -2})};
  differences[0].job_error = 0.1;
  verdicts(differences);
  EXPECT_EQ(*differences[0].interval, (ConfidenceInterval{-6, -2}));
  EXPECT_EQ(*differences[0].p, 0.01);
}

TEST(Judgement, JobsDoNotWidenWhatNeverDiffers) {
  std::vector<FigureDifference> differences{tested(1, {0, 0})};
  differences[0].job_error = 3;
  EXPECT_EQ(verdicts(differences), std::vector{Verdict::no_difference});
}

TEST(Judgement, WhatIsExactNeedsNoTest) {
  FigureDifference figure;
  figure.is_exact = true;
  figure.baseline = 100;
  figure.difference = -3;
  std::vector<FigureDifference> differences{figure, figure, figure};
  differences[1].difference = 0.5;
  differences[2].difference = 0;
  differences[2].baseline = 0;
  EXPECT_EQ(verdicts(differences),
            (std::vector{Verdict::better, Verdict::no_difference, Verdict::no_difference}));
}

TEST(Judgement, WithoutAPrimaryFigureNothingIsTested) {
  std::vector<FigureDifference> differences{tested(0.0001, {-9, -8})};
  EXPECT_EQ(verdicts(differences, {std::nullopt, 0.01, 1}), std::vector{Verdict::not_judged});
}

TEST(Judgement, OfOneRepetitionIsNone) {
  std::vector<FigureDifference> differences(1);
  EXPECT_EQ(verdicts(differences), std::vector{Verdict::one_repetition});
}

}  // namespace
}  // namespace tracebed
