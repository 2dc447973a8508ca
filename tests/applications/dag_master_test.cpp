#include "applications/dag/dag_master.h"

#include <gtest/gtest.h>

#include "applications/master_harness.h"

namespace tracebed {
namespace {

Stage stage_of(std::uint32_t tasks, std::vector<std::uint16_t> needs = {}) {
  Stage stage;
  stage.demand = Resources(1'000, 512);
  Work work;
  work.duration = seconds(10);
  if (tasks > 0) stage.runs = {{tasks, work}};
  stage.needs = std::move(needs);
  return stage;
}

class Dag : public ::testing::Test {
 protected:
  void make(std::vector<Stage> stages, DagOptions options = {},
            std::vector<StagePlaces> places = {}) {
    Job job;
    job.kind = JobKind::dag;
    job.stages = std::move(stages);
    places.resize(job.stages.size());
    master_.emplace(options, job, std::move(places));
    harness_.emplace(*master_);
    harness_->start();
  }
  void beat() { harness_->heartbeat(Resources()); }
  // Grants, ends and hears of it, as many tasks of a stage as are asked for.
  void work_off(AskSlot stage, NodeId node = NodeId(0u)) {
    for (std::uint32_t left = harness_->pending(stage); left > 0; --left) {
      harness_->end(harness_->grant(stage, node));
    }
    if (!harness_->finish() && harness_->heartbeat_at()) beat();
  }
  bool asks(AskSlot stage) const {
    return harness_->has_asked(stage) && harness_->pending(stage) > 0;
  }

  std::optional<DagMaster> master_;
  std::optional<MasterHarness> harness_;
};

// 0 and 1 are needed by 2, 2 and 0 by 3.
std::vector<Stage> diamond() {
  return {stage_of(2), stage_of(1), stage_of(2, {0, 1}), stage_of(1, {0, 2})};
}

TEST_F(Dag, AStageIsAskedForWhenAllItNeedsHaveEnded) {
  make(diamond());
  EXPECT_EQ(harness_->pending(0), 2u);
  EXPECT_EQ(harness_->pending(1), 1u);
  EXPECT_FALSE(harness_->has_asked(2));
  work_off(0);
  EXPECT_FALSE(harness_->has_asked(2));
  EXPECT_FALSE(harness_->has_asked(3));
  work_off(1);
  EXPECT_EQ(harness_->pending(2), 2u);
  harness_->end(harness_->grant(2));
  beat();
  EXPECT_FALSE(harness_->has_asked(3)) << "one task of stage 2 is left";
  work_off(2);
  EXPECT_EQ(harness_->pending(3), 1u);
  EXPECT_FALSE(harness_->finish());
  work_off(3);
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(Dag, StagesNearerToTheBeginningComeFirst) {
  make(diamond());
  work_off(0);
  work_off(1);
  work_off(2);
  EXPECT_EQ(harness_->ask(0).priority, 1);
  EXPECT_EQ(harness_->ask(1).priority, 1);
  EXPECT_EQ(harness_->ask(2).priority, 2);
  EXPECT_EQ(harness_->ask(3).priority, 3);
}

TEST_F(Dag, TasksWaitFromWhenTheirStageWasAskedFor) {
  make({stage_of(1), stage_of(1, {0})});
  harness_->at(seconds(30));
  work_off(0);
  harness_->at(seconds(50));
  const ContainerId container = harness_->grant(1);
  EXPECT_EQ(harness_->launched(container).waiting_since, TraceTime(seconds(30)));
  EXPECT_EQ(harness_->launched(container).task, (TaskRef{1, 0}));
}

TEST_F(Dag, ADelayRunsFromWhenTheNeededStageEnded) {
  std::vector<Stage> stages = {stage_of(1), stage_of(1, {0}), stage_of(1)};
  stages[1].delay = seconds(5);
  stages[2].delay = seconds(100);
  make(std::move(stages));
  EXPECT_EQ(harness_->heartbeat_at(), TraceTime(seconds(100)));
  harness_->at(seconds(20));
  harness_->end(harness_->grant(0));
  EXPECT_EQ(harness_->heartbeat_at(), TraceTime(seconds(25)));
  EXPECT_FALSE(harness_->has_asked(1));
  harness_->at(seconds(25));
  beat();
  EXPECT_EQ(harness_->pending(1), 1u);
  EXPECT_FALSE(harness_->has_asked(2));
  EXPECT_EQ(harness_->heartbeat_at(), TraceTime(seconds(100)));
  harness_->at(seconds(100));
  beat();
  EXPECT_EQ(harness_->pending(2), 1u);
}

TEST_F(Dag, AFailedTaskIsTriedAgainUntilItsAttemptsAreUsedUp) {
  make({stage_of(3)}, {.attempts_max = 2, .are_outputs_on_nodes = true});
  const ContainerId first = harness_->grant(0);
  harness_->end(first, ContainerEnd::failed);
  beat();
  EXPECT_EQ(harness_->pending(0), 3u);
  const ContainerId again = harness_->grant(0);
  EXPECT_EQ(harness_->launched(again).task, (TaskRef{0, 0}));
  EXPECT_EQ(harness_->launched(again).attempt, 2u);
  harness_->end(again, ContainerEnd::killed);  // the system's doing does not count
  beat();
  ASSERT_FALSE(harness_->finish());
  harness_->end(harness_->grant(0), ContainerEnd::out_of_memory);
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::failed);
  EXPECT_EQ(harness_->finish()->diagnostics,
            "task 0 of stage 0 failed 2 times, at last as out_of_memory");
}

TEST_F(Dag, WhatALostNodeHadMadeIsMadeAgainWhileAStageNeedsIt) {
  make({stage_of(2), stage_of(2, {0})});
  const ContainerId left = harness_->grant(0, NodeId(0u));
  const ContainerId right = harness_->grant(0, NodeId(1u));
  harness_->end(left);
  harness_->end(right);
  beat();
  ASSERT_EQ(harness_->pending(1), 2u);
  const ContainerId runs_on = harness_->grant(1, NodeId(2u));
  harness_->lose(NodeId(1u));
  beat();
  // One task of stage 0 again; the other task of stage 1 waits for it, the running one goes on.
  EXPECT_EQ(harness_->pending(0), 1u);
  EXPECT_EQ(harness_->pending(1), 0u);
  EXPECT_TRUE(harness_->is_running(runs_on));
  const ContainerId again = harness_->grant(0, NodeId(0u));
  EXPECT_EQ(harness_->launched(again).task, (TaskRef{0, 1}));
  EXPECT_EQ(harness_->launched(again).attempt, 2u);
  harness_->end(again);
  beat();
  EXPECT_EQ(harness_->pending(1), 1u);
  harness_->end(runs_on);
  work_off(1);
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(Dag, TasksThatMayHaveToFetchWhatWasLostAreKilledAndWait) {
  make({stage_of(2), stage_of(1), stage_of(2, {0}), stage_of(1, {1})},
       {.are_lost_outputs_awaited = true});
  const ContainerId left = harness_->grant(0, NodeId(0u));
  const ContainerId right = harness_->grant(0, NodeId(1u));
  harness_->end(left);
  harness_->end(right);
  work_off(1);
  const ContainerId fetching = harness_->grant(2, NodeId(2u));
  const ContainerId of_another = harness_->grant(3, NodeId(2u));
  harness_->lose(NodeId(1u));
  EXPECT_EQ(harness_->to_kill(), std::set{fetching});
  harness_->end(fetching, ContainerEnd::killed);
  beat();
  EXPECT_EQ(harness_->pending(0), 1u);
  EXPECT_EQ(harness_->pending(2), 0u);
  work_off(0);
  EXPECT_EQ(harness_->pending(2), 2u);
  work_off(2);
  harness_->end(of_another);
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(Dag, ALossGoesBackThroughStagesWhoseOutputIsNeededAgain) {
  make({stage_of(1), stage_of(1, {0}), stage_of(1, {1})});
  work_off(0, NodeId(1u));
  work_off(1, NodeId(1u));
  ASSERT_TRUE(asks(2));
  harness_->lose(NodeId(1u));
  beat();
  EXPECT_TRUE(asks(0));
  EXPECT_FALSE(asks(1));
  EXPECT_FALSE(asks(2));
  work_off(0);
  EXPECT_TRUE(asks(1));
  work_off(1);
  work_off(2);
  EXPECT_TRUE(harness_->finish());
}

TEST_F(Dag, NothingIsMadeAgainThatNoStageNeeds) {
  make({stage_of(1), stage_of(1, {0}), stage_of(1, {1})});
  work_off(0, NodeId(1u));
  work_off(1, NodeId(2u));
  harness_->lose(NodeId(1u));
  EXPECT_FALSE(asks(0)) << "stage 1, which read it, has ended";
  EXPECT_TRUE(asks(2));
}

TEST_F(Dag, DurableOutputsOutliveTheirNodes) {
  make({stage_of(1), stage_of(1, {0})}, {.attempts_max = 4, .are_outputs_on_nodes = false});
  work_off(0, NodeId(1u));
  harness_->lose(NodeId(1u));
  EXPECT_FALSE(asks(0));
  EXPECT_TRUE(asks(1));
}

TEST_F(Dag, StagesWithoutTasksEndAsTheyBegin) {
  make({stage_of(0), stage_of(0, {0}), stage_of(1, {1}), stage_of(0, {2})});
  ASSERT_TRUE(asks(2));
  work_off(2);
  ASSERT_TRUE(harness_->finish());
  make({stage_of(0)});
  EXPECT_TRUE(harness_->finish());
}

TEST_F(Dag, AContainerThatIsNotNeededAnyMoreGoesBack) {
  make({stage_of(1), stage_of(2, {0})});
  work_off(0, NodeId(1u));
  ASSERT_TRUE(asks(1));
  harness_->lose(NodeId(1u));
  // Granted before the engine heard that nothing is asked for.
  const ContainerId early = harness_->grant(1);
  EXPECT_TRUE(harness_->released().contains(early));
}

TEST_F(Dag, TasksRunNearTheirRecordedInput) {
  StagePlaces places;
  places.replication = 2;
  places.replicas = {
      {NodeId(3u), RackId(1u)}, {NodeId(4u), RackId(2u)}, {NodeId(4u), RackId(2u)}, {}, {}, {}};
  make({stage_of(3)}, {}, {places});
  EXPECT_EQ(to_text(harness_->ask(0).nodes), "3:1 4:2");
  EXPECT_EQ(to_text(harness_->ask(0).racks), "1:1 2:2");
  const ContainerId near = harness_->grant(0, NodeId(4u), RackId(2u));
  EXPECT_EQ(harness_->launched(near).locality, Locality::node);
  EXPECT_EQ(harness_->launched(near).task.index, 0u);
  EXPECT_EQ(to_text(harness_->ask(0).nodes), "4:1");
  const ContainerId in_rack = harness_->grant(0, NodeId(5u), RackId(2u));
  EXPECT_EQ(harness_->launched(in_rack).locality, Locality::rack);
  const ContainerId anywhere = harness_->grant(0, NodeId(6u), RackId(0u));
  EXPECT_EQ(harness_->launched(anywhere).locality, Locality::none_asked);
}

TEST_F(Dag, ConfinedTasksAskOnlyForTheirNodes) {
  StagePlaces places;
  places.is_confined = true;
  places.allowed = {NodeId(2u), NodeId(7u)};
  make({stage_of(3)}, {}, {places});
  EXPECT_FALSE(harness_->ask(0).relax_locality);
  EXPECT_EQ(to_text(harness_->ask(0).nodes), "2:3 7:3");
  harness_->grant(0, NodeId(2u));
  EXPECT_EQ(to_text(harness_->ask(0).nodes), "2:3 7:3") << "they stay allowed";
}

TEST_F(Dag, ConfinedToNoMachineItFails) {
  StagePlaces places;
  places.is_confined = true;
  make({stage_of(3)}, {}, {places});
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::failed);
}

}  // namespace
}  // namespace tracebed
