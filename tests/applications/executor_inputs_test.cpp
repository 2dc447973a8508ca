// Input that executors keep in memory, and executors that come and go, worked by hand.
#include <gmock/gmock.h>

#include "applications/executors_story.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;

// Two iterations over two blocks. Executors on nodes 1 and 2 read a block each; in the second each
// takes its own, whatever the order of offers, and reads nothing.
TEST_F(Executors, IterateOnTheBlocksThatTheyHaveRead) {
  make_iterating();
  const ContainerId first = place(1);
  const ContainerId second = place(2);
  const TaskRef by_first = task_in(first);
  EXPECT_EQ(launched(first).work.input_bytes, 64);
  EXPECT_NE(launched(first).work.input_executor, 0);
  EXPECT_NE(launched(first).work.input_executor, launched(second).work.input_executor);
  harness_->end(first);
  harness_->end(second);
  const ContainerId first_again = again(1);
  const ContainerId second_again = again(2);
  for (const ContainerId container : {first_again, second_again}) {
    ASSERT_TRUE(runs(container));
    EXPECT_EQ(task_in(container).stage, 1);
    EXPECT_EQ(launched(container).locality, Locality::process);
    EXPECT_EQ(launched(container).work.input_bytes, 0);
    EXPECT_EQ(launched(container).work.input_cached_on, 0);
    EXPECT_TRUE(keeps_input(launched(container).work)) << "should its machine have lost it";
  }
  EXPECT_EQ(task_in(first_again).index, by_first.index);
}

// Only the executor on node 2 comes back. It takes its own block; the wait for the other's executor
// over, it fetches that from node 1.
TEST_F(Executors, FetchABlockFromTheExecutorThatHasIt) {
  make_iterating();
  const ContainerId first = place(1);
  const ContainerId second = place(2);
  const std::uint32_t of_first = task_in(first).index;
  harness_->end(first);
  harness_->end(second);
  harness_->at(seconds(10));
  harness_->end(again(2));
  const ContainerId held = again(2);
  ASSERT_TRUE(is_idle(held));
  beat_at(13);
  EXPECT_TRUE(is_idle(held)) << "the level of nodes comes next";
  beat_at(16);
  ASSERT_TRUE(runs(held)) << "one rack has both";
  EXPECT_EQ(task_in(held).index, of_first);
  EXPECT_EQ(launched(held).locality, Locality::rack);
  EXPECT_EQ(launched(held).work.input_cached_on, 2) << "node 1, counted from one";
  EXPECT_FALSE(keeps_input(launched(held).work)) << "the executor there keeps it";
}

TEST_F(Executors, ReadABlockAgainWhoseExecutorIsGone) {
  make_iterating();
  const ContainerId first = place(1);
  const ContainerId second = place(2);
  harness_->end(first);
  harness_->lose(NodeId(1u));
  harness_->end(second);
  const ContainerId third = place(3);
  beat_at(3);
  beat_at(6);  // the waits for its node and its rack are over
  ASSERT_TRUE(runs(third)) << "the output on node 1 is lost, too";
  EXPECT_EQ(task_in(third).stage, 0);
  harness_->end(third);
  const ContainerId second_again = again(2);
  EXPECT_EQ(launched(second_again).locality, Locality::process);
  const ContainerId third_again = again(3);
  EXPECT_EQ(launched(third_again).locality, Locality::process);
}

// Twenty tasks, all with input on node 1, and at most five executors: by hand 1 at 1 s, 3 at 2 s,
// and the limit at 3 s.
TEST_F(Executors, AreAddedWhileTasksWait) {
  make_dynamic(5, std::vector<std::uint32_t>(20, 1));
  EXPECT_EQ(harness_->pending(wanted_ask), 0u);
  ASSERT_EQ(harness_->heartbeat_at(), TraceTime(seconds(1)));
  beat_at(1);
  EXPECT_EQ(harness_->pending(wanted_ask), 1u);
  EXPECT_THAT(harness_->ask(wanted_ask).nodes, ElementsAre(PlaceCount<NodeId>{NodeId(1u), 1}));
  EXPECT_THAT(harness_->ask(wanted_ask).racks, ElementsAre(PlaceCount<RackId>{rack_of(1), 1}));
  EXPECT_TRUE(harness_->ask(wanted_ask).relax_locality);
  const ContainerId first = place(1);
  EXPECT_TRUE(runs(first)) << "offers do not wait for more";
  beat_at(2);
  EXPECT_EQ(harness_->pending(wanted_ask), 2u);
  beat_at(3);
  EXPECT_EQ(harness_->pending(wanted_ask), 4u) << "five in all";
  beat_at(4);
  EXPECT_EQ(harness_->pending(wanted_ask), 4u);
}

// The second of two tasks gets an executor while the first runs: no more are asked for.
TEST_F(Executors, AreNoMoreThanTasksThatWaitOrRun) {
  make_dynamic(5, {1, 1});
  beat_at(1);
  const ContainerId first = place(1);
  beat_at(2);
  EXPECT_EQ(harness_->pending(wanted_ask), 1u);
  harness_->end(first);
  EXPECT_EQ(harness_->pending(placed_ask), 1u);
  EXPECT_EQ(harness_->pending(wanted_ask), 0u) << "it will take the other task";
}

TEST_F(Executors, GoWhenTheyHaveBeenIdleForAMinute) {
  make_dynamic(2, {1, 2}, {executor_stage(1, StageKind::reduce)});
  beat_at(1);
  const ContainerId first = place(1);
  beat_at(2);
  const ContainerId second = place(2);
  harness_->at(seconds(5));
  harness_->end(first);
  const ContainerId idle = again(1);
  ASSERT_TRUE(is_idle(idle));
  beat_at(64);
  EXPECT_TRUE(is_idle(idle));
  beat_at(65);
  EXPECT_TRUE(harness_->released().contains(idle));
  EXPECT_EQ(harness_->pending(wanted_ask), 0u);
  harness_->end(second);
  EXPECT_TRUE(runs(again(2))) << "the reduce";
}

TEST_F(Executors, StayWithWhatTheyHaveInMemory) {
  Stage reads_again = executor_stage(2);
  reads_again.input_path = "/points";
  reads_again.runs.front().work.input_bytes = 64;
  reads_again.needs = {0};
  make_dynamic(2, {1, 2}, {reads_again});
  beat_at(1);
  const ContainerId first = place(1);
  beat_at(2);
  place(2);
  harness_->end(first);
  const ContainerId idle = again(1);
  beat_at(600);
  EXPECT_TRUE(is_idle(idle));
}

TEST_F(Executors, RefuseTasksThatAreConfinedToLabels) {
  StagePlaces confined;
  confined.is_confined = true;
  make(1, {executor_stage(1)}, {confined});
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::failed);
  EXPECT_NE(harness_->finish()->diagnostics.find("masters.executors"), std::string::npos);
}

}  // namespace
}  // namespace tracebed
