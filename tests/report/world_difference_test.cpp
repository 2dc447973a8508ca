#include "report/world_difference.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "report/comparability.h"
#include "report/sample_runs.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

// JCTs of 10, 20 and 30 s in the model, all of it work.
std::vector<PartsPair> three_jobs() {
  std::vector<PartsPair> pairs(3);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    part_of(pairs[i].model, JctPart::work) = seconds(10 * (static_cast<int>(i) + 1));
    pairs[i].real = pairs[i].model;
  }
  return pairs;
}

double part(const SplitDifference& split, JctPart which) {
  return split.parts[static_cast<std::size_t>(which)];
}

TEST(WorldDifference, OfPartsThatAddIsWhatEachAdds) {
  std::vector<PartsPair> pairs = three_jobs();
  for (PartsPair& pair : pairs) part_of(pair.real, JctPart::launch) += seconds(5);
  part_of(pairs[1].real, JctPart::waiting) += seconds(10);
  // p50: 20 in the model; 25 with the launch latency alone, 30 with the waiting alone, 35 with
  // both.
  const SplitDifference split = split_percentile(pairs, 50);
  EXPECT_DOUBLE_EQ(split.model, 20);
  EXPECT_DOUBLE_EQ(split.real, 35);
  EXPECT_DOUBLE_EQ(split.difference, 15);
  EXPECT_DOUBLE_EQ(part(split, JctPart::launch), 5);
  EXPECT_DOUBLE_EQ(part(split, JctPart::waiting), 10);
  EXPECT_DOUBLE_EQ(part(split, JctPart::contention), 0);
}

TEST(WorldDifference, OfPartsThatDoNotAddIsAveragedOverTheirOrders) {
  std::vector<PartsPair> pairs = three_jobs();
  part_of(pairs[0].real, JctPart::heartbeat) += seconds(15);   // 10 → 25
  part_of(pairs[1].real, JctPart::contention) += seconds(15);  // 20 → 35
  // p50: 20; heartbeat alone {25, 20, 30} 25; contention alone {10, 35, 30} 30; both {25, 35,
  // 30} 30. Heartbeat: (5 + 0) / 2; contention: (10 + 5) / 2.
  const SplitDifference split = split_percentile(pairs, 50);
  EXPECT_DOUBLE_EQ(split.difference, 10);
  EXPECT_DOUBLE_EQ(part(split, JctPart::heartbeat), 2.5);
  EXPECT_DOUBLE_EQ(part(split, JctPart::contention), 7.5);
}

TEST(WorldDifference, OfMeansIsTheMeanOfEachPart) {
  std::vector<PartsPair> pairs = three_jobs();
  part_of(pairs[0].real, JctPart::heartbeat) += seconds(15);
  part_of(pairs[1].real, JctPart::lost) += seconds(6);
  const SplitDifference split = split_mean(pairs);
  EXPECT_DOUBLE_EQ(split.model, 20);
  EXPECT_DOUBLE_EQ(split.difference, 7);
  EXPECT_DOUBLE_EQ(part(split, JctPart::heartbeat), 5);
  EXPECT_DOUBLE_EQ(part(split, JctPart::lost), 2);
}

TEST(WorldDifference, PartsAddUpWhateverTheJobs) {
  Random random(11);
  std::vector<PartsPair> pairs(101);
  for (PartsPair& pair : pairs) {
    for (std::size_t p = 0; p < jct_part_count; ++p) {
      pair.model[p] = Duration(static_cast<std::int64_t>(random.exponential(1e7)));
      pair.real[p] = Duration(static_cast<std::int64_t>(random.exponential(2e7)));
    }
  }
  for (unsigned percent : {50u, 95u, 99u}) {
    const SplitDifference split = split_percentile(pairs, percent);
    EXPECT_NEAR(std::accumulate(split.parts.begin(), split.parts.end(), 0.0), split.difference,
                1e-9);
    EXPECT_NEAR(split.real - split.model, split.difference, 1e-9);
    EXPECT_NE(split.difference, 0);
  }
}

class TwoWorlds : public ::testing::Test {
 protected:
  RunFolder run(const std::string& world, std::uint32_t repetition, Duration launch_latency) {
    SampleCluster cluster;
    cluster.world = world;
    cluster.repetition = repetition;
    cluster.machines = 400;  // nobody waits
    cluster.launch_latency = launch_latency;
    const auto path = folder_.path() / (world + std::to_string(repetition));
    write_sample_run(path, cluster, sample_jobs(100, repetition));
    return RunFolder::load(path);
  }

  TemporaryFolder folder_;
};

TEST_F(TwoWorlds, ArePairedByRepetition) {
  std::vector<RunFolder> runs;
  runs.push_back(run("virtual", 1, seconds(1)));
  runs.push_back(run("virtual", 2, seconds(1)));
  runs.push_back(run("local", 2, seconds(4)));
  const auto differences = world_differences(runs, group_comparable(runs));
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].label, "fifo");
  EXPECT_EQ(differences[0].repetitions, 1u);
  EXPECT_EQ(differences[0].jobs, 100u);
  EXPECT_DOUBLE_EQ(differences[0].p50.difference, 3);
  EXPECT_DOUBLE_EQ(part(differences[0].p50, JctPart::launch), 3);
  EXPECT_DOUBLE_EQ(differences[0].real_attempts.launch_latency.p50, 4);
}

TEST_F(TwoWorlds, JobsThatDidNotSucceedInBothAreLeftOut) {
  std::vector<RunFolder> runs;
  runs.push_back(run("virtual", 1, seconds(1)));
  runs.push_back(run("local", 1, seconds(2)));
  runs[0].jobs[3].outcome = JobOutcome::failed;
  runs[1].jobs.pop_back();
  runs[1].parts.pop_back();
  const auto differences = world_differences(runs, group_comparable(runs));
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].jobs, 98u);
  EXPECT_EQ(differences[0].jobs_left_out, 2u);
}

TEST_F(TwoWorlds, WithoutARepetitionInCommonAreNotCompared) {
  std::vector<RunFolder> runs;
  runs.push_back(run("virtual", 1, seconds(1)));
  runs.push_back(run("local", 2, seconds(2)));
  EXPECT_TRUE(world_differences(runs, group_comparable(runs)).empty());
}

}  // namespace
}  // namespace tracebed
