// The rules of speculative execution, by figures that are worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "applications/map_reduce/speculation.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Tasks = std::vector<std::uint32_t>;

// Task i is in container i on node i, unless it is duplicated.
class SpeculationRules : public testing::Test {
 protected:
  void make(SpeculationRule rule, std::uint32_t maps) {
    options_.rule = rule;
    policy_ = make_speculation_policy(options_, seconds(1));
    maps_ = StageProgress(maps);
  }
  static TraceTime at(std::int64_t second) { return TraceTime(seconds(second)); }
  void launch(std::uint32_t task, std::int64_t second) { launch(task, task, second); }
  void launch(std::uint32_t task, std::uint32_t container, std::int64_t second) {
    Grant grant;
    grant.container = ContainerId(container);
    grant.node = NodeId(container);
    maps_.launched(task, grant, false, at(second));
  }
  void report(std::uint32_t container, double progress, std::int64_t second) {
    const auto millionths = static_cast<std::uint32_t>(progress * 1e6 + 0.5);
    maps_.reported({ContainerId(container), millionths}, at(second));
  }
  void finish(std::uint32_t container, std::int64_t second, std::uint32_t node) {
    maps_.ended({.container = ContainerId(container), .node = NodeId(node)}, true, false,
                at(second));
  }
  Tasks wanted(std::int64_t second) { return policy_->look(at(second), job()).maps; }
  SpeculatedJob job() const {
    return {TraceTime(), {&maps_, waiting_, cluster_holds_}, {&reduces_, 0, 0}};
  }
  std::vector<NodeId> slow_nodes() const { return policy_->slow_nodes(job()); }

  SpeculationOptions options_;
  std::unique_ptr<SpeculationPolicy> policy_;
  StageProgress maps_;
  StageProgress reduces_;
  std::uint32_t waiting_ = 0;
  std::uint64_t cluster_holds_ = 0;
};

// Rates a second: 0.01 three times and 0.001667: their mean is 0.007917, their deviation 0.003608,
// so slow is what is below 0.004308.
TEST_F(SpeculationRules, LateDuplicatesWhatIsADeviationBelowTheMeanAfterAMinute) {
  make(SpeculationRule::late, 4);
  for (std::uint32_t task = 0; task < 4; ++task) launch(task, 0);
  for (std::uint32_t task = 0; task < 3; ++task) report(task, 0.6, 60);
  report(3, 0.1, 60);
  EXPECT_THAT(wanted(59), IsEmpty());
  EXPECT_THAT(wanted(60), ElementsAre(3u));
  waiting_ = 1;
  EXPECT_THAT(wanted(60), IsEmpty()) << "while a map waits for a container";
}

// Six of 0.01; task 6, of 0.0022, has 55 seconds left, and task 7, of 0.0025, has 300. Their mean
// is 0.008088, their deviation 0.003313: both are slow.
TEST_F(SpeculationRules, LateBeginsWithTheLongestTimeLeft) {
  make(SpeculationRule::late, 8);
  launch(6, 0);
  launch(7, 300);
  for (std::uint32_t task = 0; task < 6; ++task) launch(task, 340);
  for (std::uint32_t task = 0; task < 6; ++task) report(task, 0.6, 400);
  report(6, 0.88, 400);
  report(7, 0.25, 400);
  EXPECT_THAT(wanted(400), ElementsAre(7u, 6u));
  options_.cap_minimum = 1;
  make(SpeculationRule::late, 8);
}

TEST_F(SpeculationRules, LateDuplicatesNoMoreThanItsCapAllows) {
  options_.cap_minimum = 1;
  make(SpeculationRule::late, 8);
  for (std::uint32_t task = 0; task < 8; ++task) launch(task, 0);
  for (std::uint32_t task = 0; task < 6; ++task) report(task, 0.6, 60);
  report(6, 0.1, 60);
  report(7, 0.1, 60);
  EXPECT_THAT(wanted(60), ElementsAre(6u));
  launch(6, 8, 60);
  EXPECT_THAT(wanted(60), IsEmpty());
  cluster_holds_ = 150;  // 1 % of them is more than one
  EXPECT_THAT(wanted(60), ElementsAre(7u)) << "the other one runs twice already";
}

// Tasks that are equal stay so between their reports.
TEST_F(SpeculationRules, LateFindsNoneOfEqualTasksSlow) {
  make(SpeculationRule::late, 3);
  for (std::uint32_t task = 0; task < 3; ++task) launch(task, 0);
  for (std::uint32_t task = 0; task < 3; ++task) report(task, 0.7, 63);
  for (std::int64_t second = 60; second < 100; ++second) EXPECT_THAT(wanted(second), IsEmpty());
}

// Means on the nodes: 10 s three times and 40 s. Their mean is 17.5 s and their deviation 13 s.
TEST_F(SpeculationRules, LateUsesNoNodeWhoseTasksLastADeviationLonger) {
  make(SpeculationRule::late, 4);
  for (std::uint32_t task = 0; task < 4; ++task) launch(task, 0);
  for (std::uint32_t task = 0; task < 3; ++task) finish(task, 10, task);
  EXPECT_THAT(slow_nodes(), IsEmpty());
  finish(3, 40, 3);
  EXPECT_THAT(slow_nodes(), ElementsAre(NodeId(3u)));
}

TEST_F(SpeculationRules, LateByItsPaperDuplicatesTheSlowestQuarter) {
  options_.has_percentiles = true;
  make(SpeculationRule::late, 4);
  for (std::uint32_t task = 0; task < 4; ++task) launch(task, 0);
  for (std::uint32_t task = 0; task < 4; ++task) report(task, 0.9 - 0.1 * task, 100);
  EXPECT_THAT(wanted(100), ElementsAre(3u));
  EXPECT_THAT(slow_nodes(), ElementsAre(NodeId(3u)));
}

// The average of 1, 1, 0.6 and 0.2 is 0.7.
TEST_F(SpeculationRules, Hadoop020DuplicatesWhatIsAFifthBehindTheAverage) {
  make(SpeculationRule::hadoop_0_20, 4);
  for (std::uint32_t task = 0; task < 4; ++task) launch(task, 50);
  finish(0, 55, 0);
  finish(1, 55, 1);
  report(2, 0.6, 56);
  report(3, 0.2, 56);
  EXPECT_THAT(wanted(59), IsEmpty()) << "a minute after the job began";
  EXPECT_THAT(wanted(60), ElementsAre(3u));
  EXPECT_FALSE(policy_->may_run_on(NodeId(3u), 3, maps_)) << "it runs there";
  launch(3, 4, 60);
  EXPECT_THAT(wanted(60), IsEmpty()) << "one duplicate of a task";
}

// One of twenty is done, after 10 s. At 20 s task 1 is to end at 80 and task 2 at 40, and new
// attempts would end at 30: 50 s are gained, or 10.
TEST_F(SpeculationRules, Hadoop3DuplicatesWhatWouldGainMost) {
  make(SpeculationRule::hadoop_3, 20);
  for (std::uint32_t task = 0; task < 3; ++task) launch(task, 0);
  report(1, 0.25, 20);
  report(2, 0.5, 20);
  EXPECT_THAT(wanted(20), IsEmpty()) << "none is done";
  EXPECT_EQ(policy_->next_look(at(20)), at(21));
  finish(0, 10, 0);
  EXPECT_THAT(wanted(20), IsEmpty()) << "not before the next look";
  EXPECT_THAT(wanted(21), ElementsAre(1u));
  EXPECT_EQ(policy_->next_look(at(21)), at(36));
  EXPECT_THAT(wanted(30), ElementsAre(1u)) << "until it is launched";
  launch(1, 20, 30);
  EXPECT_THAT(wanted(30), IsEmpty());
  report(2, 0.55, 35);
  EXPECT_THAT(wanted(36), ElementsAre(2u)) << "to end at 63.6, or at 46";
}

TEST_F(SpeculationRules, Hadoop3LooksForNoneBeforeATwentiethIsDone) {
  make(SpeculationRule::hadoop_3, 21);
  launch(0, 0);
  launch(1, 0);
  finish(0, 10, 0);
  report(1, 0.1, 20);
  EXPECT_THAT(wanted(20), IsEmpty());
}

// Hadoop takes nine seconds without news for a report of no progress.
TEST_F(SpeculationRules, Hadoop3TakesSilenceForNoProgress) {
  make(SpeculationRule::hadoop_3, 2);
  launch(0, 0);
  launch(1, 0);
  finish(0, 10, 0);
  EXPECT_THAT(wanted(8), IsEmpty());
  EXPECT_THAT(wanted(9), ElementsAre(1u));
}

TEST_F(SpeculationRules, ThoseOfNoRuleAreNone) {
  EXPECT_EQ(make_speculation_policy(options_, seconds(1)), nullptr);
}

}  // namespace
}  // namespace tracebed
