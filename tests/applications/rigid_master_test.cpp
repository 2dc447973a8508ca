#include "applications/rigid/rigid_master.h"

#include <gtest/gtest.h>

#include "applications/master_harness.h"

namespace tracebed {
namespace {

Stage gang_stage(std::vector<TaskRun> runs) {
  Stage stage;
  stage.kind = StageKind::gang;
  stage.demand = Resources(1'000, 512);
  stage.runs = std::move(runs);
  return stage;
}

Work work_of_seconds(int run_time) {
  Work work;
  work.duration = seconds(run_time);
  work.cpu_time = seconds(run_time);
  work.memory_mib = 100;
  return work;
}

class Rigid : public ::testing::Test {
 protected:
  void make(std::uint32_t attempts_max) { make(attempts_max, {{8, work_of_seconds(60)}}); }
  void make(std::uint32_t attempts_max, std::vector<TaskRun> runs) {
    master_.emplace(gang_stage(std::move(runs)), attempts_max);
    harness_.emplace(*master_);
    harness_->start();
  }

  std::optional<RigidMaster> master_;
  std::optional<MasterHarness> harness_;
};

TEST_F(Rigid, AsksForAllTasksAtOnceAndEndsWithTheLastPiece) {
  make(1);
  EXPECT_EQ(harness_->ask(0).kind, StageKind::gang);
  EXPECT_EQ(harness_->pending(0), 8u);
  const auto gang = harness_->grant_gang(0, {5, 3});
  const ContainerId first = gang[0];
  const ContainerId second = gang[1];
  EXPECT_EQ(harness_->launched(first).task, (TaskRef{0, 0}));
  EXPECT_EQ(harness_->launched(second).task, (TaskRef{0, 5}));
  // Five tasks side by side: amounts add up, the time does not.
  EXPECT_EQ(harness_->launched(first).work.duration, seconds(60));
  EXPECT_EQ(harness_->launched(first).work.cpu_time, seconds(300));
  EXPECT_EQ(harness_->launched(first).work.memory_mib, 500);
  harness_->end(first);
  EXPECT_FALSE(harness_->finish());
  harness_->end(second);
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(Rigid, EndsAtOnceWhenAllPiecesEndTogether) {
  make(1);
  const auto gang = harness_->grant_gang(0, {5, 3});
  harness_->end_gang(gang);
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(Rigid, TasksThatDifferAreLaunchedPieceByPiece) {
  make(1, {{2, work_of_seconds(10)}, {2, work_of_seconds(30)}});
  const auto gang = harness_->grant_gang(0, {1, 3});
  EXPECT_EQ(harness_->launched(gang[0]).work.duration, seconds(10));
  EXPECT_EQ(harness_->launched(gang[1]).task, (TaskRef{0, 1}));
  EXPECT_EQ(harness_->launched(gang[1]).work.duration, seconds(30));
  EXPECT_EQ(harness_->launched(gang[1]).work.cpu_time, seconds(70));
}

// As a master in a container hears of them when there are many.
TEST_F(Rigid, ReleasesWhatItIsToldOfAfterThePieceBeforeFailed) {
  make(2);
  const ContainerId first = harness_->grant_piece(0, 5);
  harness_->end(first, ContainerEnd::failed);
  EXPECT_EQ(harness_->pending(0), 3u) << "the rest of the gang is still to come";
  const ContainerId second = harness_->grant_piece(0, 3);
  EXPECT_EQ(harness_->released(), std::set{second});
  EXPECT_EQ(harness_->pending(0), 8u);
}

TEST_F(Rigid, FailsWithItsFirstFailureWhenOneAttemptIsAllowed) {
  make(1);
  harness_->end(harness_->grant_gang(0, {5, 3}).front(), ContainerEnd::out_of_memory);
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::failed);
  EXPECT_EQ(harness_->finish()->diagnostics,
            "a piece of the gang ended as out_of_memory in attempt 1");
}

TEST_F(Rigid, ALostPieceEndsTheOthersAndTheGangIsAskedForAgainAsAWhole) {
  make(1);
  const auto gang = harness_->grant_gang(0, {3, 3, 2});
  harness_->end(gang[0]);
  harness_->at(seconds(10));
  harness_->lose(NodeId(1u));
  EXPECT_EQ(harness_->to_kill(), std::set{gang[2]});
  EXPECT_EQ(harness_->pending(0), 0u);
  // It ended well before the kill reached it; its part is done again all the same.
  harness_->at(seconds(12));
  harness_->end(gang[2]);
  EXPECT_FALSE(harness_->is_running(gang[1]));
  ASSERT_EQ(harness_->pending(0), 8u);
  const ContainerId whole = harness_->grant_gang(0, {8}).front();
  EXPECT_EQ(harness_->launched(whole).attempt, 2u);
  EXPECT_EQ(harness_->launched(whole).waiting_since, TraceTime(seconds(12)));
  harness_->end(whole);
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(Rigid, CountsFailuresButNotWhatTheSystemTook) {
  make(2);
  for (ContainerEnd end : {ContainerEnd::killed, ContainerEnd::failed, ContainerEnd::node_lost}) {
    const ContainerId whole = harness_->grant_gang(0, {8}).front();
    harness_->end(whole, end);
    ASSERT_FALSE(harness_->finish());
    ASSERT_EQ(harness_->pending(0), 8u);
  }
  const ContainerId whole = harness_->grant_gang(0, {8}).front();
  EXPECT_EQ(harness_->launched(whole).attempt, 4u);
  harness_->end(whole, ContainerEnd::timed_out);
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::failed);
}

TEST_F(Rigid, CountsSeveralLostPiecesOfOneAttemptAsOneFailure) {
  make(2);
  for (ContainerId container : harness_->grant_gang(0, {5, 3})) {
    harness_->end(container, ContainerEnd::failed);
  }
  EXPECT_FALSE(harness_->finish());
  EXPECT_EQ(harness_->pending(0), 8u);
}

TEST(StageWork, CombinesTasksOfSeveralRuns) {
  const StageWork work({{2, work_of_seconds(10)}, {3, work_of_seconds(30)}});
  EXPECT_EQ(work.tasks(), 5u);
  EXPECT_EQ(work.work(1).duration, seconds(10));
  EXPECT_EQ(work.work(2).duration, seconds(30));
  Work both;
  both.input_bytes = 7;  // what was there before is gone
  work.combine(1, 3, both);
  EXPECT_EQ(both.duration, seconds(30));
  EXPECT_EQ(both.cpu_time, seconds(70));
  EXPECT_EQ(both.memory_mib, 300);
  work.combine(3, 2, both);
  EXPECT_EQ(both.cpu_time, seconds(60));
}

}  // namespace
}  // namespace tracebed
