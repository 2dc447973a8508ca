// A task that is ordered to another node (a strict contract that says so), under each master.
#include "applications/preemption/moved_tasks.h"

#include <gtest/gtest.h>

#include "applications/dag/dag_master.h"
#include "applications/map_reduce/map_reduce_master.h"
#include "applications/master_harness.h"
#include "applications/rigid/rigid_master.h"
#include "applications/service/service_master.h"

namespace tracebed {
namespace {

Stage small_stage(StageKind kind, std::uint32_t tasks) {
  Stage stage;
  stage.kind = kind;
  stage.demand = Resources(1'000, 512);
  stage.runs = {{tasks, Work{.duration = seconds(10)}}};
  return stage;
}

class MovedTasksTest : public testing::Test {
 protected:
  void drive(ApplicationMaster& master) {
    harness_.emplace(master);
    harness_->start();
  }
  // Two tasks of one stage; their asks for moved tasks begin at slot 1.
  void make_dag(StagePlaces places = {}) {
    Job job;
    job.kind = JobKind::dag;
    job.stages = {small_stage(StageKind::map, 2)};
    std::vector<StagePlaces> all;
    all.push_back(std::move(places));
    dag_.emplace(DagOptions(), job, std::move(all));
    drive(*dag_);
  }
  const LaunchTask& launched(ContainerId container) const { return harness_->launched(container); }

  std::optional<DagMaster> dag_;
  std::optional<MasterHarness> harness_;
};

TEST_F(MovedTasksTest, OneIsAskedForAloneAndNotOnTheNodeThatItLeft) {
  make_dag();
  const ContainerId first = harness_->grant(0, NodeId(4u));
  harness_->order_move(first);
  EXPECT_TRUE(harness_->to_kill().contains(first));
  harness_->end(first, ContainerEnd::preempted);
  ASSERT_TRUE(harness_->has_asked(1));
  const SetAsk& ask = harness_->ask(1);
  EXPECT_EQ(ask.pending, 1u);
  EXPECT_EQ(ask.demand, Resources(1'000, 512));
  EXPECT_EQ(ask.priority, harness_->ask(0).priority);
  EXPECT_EQ(ask.avoided, NodeId(4u));
  EXPECT_TRUE(ask.relax_locality);
  EXPECT_EQ(harness_->pending(0), 1u) << "the other task is asked for as before";
  const ContainerId again = harness_->grant(1, NodeId(2u));
  EXPECT_EQ(launched(again).task, (TaskRef{0, 0}));
  EXPECT_EQ(launched(again).attempt, 2u);
  EXPECT_FALSE(harness_->has_asked(1)) << "its ask is closed";
}

TEST_F(MovedTasksTest, OneWithADestinationIsAskedForThereAndNowhereElse) {
  make_dag();
  const ContainerId first = harness_->grant(0, NodeId(4u));
  harness_->order_move(first, NodeId(7u));
  harness_->end(first, ContainerEnd::checkpointed);
  const SetAsk& ask = harness_->ask(1);
  EXPECT_FALSE(ask.relax_locality);
  EXPECT_EQ(ask.nodes, (std::vector<PlaceCount<NodeId>>{{NodeId(7u), 1}}));
  EXPECT_FALSE(ask.avoided.is_valid());
}

TEST_F(MovedTasksTest, WhereTheDestinationLeavesAnyOtherNodeWillDo) {
  make_dag();
  const ContainerId first = harness_->grant(0, NodeId(4u));
  const ContainerId second = harness_->grant(0, NodeId(5u));
  harness_->order_move(first, NodeId(7u));
  harness_->order_move(second, NodeId(7u));
  harness_->end(first, ContainerEnd::preempted);
  harness_->lose(NodeId(7u));
  EXPECT_TRUE(harness_->ask(1).relax_locality);
  EXPECT_EQ(harness_->ask(1).avoided, NodeId(4u));
  harness_->end(second, ContainerEnd::preempted);
  EXPECT_TRUE(harness_->ask(2).relax_locality) << "it ended after the node had left";
  EXPECT_EQ(harness_->ask(2).avoided, NodeId(5u));
}

TEST_F(MovedTasksTest, OneThatEndsWellBeforeItWentIsForgotten) {
  make_dag();
  const ContainerId first = harness_->grant(0);
  harness_->order_move(first, NodeId(7u));
  harness_->end(first);
  EXPECT_FALSE(harness_->has_asked(1));
}

TEST_F(MovedTasksTest, OneThatMayRunOnCertainNodesOnlyStaysWithinThem) {
  make_dag({.is_confined = true, .allowed = {NodeId(1u), NodeId(2u), NodeId(3u)}});
  const ContainerId first = harness_->grant(0, NodeId(1u));
  harness_->order_move(first, NodeId(9u));
  harness_->end(first, ContainerEnd::preempted);
  const SetAsk& ask = harness_->ask(1);
  EXPECT_FALSE(ask.relax_locality);
  ASSERT_EQ(ask.nodes.size(), 2u) << "neither where it was, nor where it may not be";
  EXPECT_EQ(ask.nodes[0].place, NodeId(2u));
  EXPECT_EQ(ask.nodes[1].place, NodeId(3u));
}

TEST_F(MovedTasksTest, AContainerTooManyIsGivenBack) {
  make_dag();
  const ContainerId first = harness_->grant(0);
  harness_->order_move(first);
  harness_->end(first, ContainerEnd::preempted);
  harness_->grant(1);
  MasterActions actions;
  dag_->granted(harness_->now(), Grant{.container = ContainerId(99u), .slot = 1}, actions);
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<ReleaseContainer>(actions[0]));
}

// The map has its input on nodes 0 and 1. Slots of moved tasks begin at 3.
TEST_F(MovedTasksTest, AMapNamesItsInputElsewhereAndCountsAsWaiting) {
  Job job;
  job.stages = {small_stage(StageKind::map, 1), small_stage(StageKind::reduce, 1)};
  MapReduceOptions options;
  options.ramp.slow_start = 0;
  MapReduceMaster master(options, job, {{NodeId(0u), RackId(0u)}, {NodeId(1u), RackId(0u)}}, 2);
  drive(master);
  const ContainerId map = harness_->grant(2, NodeId(0u));
  harness_->order_move(map);
  harness_->end(map, ContainerEnd::preempted);
  const SetAsk& ask = harness_->ask(3);
  EXPECT_EQ(ask.avoided, NodeId(0u));
  EXPECT_EQ(ask.nodes, (std::vector<PlaceCount<NodeId>>{{NodeId(1u), 1}}));
  EXPECT_EQ(ask.racks, (std::vector<PlaceCount<RackId>>{{RackId(0u), 1}}));
  const ContainerId again = harness_->grant(3, NodeId(1u));
  EXPECT_EQ(launched(again).task, (TaskRef{0, 0}));
  EXPECT_EQ(launched(again).locality, Locality::node);
}

TEST_F(MovedTasksTest, AMovedReduceIsAskedForOnce) {
  Job job;
  job.stages = {small_stage(StageKind::map, 1), small_stage(StageKind::reduce, 1)};
  MapReduceMaster master({}, job, {}, 0);
  drive(master);
  const Resources plenty(1'000'000, 1'000'000);
  harness_->end(harness_->grant(2));
  harness_->heartbeat(plenty);
  const ContainerId reduce = harness_->grant(1, NodeId(6u));
  harness_->order_move(reduce);
  harness_->end(reduce, ContainerEnd::checkpointed);
  harness_->heartbeat(plenty);
  EXPECT_EQ(harness_->ask(3).avoided, NodeId(6u));
  EXPECT_EQ(harness_->pending(1), 0u) << "not among the others as well";
  const ContainerId again = harness_->grant(3, NodeId(5u));
  EXPECT_EQ(launched(again).task, (TaskRef{1, 0}));
  EXPECT_FALSE(harness_->is_held(again));
  harness_->end(again);
  EXPECT_TRUE(harness_->finish());
}

TEST_F(MovedTasksTest, AnInstanceOfAServiceServesWhatIsLeftElsewhere) {
  Job job;
  job.kind = JobKind::service;
  job.stages = {small_stage(StageKind::map, 1)};
  ServiceMaster master(job, std::vector<StagePlaces>(1), 1);
  drive(master);
  const ContainerId first = harness_->grant(0, NodeId(3u));
  harness_->at(seconds(4));
  harness_->order_move(first);
  harness_->end(first, ContainerEnd::preempted);
  EXPECT_EQ(harness_->ask(1).avoided, NodeId(3u));
  const ContainerId again = harness_->grant(1, NodeId(2u));
  EXPECT_EQ(launched(again).work.duration, seconds(6));
}

TEST_F(MovedTasksTest, AGangGoesElsewhereWhole) {
  RigidMaster master(small_stage(StageKind::gang, 4), 1);
  drive(master);
  const std::vector<ContainerId> pieces = harness_->grant_gang(0, {2, 2});
  harness_->order_move(pieces[1]);
  for (const ContainerId piece : pieces) {
    EXPECT_TRUE(harness_->to_kill().contains(piece));
    harness_->end(piece, ContainerEnd::preempted);
  }
  EXPECT_EQ(harness_->pending(0), 4u);
  EXPECT_EQ(harness_->ask(0).avoided, NodeId(1u));
  for (const ContainerId piece : harness_->grant_gang(0, {4})) {
    harness_->end(piece, ContainerEnd::killed);
  }
  EXPECT_FALSE(harness_->ask(0).avoided.is_valid()) << "it went once";
}

}  // namespace
}  // namespace tracebed
