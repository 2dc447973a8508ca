// The MapReduce master with a rule of speculative execution, as stories.
#include <gtest/gtest.h>

#include "applications/map_reduce/map_reduce_master.h"
#include "applications/master_harness.h"

namespace tracebed {
namespace {

constexpr AskSlot failed_map_slot = 0;
constexpr AskSlot reduce_slot = 1;
constexpr AskSlot map_slot = 2;
constexpr AskSlot map_duplicate_slot = 3;
const Resources much_room(1'000'000, 1'000'000);

// Four maps, each on a node of its own, and one reduce. The map on node 3 is slow.
class SpeculatingMaster : public testing::Test {
 protected:
  void make(SpeculationRule rule, std::uint32_t nodes = 6) {
    options_.speculation.rule = rule;
    options_.ramp.slow_start = 1;
    Job job;
    for (const StageKind kind : {StageKind::map, StageKind::reduce}) {
      Stage& stage = job.stages.emplace_back();
      stage.kind = kind;
      stage.demand = Resources(1'000, 1'024);
      Work work;
      work.duration = seconds(100);
      stage.runs.push_back({kind == StageKind::map ? 4u : 1u, work});
    }
    master_.emplace(options_, job, std::vector<Replica>(), 0);
    std::vector<Node> cluster(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) cluster[i].id = NodeId(i);
    master_->know_cluster(cluster);
    harness_.emplace(*master_);
    harness_->start();
    for (std::uint32_t i = 0; i < 4; ++i) {
      maps_.push_back(harness_->grant(map_slot, NodeId(i)));
    }
  }
  void pass(std::int64_t second) {
    harness_->at(seconds(second));
    harness_->heartbeat(much_room);
  }
  // At that time, the slow map is done to a tenth, and the others to six.
  void report(std::int64_t second) {
    harness_->at(seconds(second));
    for (std::size_t i = 0; i < 4; ++i) harness_->report(maps_[i], i == 3 ? 10 : 60);
    harness_->heartbeat(much_room);
  }
  // On a node without maps.
  ContainerId duplicate() {
    report(60);
    return harness_->grant(map_duplicate_slot, NodeId(4u));
  }
  void finish_others() {
    for (std::size_t i = 0; i < 3; ++i) harness_->end(maps_[i]);
  }
  void finish_reduce() {
    harness_->heartbeat(much_room);
    harness_->end(harness_->grant(reduce_slot));
  }

  MapReduceOptions options_;
  std::optional<MapReduceMaster> master_;
  std::optional<MasterHarness> harness_;
  std::vector<ContainerId> maps_;
};

TEST_F(SpeculatingMaster, WithoutARuleAsksForNoProgressAndNoDuplicate) {
  make(SpeculationRule::none);
  EXPECT_EQ(harness_->launched(maps_[0]).work.progress_interval, Duration::zero());
  EXPECT_FALSE(harness_->heartbeat_at());
  report(60);
  EXPECT_FALSE(harness_->has_asked(map_duplicate_slot));
}

TEST_F(SpeculatingMaster, DuplicatesTheSlowMapElsewhereWhenLateDoes) {
  make(SpeculationRule::late);
  EXPECT_EQ(harness_->launched(maps_[0]).work.progress_interval, seconds(3));
  report(59);
  EXPECT_EQ(harness_->pending(map_duplicate_slot), 0u);
  report(60);
  ASSERT_EQ(harness_->pending(map_duplicate_slot), 1u);
  EXPECT_EQ(harness_->ask(map_duplicate_slot).avoided, NodeId(3u));
  EXPECT_EQ(harness_->ask(map_duplicate_slot).priority, 20);
  const ContainerId second = harness_->grant(map_duplicate_slot, NodeId(4u));
  const LaunchTask& launched = harness_->launched(second);
  EXPECT_EQ(launched.task, (TaskRef{0, 3}));
  EXPECT_EQ(launched.attempt, 2u);
  EXPECT_EQ(launched.beside, maps_[3]);
  EXPECT_EQ(launched.waiting_since, TraceTime(seconds(60)));
  EXPECT_EQ(harness_->pending(map_duplicate_slot), 0u);
}

TEST_F(SpeculatingMaster, KillsTheOneThatIsNotTheFirst) {
  make(SpeculationRule::late);
  const ContainerId second = duplicate();
  finish_others();
  EXPECT_TRUE(harness_->to_kill().empty());
  harness_->end(second);
  EXPECT_EQ(harness_->to_kill(), std::set{maps_[3]});
  finish_reduce();
  EXPECT_TRUE(harness_->finish()) << "it does not wait for the end of what it kills";
}

TEST_F(SpeculatingMaster, KillsTheDuplicateIfItIsTooLate) {
  make(SpeculationRule::late);
  const ContainerId second = duplicate();
  finish_others();
  harness_->end(maps_[3]);
  EXPECT_EQ(harness_->to_kill(), std::set{second});
  harness_->end(second, ContainerEnd::killed);
  EXPECT_EQ(harness_->pending(failed_map_slot), 0u);
  EXPECT_EQ(harness_->pending(map_slot), 0u);
  finish_reduce();
  EXPECT_TRUE(harness_->finish());
}

TEST_F(SpeculatingMaster, GoesOnWithTheOtherAttemptWhenOneIsLost) {
  make(SpeculationRule::late);
  const ContainerId second = duplicate();
  harness_->lose(NodeId(3u));
  harness_->heartbeat(much_room);
  EXPECT_EQ(harness_->pending(map_slot), 0u);
  EXPECT_EQ(harness_->pending(failed_map_slot), 0u);
  finish_others();
  harness_->end(second);
  finish_reduce();
  EXPECT_TRUE(harness_->finish());
}

TEST_F(SpeculatingMaster, RunsTheTaskOnceMoreWhenBothAttemptsAreLost) {
  make(SpeculationRule::late);
  (void)duplicate();
  harness_->lose(NodeId(3u));
  harness_->lose(NodeId(4u));
  harness_->heartbeat(much_room);
  ASSERT_EQ(harness_->pending(map_slot), 1u);
  const ContainerId third = harness_->grant(map_slot, NodeId(5u));
  EXPECT_EQ(harness_->launched(third).attempt, 3u);
  EXPECT_FALSE(harness_->launched(third).beside.is_valid());
}

TEST_F(SpeculatingMaster, CountsTheFailureOfEitherAttempt) {
  options_.map_attempts_max = 2;
  make(SpeculationRule::late);
  const ContainerId second = duplicate();
  harness_->end(second, ContainerEnd::failed);
  EXPECT_FALSE(harness_->finish());
  EXPECT_EQ(harness_->pending(failed_map_slot), 0u) << "the other one goes on";
  harness_->end(maps_[3], ContainerEnd::failed);
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->diagnostics, "map 3 failed 2 times, the last time as failed");
}

TEST_F(SpeculatingMaster, FailsWithTheLastFailureThoughTheOtherAttemptRuns) {
  options_.map_attempts_max = 1;
  make(SpeculationRule::late);
  harness_->end(duplicate(), ContainerEnd::failed);
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::failed);
}

// The third attempt at the task avoids the node of its first, and the one where it failed.
TEST_F(SpeculatingMaster, NamesTheNodesWhereSeveralAreBarred) {
  make(SpeculationRule::late);
  harness_->end(duplicate(), ContainerEnd::failed);
  pass(120);
  report(121);
  ASSERT_EQ(harness_->pending(map_duplicate_slot), 1u);
  const SetAsk& ask = harness_->ask(map_duplicate_slot);
  EXPECT_FALSE(ask.relax_locality);
  EXPECT_EQ(to_text(ask.nodes), "0:1 1:1 2:1 5:1");
  const ContainerId third = harness_->grant(map_duplicate_slot, NodeId(5u));
  EXPECT_EQ(harness_->launched(third).attempt, 3u);
}

// A scheduler that keeps no wish about nodes gives it one that it cannot use.
TEST_F(SpeculatingMaster, GivesBackWhatSuitsNoTaskAndAsksAgainLater) {
  make(SpeculationRule::late);
  report(60);
  const ContainerId given = harness_->grant(map_duplicate_slot, NodeId(3u));
  EXPECT_TRUE(harness_->released().contains(given));
  EXPECT_EQ(harness_->pending(map_duplicate_slot), 0u);
  report(61);
  EXPECT_EQ(harness_->pending(map_duplicate_slot), 1u);
}

TEST_F(SpeculatingMaster, WithdrawsWhatItNoLongerNeeds) {
  make(SpeculationRule::hadoop_3);
  harness_->at(seconds(20));
  harness_->end(maps_[0]);
  harness_->report(maps_[1], 60);
  harness_->report(maps_[2], 60);
  harness_->report(maps_[3], 10);
  harness_->heartbeat(much_room);
  ASSERT_EQ(harness_->pending(map_duplicate_slot), 1u);
  harness_->at(seconds(21));
  harness_->end(maps_[3]);
  EXPECT_EQ(harness_->pending(map_duplicate_slot), 0u);
}

// The output of a map that is done is lost while its superseded attempt is still being killed.
TEST_F(SpeculatingMaster, RunsAMapAgainWhoseOutputIsLostBesideItsSupersededAttempt) {
  make(SpeculationRule::late);
  const ContainerId second = duplicate();
  harness_->end(second);
  harness_->lose(NodeId(4u));
  harness_->heartbeat(much_room);
  ASSERT_EQ(harness_->pending(failed_map_slot), 1u);
  const ContainerId third = harness_->grant(failed_map_slot, NodeId(5u));
  EXPECT_EQ(harness_->launched(third).attempt, 3u);
  harness_->end(maps_[3], ContainerEnd::killed);
  finish_others();
  EXPECT_EQ(harness_->pending(reduce_slot), 0u) << "the map is not done";
  harness_->end(third);
  finish_reduce();
  EXPECT_TRUE(harness_->finish());
}

}  // namespace
}  // namespace tracebed
