#include "report/comparison.h"

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
  add_run("fifo", 1, false);
  add_run("shortest", 1, true);
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  const FigureDifference& jct = figure(world, "jct_mean");
  EXPECT_EQ(jct.verdict, Verdict::better);
  EXPECT_LT(jct.difference, 0);
  EXPECT_DOUBLE_EQ(*jct.ratio, world.schedulers[1].figures[0] / world.schedulers[0].figures[0]);
  EXPECT_LT(jct.ratio_interval->low, *jct.ratio);
  EXPECT_GT(jct.ratio_interval->high, *jct.ratio);
  EXPECT_LT(jct.ratio_interval->high, 1);
  EXPECT_GT(world.candidates[0].jobs_faster, world.candidates[0].jobs_slower);
}

TEST_F(Comparisons, TurnRoundWithTheBaseline) {
  add_run("fifo", 1, false);
  add_run("shortest", 1, true);
  CompareOptions options;
  options.baseline = "shortest";
  const WorldComparison world = compare(runs_, options).worlds.at(0);
  EXPECT_EQ(world.schedulers[0].label, "shortest");
  EXPECT_EQ(figure(world, "jct_mean").verdict, Verdict::worse);
  options.baseline = "unknown";
  EXPECT_THROW(compare(runs_, options), InputError);
}

TEST_F(Comparisons, CallADifferenceInsideTheNoiseThat) {
  add_run("one", 1, false);
  add_run("two", 2, false);  // the same policy, other contention
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  const FigureDifference& jct = figure(world, "jct_p95");
  EXPECT_NE(jct.difference, 0);
  EXPECT_EQ(jct.verdict, Verdict::inside_noise);
  EXPECT_TRUE(jct.difference_interval->contains(0));
}

// Every job takes 0.02 % longer: surely so, but by nothing that is worth telling.
TEST_F(Comparisons, CallAChangeThatIsSureButRoundsToNothingTooSmall) {
  SampleCluster cluster;
  cluster.machines = 400;  // nobody waits
  add_run(cluster, sample_jobs(300, 1));
  std::vector<SampleJob> longer = sample_jobs(300, 1);
  for (SampleJob& job : longer) job.duration += job.duration / 5'000;
  cluster.label = "longer";
  add_run(cluster, longer);
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  const FigureDifference& jct = figure(world, "jct_mean");
  EXPECT_NEAR(*jct.ratio, 1.0002, 1e-5);
  EXPECT_FALSE(jct.difference_interval->contains(0));
  EXPECT_EQ(jct.verdict, Verdict::too_small);
}

TEST_F(Comparisons, DoNotCallFiguresOfWholeRunsWithFewRepetitions) {
  for (std::uint32_t repetition = 1; repetition <= 5; ++repetition) {
    add_run("fifo", repetition, false);
    add_run("shortest", repetition, true);
  }
  const WorldComparison few = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(figure(few, "makespan").verdict, Verdict::not_told);
  EXPECT_FALSE(figure(few, "makespan").difference_interval.has_value());
  EXPECT_TRUE(few.plan.draws_jobs);
  EXPECT_TRUE(few.plan.repetitions_are_paired);

  add_run("fifo", 6, false);
  add_run("shortest", 6, true);
  const WorldComparison enough = compare(runs_, {}).worlds.at(0);
  EXPECT_NE(figure(enough, "makespan").verdict, Verdict::not_told);
  EXPECT_FALSE(enough.plan.draws_jobs);
  EXPECT_EQ(enough.plan.repetitions_min, 6u);
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
  EXPECT_NEAR(*figure(world, "throughput").ratio, 0.5, 0.01);
  EXPECT_EQ(figure(world, "makespan").verdict, Verdict::worse);
  EXPECT_NEAR(*figure(world, "makespan").ratio, 2, 0.02);
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
  EXPECT_EQ(figure(world, "jct_mean").verdict, Verdict::not_told);
  EXPECT_GT(world.schedulers[0].metrics[0].makespan, 0);
}

TEST_F(Comparisons, CountEqualDecisionsOnce) {
  add_run("fifo", 1, false);
  add_run("fifo", 1, false);
  add_run("shortest", 1, true);
  const WorldComparison world = compare(runs_, {}).worlds.at(0);
  EXPECT_EQ(world.schedulers[0].runs.size(), 1u);
  EXPECT_THAT(world.notes, Contains("fifo: 2 runs made the same decisions, and count once"));

  add_run("fifo", 2, false);
  EXPECT_THAT(compare(runs_, {}).worlds.at(0).notes,
              Contains("fifo: 3 runs made 2 different sequences of decisions, and count as 2"));
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
  runs_[0].end.ending = RunEnding::cancelled;
  EXPECT_THAT(compare(runs_, {}).worlds.at(0).notes,
              Contains(HasSubstr("is a partial run (cancelled)")));
  runs_[0].end.ending = RunEnding::failed;
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
  EXPECT_FALSE(figure(world, "wait_mean").ratio.has_value());
  EXPECT_DOUBLE_EQ(figure(world, "wait_mean").difference, 10);
  EXPECT_FALSE(figure(world, "wait_mean").ratio_interval.has_value());
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

TEST_F(Comparisons, NameWhatWasDrawnAgain) {
  BootstrapPlan plan;
  plan.draws_jobs = true;
  plan.block_jobs = 3;
  EXPECT_EQ(resampled_unit(plan), "blocks of 3 consecutive jobs (the same for all)");
  plan.draws_repetitions = true;
  plan.repetitions_min = 2;
  EXPECT_EQ(resampled_unit(plan),
            "repetitions (at least 2 per scheduler) and blocks of 3 "
            "consecutive jobs (the same for all)");
  plan.draws_jobs = false;
  plan.repetitions_are_paired = true;
  plan.repetitions_min = 6;
  EXPECT_EQ(resampled_unit(plan), "repetitions (at least 6 per scheduler, the same for all)");
}

}  // namespace
}  // namespace tracebed
