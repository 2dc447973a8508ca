#include "report/verdict_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tracebed {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const ComparedFigure jct{"jct_mean", "JCT mean", "s", true, true, 0, 0};
const ComparedFigure throughput{"throughput", "throughput", "jobs/10 min", false, false, 0, 0};

FigureDifference difference(double baseline, double change, ConfidenceInterval interval,
                            Verdict verdict) {
  FigureDifference figure;
  figure.baseline = baseline;
  figure.difference = change;
  figure.interval = interval;
  figure.verdict = verdict;
  return figure;
}

TEST(VerdictText, SaysByHowMuchAndHowSure) {
  const FigureDifference better = difference(100, -20, {-30, -10}, Verdict::better);
  EXPECT_EQ(verdict_text(jct, better), "better by 20.0 % (95 % CI 10.0..30.0)");
  EXPECT_EQ(short_verdict(better), "better");
  EXPECT_EQ(change_text(jct, better), "-20.0 %");
  EXPECT_EQ(interval_text(jct, better), "-30.0..-10.0 %");
  EXPECT_EQ(verdict_text(jct, difference(100, 20, {10, 30}, Verdict::worse)),
            "worse by 20.0 % (95 % CI 10.0..30.0)");
  EXPECT_EQ(verdict_text(throughput, difference(10, 5, {1, 9}, Verdict::better)),
            "better by 50.0 % (95 % CI 10.0..90.0)");
}

TEST(VerdictText, OfOneRepetitionIsWhatItIs) {
  FigureDifference figure;
  figure.baseline = 100;
  figure.difference = -43.5;
  EXPECT_EQ(verdict_text(jct, figure), "on this trace and seed: -43.5 %");
  EXPECT_EQ(short_verdict(figure), "on this trace and seed");
  EXPECT_EQ(interval_text(jct, figure), "");
}

TEST(VerdictText, TellsWhatDoesNotMatterFromWhatCannotBeTold) {
  EXPECT_EQ(verdict_text(jct, difference(100, -0.2, {-0.4, 0.1}, Verdict::no_difference)),
            "no difference that matters (-0.2 %, 95 % CI -0.4..+0.1)");
  FigureDifference untold = difference(100, -2.3, {-6, 1.5}, Verdict::cannot_tell);
  EXPECT_EQ(verdict_text(jct, untold), "cannot tell (-2.3 %, 95 % CI -6.0..+1.5)");
  untold.repetitions_needed = 10'000;
  EXPECT_EQ(verdict_text(jct, untold),
            "cannot tell (-2.3 %, 95 % CI -6.0..+1.5): would need more than 9,999 repetitions");
  untold.repetitions_needed = 34;
  EXPECT_EQ(verdict_text(jct, untold),
            "cannot tell (-2.3 %, 95 % CI -6.0..+1.5): would need about 34 repetitions");
  EXPECT_EQ(short_verdict(untold), "cannot tell, needs about 34");
  EXPECT_EQ(verdict_text(jct, difference(100, -9, {-12, -6}, Verdict::not_judged)),
            "not judged (-9.0 %, 95 % CI -12.0..-6.0)");
}

TEST(VerdictText, SaysWhatIsExact) {
  FigureDifference exact;
  exact.baseline = 100;
  exact.difference = -3.2;
  exact.is_exact = true;
  exact.verdict = Verdict::better;
  EXPECT_EQ(verdict_text(jct, exact), "better by 3.2 %, exactly, on this trace");
  EXPECT_EQ(short_verdict(exact), "better, exactly");
  exact.difference = -0.2;
  exact.verdict = Verdict::no_difference;
  EXPECT_EQ(verdict_text(jct, exact), "no difference that matters (-0.2 %, exactly)");
  exact.verdict = Verdict::identical;
  EXPECT_EQ(verdict_text(jct, exact), "identical decisions");
}

TEST(VerdictText, WithoutRatioTellsTheDifferenceInItsUnit) {
  const FigureDifference worse = difference(0, 7.5, {2, 9}, Verdict::worse);
  EXPECT_EQ(verdict_text(jct, worse), "worse by 7.5 s (95 % CI 2..9)");
  EXPECT_EQ(change_text(jct, worse), "+7.5 s");
  EXPECT_EQ(interval_text(jct, worse), "+2..+9 s");
  EXPECT_EQ(verdict_text(jct, difference(0, 7.5, {-1, 9}, Verdict::not_judged)),
            "not judged (+7.5 s, 95 % CI -1..+9)");
}

TEST(VerdictText, RoundsToNothingWithoutASign) {
  EXPECT_EQ(change_text(jct, difference(100, -0.01, {}, Verdict::no_difference)), "0.0 %");
}

TEST(VerdictText, ShowsTheNoise) {
  FigureDifference figure;
  EXPECT_EQ(noise_text(figure), "");
  figure.noise = 0.0214;
  EXPECT_EQ(noise_text(figure), "±2.1 %");
}

class TestTexts : public ::testing::Test {
 protected:
  TestTexts() {
    world_.schedulers.resize(2);
    world_.schedulers[0].label = "fifo";
    world_.schedulers[1].label = "fair";
    world_.figures = {jct};
    world_.primary = 0;
    world_.matters_from = 0.01;
    Candidate& candidate = world_.candidates.emplace_back();
    candidate.scheduler = 1;
    candidate.differences.resize(1);
    candidate.pairs = {3, 3, {{0, 0}, {1, 1}, {2, 2}}};
  }
  Candidate& candidate() { return world_.candidates[0]; }
  std::string text() const { return test_text(world_, world_.candidates[0]); }

  WorldComparison world_;
};

TEST_F(TestTexts, NameTheTestAndWhatItIsOf) {
  EXPECT_EQ(text(), "Student's t-test of 3 differences between runs with the same seed");
  candidate().pairs = {4, 12, {}};
  EXPECT_EQ(text(), "Welch's t-test of 4 and 12 runs with different seeds");
  candidate().pairs = {20, 30, {}};
  EXPECT_EQ(text(), "the bootstrap of Welch's t-test of 20 and 30 runs with different seeds");
}

TEST_F(TestTexts, SayHowJobsWereDrawn) {
  candidate().job_draws = {JobDraws::State::drawn, 37};
  EXPECT_THAT(text(), HasSubstr(", intervals widened by resampling blocks of 37 consecutive jobs"));
  candidate().job_draws.block_jobs = 1;
  EXPECT_THAT(text(), HasSubstr(", intervals widened by resampling jobs"));
  candidate().job_draws = {JobDraws::State::refused, 0};
  EXPECT_THAT(text(), HasSubstr("; jobs are not resampled"));
}

TEST_F(TestTexts, SayWhereThereIsNoTest) {
  candidate().pairs = {3, 1, {{0, 0}}};
  EXPECT_EQ(text(), "one repetition of fair: the effect of chance is unknown");
  EXPECT_THAT(judgement_texts(world_), Contains(HasSubstr("one repetition are those of this")));
  candidate().differences[0].is_exact = true;
  EXPECT_THAT(text(), HasSubstr("fair and fifo are constant"));
  candidate().has_same_decisions = true;
  EXPECT_EQ(text(), "fair and fifo made identical decisions");
}

TEST_F(TestTexts, SayWhatIsControlledAndVaried) {
  world_.noise.runs = {7, 8};
  world_.schedulers[0].runs = {0, 1, 2};
  world_.varied = {"heartbeat phases", "launch latencies"};
  const std::vector<std::string> texts = judgement_texts(world_);
  EXPECT_THAT(texts, Contains(HasSubstr("JCT mean is tested first")));
  EXPECT_THAT(texts, Contains(HasSubstr("Holm's correction")));
  EXPECT_THAT(texts, Contains("A difference whose interval lies within ±1 % does not matter."));
  EXPECT_THAT(texts, Not(Contains(HasSubstr("For \"cannot tell\""))));
  candidate().differences[0].repetitions_needed = 34;
  EXPECT_THAT(judgement_texts(world_), Contains(HasSubstr("For \"cannot tell\", the number")));
  EXPECT_THAT(
      texts,
      Contains(HasSubstr("Noise: fifo against itself, 2 runs under other seeds compared with 3")));
  EXPECT_THAT(texts, Contains("Varied between repetitions: heartbeat phases, launch latencies."));
}

}  // namespace
}  // namespace tracebed
