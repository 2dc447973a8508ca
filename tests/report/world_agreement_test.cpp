#include "report/world_agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "report/comparability.h"
#include "report/sample_runs.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ChanceOfSeparation, IsThatOfTheTwoOrdersWithAllRunsOfOneWorldFirst) {
  EXPECT_DOUBLE_EQ(chance_of_separation(1, 1), 1);
  EXPECT_DOUBLE_EQ(chance_of_separation(10, 1), 2.0 / 11);
  EXPECT_DOUBLE_EQ(chance_of_separation(3, 3), 2.0 / 20);
  EXPECT_DOUBLE_EQ(chance_of_separation(2, 3), 2.0 / 10);
  EXPECT_DOUBLE_EQ(chance_of_separation(10, 3), 2.0 / 286);
  EXPECT_DOUBLE_EQ(chance_of_separation(3, 10), 2.0 / 286);
}

TEST(AgreementOfRanges, IsWithinRepetitionsWhereTheyTouch) {
  EXPECT_EQ(agreement_of({1, 2, 3}, {3, 4, 5}, 0.01, 0), Agreement::within_repetitions);
  EXPECT_EQ(agreement_of({3, 4, 5}, {1, 2, 3}, 0.01, 0), Agreement::within_repetitions);
  EXPECT_EQ(agreement_of({1, 2, 9}, {4, 4, 4}, 0.5, 0), Agreement::within_repetitions);
}

TEST(AgreementOfRanges, ThatAreApartDependsOnHowOftenChanceDoesThat) {
  EXPECT_EQ(agreement_of({1, 2, 3}, {4, 5, 6}, 0.05, 0), Agreement::beyond_repetitions);
  EXPECT_EQ(agreement_of({4, 5, 6}, {1, 2, 3}, 0.05, 0), Agreement::beyond_repetitions);
  EXPECT_EQ(agreement_of({1, 2, 3}, {4, 5, 6}, 0.051, 0), Agreement::too_few_runs);
}

TEST(AgreementOfRanges, ThatAreApartByLessThanMattersDoesNotMatter) {
  EXPECT_EQ(agreement_of({99, 100, 100}, {100.5, 100.9, 101}, 0.01, 0.01),
            Agreement::does_not_matter);
  EXPECT_EQ(agreement_of({99, 100, 100}, {100.5, 101, 101}, 0.01, 0.01),
            Agreement::beyond_repetitions);
  EXPECT_EQ(agreement_of({100, 100, 101}, {99, 99.1, 99.2}, 1, 0.01), Agreement::does_not_matter);
}

TEST(RangeOfRuns, HasTheMedianOfARunThatThereWas) {
  EXPECT_EQ(range_of({148, 97, 99, 98}), (RunRange{97, 98, 148}));
  EXPECT_EQ(range_of({5}), (RunRange{5, 5, 5}));
}

class WorldsSideBySide : public ::testing::Test {
 protected:
  void run(const std::string& world, const std::string& label, std::uint32_t repetition,
           Duration launch_latency) {
    SampleCluster cluster;
    cluster.world = world;
    cluster.label = label;
    cluster.repetition = repetition;
    cluster.machines = 400;  // nobody waits
    cluster.launch_latency = launch_latency;
    const auto path = folder_.path() / (world + label + std::to_string(repetition));
    write_sample_run(path, cluster, sample_jobs(100, 1));
    runs_.push_back(RunFolder::load(path));
  }
  std::vector<WorldAgreement> agreements() const {
    return world_agreements(runs_, group_comparable(runs_), 0.01);
  }

  TemporaryFolder folder_;
  std::vector<RunFolder> runs_;
};

TEST_F(WorldsSideBySide, HaveTheMediansAndRangesOfAllTheirRuns) {
  for (const int latency : {1, 2, 3}) {
    run("virtual", "fifo", static_cast<std::uint32_t>(latency), seconds(latency));
  }
  for (const int latency : {4, 7}) {
    run("local", "fifo", static_cast<std::uint32_t>(latency), seconds(latency));
  }
  const auto worlds = agreements();
  ASSERT_EQ(worlds.size(), 1u);
  EXPECT_EQ(worlds[0].model_world, "virtual");
  EXPECT_EQ(worlds[0].real_world, "local");
  EXPECT_THAT(worlds[0].model_order, IsEmpty());
  ASSERT_EQ(worlds[0].schedulers.size(), 1u);
  const SchedulerAgreement& fifo = worlds[0].schedulers[0];
  EXPECT_EQ(fifo.jobs, 100u);
  EXPECT_EQ(fifo.model_runs, 3u);
  EXPECT_EQ(fifo.real_runs, 2u);
  ASSERT_EQ(fifo.figures.size(), 4u);
  EXPECT_EQ(fifo.figures[3].key, "makespan");
  const FigureAgreement& mean = fifo.figures[0];
  EXPECT_EQ(mean.key, "jct_mean");
  EXPECT_NEAR(mean.model.median - mean.model.low, 1, 1e-9);
  EXPECT_NEAR(mean.model.high - mean.model.median, 1, 1e-9);
  EXPECT_NEAR(mean.real.low - mean.model.low, 3, 1e-9);
  EXPECT_NEAR(mean.real.high - mean.model.low, 6, 1e-9);
  EXPECT_EQ(mean.agreement, Agreement::too_few_runs);  // apart by chance: 2 of 10
}

TEST_F(WorldsSideBySide, OrderTheirSchedulersEach) {
  run("virtual", "fifo", 1, seconds(1));
  run("virtual", "fair", 1, seconds(2));
  run("local", "fifo", 1, seconds(4));
  run("local", "fair", 1, seconds(3));
  const auto worlds = agreements();
  ASSERT_EQ(worlds.size(), 1u);
  EXPECT_THAT(worlds[0].model_order, ElementsAre("fifo", "fair"));
  EXPECT_THAT(worlds[0].real_order, ElementsAre("fair", "fifo"));
}

TEST_F(WorldsSideBySide, LeaveOutJobsThatDidNotSucceedEverywhere) {
  run("virtual", "fifo", 1, seconds(1));
  run("local", "fifo", 1, seconds(1));
  runs_[1].jobs[3].outcome = JobOutcome::failed;
  EXPECT_EQ(agreements().at(0).schedulers.at(0).jobs, 99u);
}

TEST_F(WorldsSideBySide, WithoutASchedulerInCommonAreNotCompared) {
  run("virtual", "fifo", 1, seconds(1));
  run("local", "fair", 1, seconds(1));
  EXPECT_THAT(agreements(), IsEmpty());
}

}  // namespace
}  // namespace tracebed
