#include "report/comparison.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "report/sample_runs.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class Comparisons : public ::testing::Test {
 protected:
  void add_run(const SampleCluster& cluster, const std::vector<SampleJob>& jobs) {
    const auto path =
        folder_.path() / (cluster.label + cluster.world + std::to_string(runs_.size()));
    write_sample_run(path, cluster, jobs);
    runs_.push_back(RunFolder::load(path));
  }
  void add_run(const std::string& label, std::uint32_t repetition, bool shortest_first) {
    SampleCluster cluster;
    cluster.label = label;
    cluster.repetition = repetition;
    cluster.shortest_first = shortest_first;
    cluster.contention = 0.1;
    add_run(cluster, sample_jobs(300, 1));
  }
  // Under the same seeds.
  void add_pairs(std::uint32_t count) {
    for (std::uint32_t repetition = 1; repetition <= count; ++repetition) {
      add_run("fifo", repetition, false);
      add_run("shortest", repetition, true);
    }
  }
  static const FigureDifference& figure(const WorldComparison& world, const std::string& key,
                                        std::size_t candidate = 0) {
    for (std::size_t f = 0; f < world.figures.size(); ++f) {
      if (world.figures[f].key == key) return world.candidates.at(candidate).differences[f];
    }
    throw std::out_of_range(key);
  }

  TemporaryFolder folder_;
  std::vector<RunFolder> runs_;
};

TEST_F(Comparisons, TellWhichSchedulerIsBetter) {
  add_pairs(3);
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(world.figures.at(world.primary.value()).key, "jct_mean");
  const FigureDifference& jct = figure(world, "jct_mean");
  EXPECT_EQ(jct.verdict, Verdict::better);
  EXPECT_LT(jct.difference, 0);
  EXPECT_DOUBLE_EQ(*jct.ratio(), world.schedulers[1].figures[0] / world.schedulers[0].figures[0]);
  EXPECT_LT(jct.ratio_interval()->low, *jct.ratio());
  EXPECT_GT(jct.ratio_interval()->high, *jct.ratio());
  EXPECT_LT(jct.ratio_interval()->high, 1);
  EXPECT_GT(world.candidates[0].jobs_faster, world.candidates[0].jobs_slower);
}

// However many jobs a run has, and however alike their differences.
TEST_F(Comparisons, OfOneRepetitionAreNotCalledBetterOrWorse) {
  add_pairs(1);
  add_run("fifo", 2, false);
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  for (const FigureDifference& difference : world.candidates.at(0).differences) {
    EXPECT_EQ(difference.verdict, Verdict::one_repetition);
    EXPECT_FALSE(difference.interval.has_value());
  }
  EXPECT_LT(*figure(world, "jct_mean").ratio(), 0.9);
}

TEST_F(Comparisons, SayWhatWasRejectedAndRefused) {
  add_run("fifo", 1, false);
  runs_[0].end.rejections = {{"queue batch is unknown", 2}};
  runs_[0].end.counters = {{"decisions", 900}, {"refusals", 800}};
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_THAT(world.notes, Contains(HasSubstr("jobs were rejected: 2 × queue batch is unknown")));
  EXPECT_THAT(world.notes, Contains(HasSubstr("it proposes far more than is committed")));
}

TEST_F(Comparisons, TurnRoundWithTheBaseline) {
  add_pairs(3);
  CompareOptions options;
  options.baseline = "shortest";
  const WorldComparison world = compare(runs_, options).worlds.at(0);
  EXPECT_EQ(world.schedulers[0].label, "shortest");
  EXPECT_EQ(figure(world, "jct_mean").verdict, Verdict::worse);
  options.baseline = "unknown";
  EXPECT_THROW(compare(runs_, options), InputError);
}

TEST_F(Comparisons, OfAPolicyWithItselfCannotTellOrDoNotMatter) {
  for (std::uint32_t repetition = 1; repetition <= 4; ++repetition) {
    add_run("one", repetition, false);
    add_run("two", 10 + repetition, false);
  }
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_TRUE(world.candidates[0].pairs.pairs.empty());
  EXPECT_NE(figure(world, "jct_mean").difference, 0);
  for (const FigureDifference& difference : world.candidates[0].differences) {
    EXPECT_NE(difference.verdict, Verdict::better);
    EXPECT_NE(difference.verdict, Verdict::worse);
  }
}

TEST_F(Comparisons, PairRunsBySeedWhateverTheirNumber) {
  add_pairs(3);
  std::swap(runs_[0].description.repetition, runs_[2].description.repetition);
  const Candidate candidate = compare(runs_, {}).worlds.at(0).candidates.at(0);
  EXPECT_TRUE(candidate.pairs.are_all());
  const std::vector<std::pair<std::size_t, std::size_t>> expected{{0, 1}, {1, 0}, {2, 2}};
  EXPECT_EQ(candidate.pairs.pairs, expected);
}

TEST_F(Comparisons, DrawJobsOnlyWhereRepetitionsAreFew) {
  add_pairs(1);
  EXPECT_EQ(compare(runs_, {}).worlds.at(0).candidates.at(0).job_draws.state,
            JobDraws::State::none);
  for (std::uint32_t repetition = 2; repetition <= 5; ++repetition) {
    add_run("fifo", repetition, false);
    add_run("shortest", repetition, true);
  }
  const WorldComparison few = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(few.candidates[0].job_draws.state, JobDraws::State::drawn);
  EXPECT_GT(few.candidates[0].job_draws.block_jobs, 1u);
  EXPECT_GT(figure(few, "jct_mean").job_error, 0);
  EXPECT_EQ(figure(few, "makespan").job_error, 0);
  add_run("fifo", 6, false);
  add_run("shortest", 6, true);
  const WorldComparison enough = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(enough.candidates[0].job_draws.state, JobDraws::State::none);
  EXPECT_EQ(figure(enough, "jct_mean").job_error, 0);
}

TEST_F(Comparisons, RefuseToDrawJobsOfAShortTrace) {
  for (const bool shortest_first : {false, true}) {
    for (std::uint32_t repetition = 1; repetition <= 2; ++repetition) {
      SampleCluster cluster;
      cluster.label = shortest_first ? "shortest" : "fifo";
      cluster.repetition = repetition;
      cluster.shortest_first = shortest_first;
      cluster.machines = 1;
      cluster.contention = 0.1;
      add_run(cluster, sample_jobs(7, 1));
    }
  }
  const Candidate candidate = compare(runs_, {}).worlds.at(0).candidates.at(0);
  EXPECT_EQ(candidate.job_draws.state, JobDraws::State::refused);
}

TEST_F(Comparisons, TakeThePrimaryFigureThatIsNamed) {
  add_pairs(2);
  CompareOptions options;
  options.primary = "makespan";
  const WorldComparison world = compare(runs_, options).worlds.at(0);
  EXPECT_EQ(world.figures.at(world.primary.value()).key, "makespan");
  options.primary = "jct";
  EXPECT_THROW(compare(runs_, options), InputError);
}

TEST_F(Comparisons, TellNoPercentileOfFewJobs) {
  const auto keys_of = [&](std::size_t jobs) {
    runs_.clear();
    SampleCluster cluster;
    cluster.label = std::to_string(jobs);
    add_run(cluster, sample_jobs(jobs, 1));
    std::vector<std::string> keys;
    const WorldComparison world = compare(runs_, {}).worlds.at(0);
    for (const ComparedFigure& figure : world.figures) keys.push_back(figure.key);
    return std::pair(keys, world.notes);
  };
  const auto [of_few, notes_of_few] = keys_of(19);
  EXPECT_THAT(of_few, Not(Contains(HasSubstr("p95"))));
  EXPECT_THAT(of_few, Contains("jct_p50"));
  EXPECT_THAT(notes_of_few, Contains("p95 and p99 are left out: 19 jobs are fewer than 20"));
  const auto [of_some, notes_of_some] = keys_of(99);
  EXPECT_THAT(of_some, Contains("jct_p95"));
  EXPECT_THAT(of_some, Not(Contains(HasSubstr("p99"))));
  EXPECT_THAT(notes_of_some, Contains("p99 is left out: 99 jobs are fewer than 100"));
  const auto [of_many, notes_of_many] = keys_of(100);
  EXPECT_THAT(of_many, Contains("jct_p99"));
  EXPECT_THAT(notes_of_many, Not(Contains(HasSubstr("left out"))));
}

TEST_F(Comparisons, WithoutTheirPrimaryFigureJudgeNothing) {
  add_pairs(2);
  for (RunFolder& run : runs_) {
    run.jobs.resize(50);
    run.parts.resize(50);
  }
  CompareOptions options;
  options.primary = "jct_p99";
  const WorldComparison world = compare(runs_, options).worlds.at(0);
  EXPECT_FALSE(world.primary.has_value());
  EXPECT_THAT(world.notes, Contains(HasSubstr("jct_p99, the primary figure, is not reported")));
  EXPECT_NE(figure(world, "jct_mean").verdict, Verdict::better);
}

// A side without chance: the same digest and figures with every seed.
TEST_F(Comparisons, ASideThatDecidesTheSameWithEverySeedIsAConstant) {
  add_pairs(3);
  for (std::size_t r = 2; r < runs_.size(); ++r) {
    runs_[r].jobs = runs_[r % 2].jobs;
    runs_[r].series = runs_[r % 2].series;
    runs_[r].end.digest = runs_[r % 2].end.digest;
  }
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_TRUE(world.schedulers[0].is_constant);
  EXPECT_EQ(world.schedulers[0].runs.size(), 3u) << "each keeps its weight";
  EXPECT_THAT(world.notes,
              Contains("fifo is constant here: all 3 seeds led to the same decisions"));
  const FigureDifference& jct = figure(world, "jct_mean");
  EXPECT_TRUE(jct.is_exact);
  EXPECT_EQ(jct.verdict, Verdict::better);
  EXPECT_FALSE(jct.interval.has_value());
  EXPECT_EQ(world.candidates_tested, 0u);
}

TEST_F(Comparisons, TwoSidesWithTheSameDecisionsAreIdentical) {
  for (std::uint32_t repetition = 1; repetition <= 2; ++repetition) {
    add_run("one", repetition, false);
    add_run("two", repetition, false);
  }
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_TRUE(world.candidates.at(0).has_same_decisions);
  EXPECT_EQ(figure(world, "jct_mean").verdict, Verdict::identical);
  EXPECT_EQ(figure(world, "makespan").verdict, Verdict::identical);
}

TEST_F(Comparisons, OneRunOfEachThatDecidedTheSameIsIdenticalWhateverItsSeed) {
  add_run("one", 1, false);
  add_run("two", 1, false);
  runs_[1].description.seed = 77;
  EXPECT_EQ(figure(compare(runs_, {}).worlds.at(0), "jct_mean").verdict, Verdict::identical);
}

// 34 of 40 runs decided the same: the mean is over forty.
TEST_F(Comparisons, RepetitionsWithTheSameDecisionsKeepTheirWeight) {
  add_run("fifo", 1, false);
  add_run("fifo", 2, false);
  add_run("fifo", 3, false);
  runs_[1].end.digest = runs_[0].end.digest;
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  ASSERT_EQ(world.schedulers[0].runs.size(), 3u);
  double sum = 0;
  for (const RunFolder& run : runs_) sum += run.metrics().jct.mean;
  EXPECT_NEAR(world.schedulers[0].figures[0], sum / 3, 1e-9);
}

TEST_F(Comparisons, CountACopyOfARunOnce) {
  add_run("fifo", 1, false);
  add_run("fifo", 1, false);
  add_run("fifo", 2, false);
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(world.schedulers[0].runs.size(), 2u);
  EXPECT_THAT(world.notes, Contains(HasSubstr("fifo: of 3 runs, 2 have distinct seeds")));
}

TEST_F(Comparisons, ShowTheNoiseOfTheBaselineBesideItsDifferences) {
  add_pairs(3);
  for (std::uint32_t repetition = 11; repetition <= 13; ++repetition) {
    add_run("fifo", repetition, false);
    runs_.back().description.is_noise = true;
    runs_.back().description.varied = {"contention"};
  }
  runs_.front().description.varied = {"contention", "places"};
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(world.schedulers[0].runs, (std::vector<std::size_t>{0, 2, 4}));
  EXPECT_EQ(world.noise.runs, (std::vector<std::size_t>{6, 7, 8}));
  EXPECT_EQ(world.varied, (std::vector<std::string>{"contention", "places"}));
  const double baseline = world.schedulers[0].figures[0];
  double other = 0;
  for (std::size_t run = 6; run < 9; ++run) other += runs_[run].metrics().jct.mean / 3;
  const FigureDifference& jct = figure(world, "jct_mean");
  EXPECT_GE(jct.noise.value(), std::abs(other - baseline) / baseline);
  EXPECT_LT(jct.noise.value(), 0.2);
  EXPECT_EQ(jct.verdict, Verdict::better);
}

TEST_F(Comparisons, OfOneRunAndOneOfNoiseTellTheirDifference) {
  add_pairs(1);
  add_run("fifo", 11, false);
  runs_.back().description.is_noise = true;
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  const double baseline = runs_[0].metrics().jct.mean;
  EXPECT_NEAR(figure(world, "jct_mean").noise.value(),
              std::abs(runs_[2].metrics().jct.mean - baseline) / baseline, 1e-12);
}

TEST_F(Comparisons, LeaveNoiseRunsOfOthersThanTheBaselineOut) {
  add_pairs(2);
  add_run("shortest", 11, true);
  runs_.back().description.is_noise = true;
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_TRUE(world.noise.runs.empty());
  EXPECT_EQ(world.schedulers[1].runs.size(), 2u);
  runs_.erase(runs_.begin(), runs_.begin() + 4);
  EXPECT_THROW(compare(runs_, {}), InputError);
}

TEST_F(Comparisons, MoreThroughputIsBetter) {
  // Twenty equal jobs at once: twice the machines, half the makespan. Six repetitions that differ
  // in nothing but their contention.
  const std::vector<SampleJob> jobs(20, {TraceTime(), seconds(100), "user"});
  for (std::uint32_t repetition = 1; repetition <= 6; ++repetition) {
    for (std::size_t machines : {4u, 2u}) {
      SampleCluster cluster;
      cluster.label = machines == 4 ? "wide" : "narrow";
      cluster.repetition = repetition;
      cluster.machines = machines;
      cluster.contention = 0.01;
      add_run(cluster, jobs);
      runs_.back().description.machines = runs_.front().description.machines;
    }
  }
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(figure(world, "throughput").verdict, Verdict::worse);
  EXPECT_NEAR(*figure(world, "throughput").ratio(), 0.5, 0.01);
  EXPECT_EQ(figure(world, "makespan").verdict, Verdict::worse);
  EXPECT_NEAR(*figure(world, "makespan").ratio(), 2, 0.02);
}

TEST_F(Comparisons, AreOverJobsThatSucceededEverywhere) {
  add_run("fifo", 1, false);
  add_run("shortest", 1, true);
  runs_[0].jobs[7].outcome = JobOutcome::failed;
  runs_[1].jobs.erase(runs_[1].jobs.begin() + 20);
  runs_[1].parts.erase(runs_[1].parts.begin() + 20);
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(world.jobs, 300u);
  EXPECT_EQ(world.jobs_common, 298u);
  EXPECT_THAT(world.notes, Contains(HasSubstr("2 of 300 jobs did not succeed in every run")));
}

TEST_F(Comparisons, WithoutCommonJobsTellOnlyOfWholeRuns) {
  add_run("fifo", 1, false);
  add_run("shortest", 1, true);
  for (JobFigures& job : runs_[1].jobs) job.outcome = JobOutcome::failed;
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(world.jobs_common, 0u);
  EXPECT_EQ(world.figures.front().key, "makespan");
  EXPECT_FALSE(world.primary.has_value());
  EXPECT_GT(world.schedulers[0].metrics[0].makespan, 0);
}

TEST_F(Comparisons, CountRealRunsThatDecidedAlikeEachForItself) {
  SampleCluster cluster;
  cluster.label = "fifo";
  cluster.world = "local";
  for (int run = 0; run < 2; ++run) add_run(cluster, sample_jobs(20, 1));
  EXPECT_EQ(compare(runs_, {}).worlds.at(0).schedulers[0].runs.size(), 2u);
}

TEST_F(Comparisons, SayThatARunIsPartial) {
  add_run("fifo", 1, false);
  runs_[0].end.outcome = RunOutcome::cancelled;
  EXPECT_THAT(compare(runs_, {}).worlds.at(0).notes,
              Contains(HasSubstr("is a partial run (cancelled)")));
  runs_[0].end.outcome = RunOutcome::failed;
  runs_[0].end.reason = "Redis was lost";
  EXPECT_THAT(compare(runs_, {}).worlds.at(0).notes,
              Contains(HasSubstr("is a partial run (failed, Redis was lost)")));
}

TEST_F(Comparisons, AZeroBaselineHasNoRatio) {
  const std::vector<SampleJob> jobs(3, {TraceTime(), seconds(10), "user"});
  for (std::size_t machines : {3u, 1u}) {
    SampleCluster cluster;
    cluster.label = machines == 3 ? "wide" : "narrow";
    cluster.machines = machines;
    add_run(cluster, jobs);
    runs_.back().description.machines = runs_.front().description.machines;
  }
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_FALSE(figure(world, "wait_mean").ratio().has_value());
  EXPECT_DOUBLE_EQ(figure(world, "wait_mean").difference, 10);
  EXPECT_FALSE(figure(world, "wait_mean").ratio_interval().has_value());
}

TEST_F(Comparisons, JobsWithinOnePerCentAreNeitherFasterNorSlower) {
  const std::vector<SampleJob> jobs(4, {TraceTime(), seconds(100), "user"});
  for (const Duration latency : {Duration(), milliseconds(500), seconds(2)}) {
    SampleCluster cluster;
    cluster.label = std::to_string(latency.count());
    cluster.launch_latency = latency;
    add_run(cluster, jobs);
  }
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(world.candidates.at(0).jobs_slower, 0u);
  EXPECT_EQ(world.candidates.at(1).jobs_slower, 4u);
  EXPECT_EQ(world.candidates.at(1).jobs_faster, 0u);
}

TEST_F(Comparisons, OfOneSchedulerHaveFiguresButNoVerdict) {
  add_run("fifo", 1, false);
  const Comparison comparison = compare(runs_, {});
  EXPECT_EQ(comparison.worlds.at(0).schedulers.size(), 1u);
  EXPECT_TRUE(comparison.worlds[0].candidates.empty());
  EXPECT_EQ(comparison.dimensions, (std::vector<std::string>{"vcores", "memory"}));
}

}  // namespace
}  // namespace tracebed
