// Jobs on executors, with Spark's delay scheduling worked by hand.
#include <gmock/gmock.h>

#include "applications/executors_story.h"

namespace tracebed {
namespace {

TEST_F(Executors, AreAskedForAtOnceAndWithoutPlaces) {
  make(3, {executor_stage(5)}, {input_on({1, 1, 1, 2, 2})});
  EXPECT_EQ(harness_->pending(wanted_ask), 3u);
  EXPECT_TRUE(harness_->ask(wanted_ask).relax_locality);
  EXPECT_TRUE(harness_->ask(wanted_ask).nodes.empty());
  EXPECT_EQ(harness_->ask(wanted_ask).demand, Resources(1'000, 512));
}

TEST_F(Executors, AreNoMoreThanTheJobHasTasks) {
  make(1'000'000, {executor_stage(3), executor_stage(1, StageKind::reduce)}, {});
  EXPECT_EQ(harness_->pending(wanted_ask), 4u);
}

TEST_F(Executors, AreAsLargeAsIsSet) {
  ExecutorOptions options;
  options.size = Resources(0, 4'096);
  make(1, {executor_stage(1)}, {}, options);
  EXPECT_EQ(harness_->ask(wanted_ask).demand, Resources(1'000, 4'096));
}

// Four fifths of five are four.
TEST_F(Executors, GetTasksWhenFourFifthsHaveRegistered) {
  make(5, {executor_stage(5)}, {});
  std::vector<ContainerId> containers;
  for (std::uint32_t node = 0; node < 3; ++node) containers.push_back(place(node));
  for (const ContainerId container : containers) EXPECT_TRUE(is_idle(container));
  containers.push_back(place(3));
  for (const ContainerId container : containers) EXPECT_TRUE(runs(container));
  EXPECT_TRUE(runs(place(4)));
}

TEST_F(Executors, GetTasksAfterHalfAMinuteEvenIfFewerHaveRegistered) {
  make(5, {executor_stage(5)}, {});
  const ContainerId only = place(0);
  ASSERT_EQ(harness_->heartbeat_at(), TraceTime(seconds(30)));
  beat_at(30);
  EXPECT_TRUE(runs(only));
  EXPECT_TRUE(runs(place(1))) << "and those that come later at once";
}

TEST_F(Executors, AskForTheirOwnNodeAloneAsSoonAsATaskHasEnded) {
  make(1, {executor_stage(2)}, {});
  const ContainerId first = place(7);
  EXPECT_EQ(task_in(first), (TaskRef{0, 0}));
  harness_->end(first);
  EXPECT_EQ(harness_->pending(placed_ask), 1u);
  EXPECT_EQ(to_text(harness_->ask(placed_ask).nodes), "7:1");
  EXPECT_FALSE(harness_->ask(placed_ask).relax_locality);
  EXPECT_LT(harness_->ask(placed_ask).priority, harness_->ask(wanted_ask).priority)
      << "before executors that have no place";
  EXPECT_EQ(harness_->pending(wanted_ask), 0u);
  harness_->end(again(7));
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::succeeded);
}

TEST_F(Executors, HoldTheirContainersUntilThereIsATask) {
  make(2, {executor_stage(2), executor_stage(1, StageKind::reduce)}, {});
  const ContainerId first = place(1);
  const ContainerId second = place(2);
  harness_->end(first);
  const ContainerId held = again(1);
  EXPECT_TRUE(is_idle(held)) << "the reduce waits for the other map";
  harness_->end(second);
  ASSERT_TRUE(runs(held));
  EXPECT_EQ(task_in(held), (TaskRef{1, 0}));
  harness_->end(held);
  EXPECT_TRUE(harness_->finish());
}

// All blocks are on node 1; the second executor is on node 2 of the same rack. At 0 s only the
// first takes a task. It ends at 2 s, and the next begins there, from which the wait of 3 s counts:
// at 4 s the second executor is still declined, at 5 s it takes the last task, in the rack.
TEST_F(Executors, WaitForANodeWithTheirInput) {
  make(2, {executor_stage(3)}, {input_on({1, 1, 1})});
  const ContainerId first = place(1);
  const ContainerId beside = place(2);
  ASSERT_TRUE(runs(first));
  EXPECT_EQ(launched(first).locality, Locality::node);
  EXPECT_EQ(harness_->heartbeat_at(), TraceTime(seconds(1)));
  beat_at(1);
  EXPECT_TRUE(is_idle(beside));
  harness_->at(seconds(2));
  harness_->end(first);
  const ContainerId second = again(1);
  ASSERT_TRUE(runs(second));
  beat_at(4);
  EXPECT_TRUE(is_idle(beside));
  beat_at(5);
  ASSERT_TRUE(runs(beside));
  EXPECT_EQ(launched(beside).locality, Locality::rack);
  harness_->end(second);
  harness_->end(beside);
  EXPECT_TRUE(harness_->finish());
}

// At 3 s the executor in the rack takes a task; the one in another rack waits 3 s from then.
TEST_F(Executors, WaitForTheRackAfterTheNode) {
  make(3, {executor_stage(3)}, {input_on({1, 1, 1})});
  place(1);
  const ContainerId beside = place(2);
  const ContainerId afar = place(12);
  for (int second = 1; second < 3; ++second) {
    beat_at(second);
    EXPECT_TRUE(is_idle(beside)) << second;
  }
  beat_at(3);
  EXPECT_TRUE(runs(beside));
  for (int second = 4; second < 6; ++second) {
    beat_at(second);
    EXPECT_TRUE(is_idle(afar)) << second;
  }
  beat_at(6);
  ASSERT_TRUE(runs(afar));
  EXPECT_EQ(launched(afar).locality, Locality::off_switch);
}

TEST_F(Executors, TakeTheirOwnTasksFirstAndOthersAtOnceWithoutAWait) {
  ExecutorOptions options;
  options.waits = {Duration::zero(), Duration::zero()};
  make(3, {executor_stage(3)}, {input_on({1, 12, 1})}, options);
  const ContainerId on_12 = place(12);
  const ContainerId on_5 = place(5);
  const ContainerId on_1 = place(1);
  EXPECT_EQ(task_in(on_12), (TaskRef{0, 1}));
  EXPECT_EQ(launched(on_12).locality, Locality::node);
  ASSERT_TRUE(runs(on_5));
  EXPECT_EQ(launched(on_5).locality, Locality::rack);
  EXPECT_EQ(launched(on_1).locality, Locality::node);
}

TEST_F(Executors, WaitForTheDelayOfAStageAndForWhatAnEmptyOneNeeds) {
  Stage empty = executor_stage(0);
  empty.needs = {0};
  Stage last = executor_stage(1);
  last.needs = {1};
  last.delay = seconds(5);
  make(1, {executor_stage(1), empty, last}, {});
  const ContainerId first = place(1);
  EXPECT_EQ(task_in(first), (TaskRef{0, 0}));
  harness_->at(seconds(2));
  harness_->end(first);
  const ContainerId second = again(1);
  EXPECT_TRUE(is_idle(second));
  ASSERT_EQ(harness_->heartbeat_at(), TraceTime(seconds(7)));
  beat_at(7);
  EXPECT_EQ(task_in(second), (TaskRef{2, 0}));
}

TEST_F(Executors, StayWhenATaskFailsAndFailTheJobWithIt) {
  make(1, {executor_stage(1)}, {});
  ContainerId container = place(3);
  for (std::uint32_t attempt = 1; attempt <= 4; ++attempt) {
    ASSERT_TRUE(runs(container)) << attempt;
    EXPECT_EQ(launched(container).attempt, attempt);
    harness_->end(container, ContainerEnd::failed);
    if (attempt < 4) container = again(3);
  }
  ASSERT_TRUE(harness_->finish());
  EXPECT_EQ(harness_->finish()->outcome, JobOutcome::failed);
  EXPECT_EQ(harness_->finish()->diagnostics, "task 0 of stage 0 failed 4 times, at last as failed");
}

TEST_F(Executors, AreReplacedWhereverTheSchedulerLikesWhenTheSystemEndsThem) {
  make(1, {executor_stage(1)}, {});
  harness_->end(place(3), ContainerEnd::killed);
  EXPECT_EQ(harness_->pending(wanted_ask), 1u);
  EXPECT_EQ(harness_->pending(placed_ask), 0u);
  const ContainerId second = place(4);
  ASSERT_TRUE(runs(second));
  EXPECT_EQ(launched(second).attempt, 2u);
  harness_->end(second);
  EXPECT_TRUE(harness_->finish());
}

TEST_F(Executors, AreReplacedWhenWhatTheyHoldIsTakenBack) {
  make(2, {executor_stage(2), executor_stage(1, StageKind::reduce)}, {});
  const ContainerId first = place(1);
  const ContainerId second = place(2);
  harness_->end(first);
  harness_->take_back(again(1));
  harness_->end(second);
  EXPECT_EQ(harness_->pending(wanted_ask), 1u);
  const ContainerId third = place(5);
  EXPECT_EQ(task_in(third), (TaskRef{1, 0}));
  harness_->end(third);
  EXPECT_TRUE(harness_->finish());
}

TEST_F(Executors, AreReplacedWithTheirNodeWhetherTheyRunOrHoldOrAsk) {
  make(3, {executor_stage(3), executor_stage(1, StageKind::reduce)}, {});
  const ContainerId asking = place(1);
  const ContainerId holding = place(1);
  const ContainerId running = place(1);
  harness_->end(asking);
  harness_->end(holding);
  again(1);
  EXPECT_EQ(harness_->pending(placed_ask), 1u);
  EXPECT_TRUE(runs(running));
  harness_->lose(NodeId(1u));
  EXPECT_EQ(harness_->pending(placed_ask), 0u);
  EXPECT_EQ(harness_->pending(wanted_ask), 3u);
  for (const std::uint32_t node : {2u, 3u, 4u}) {
    EXPECT_EQ(task_in(place(node)).stage, 0u) << "the finished ones are lost, too";
  }
}

TEST_F(Executors, MakeAgainWhatWasLostWithItsNode) {
  make(2, {executor_stage(2), executor_stage(1, StageKind::reduce)}, {});
  const ContainerId first = place(1);
  const ContainerId second = place(2);
  const TaskRef lost = task_in(first);
  harness_->end(first);
  harness_->lose(NodeId(1u));
  EXPECT_EQ(harness_->pending(wanted_ask), 1u) << "the executor is replaced";
  harness_->end(second);
  const ContainerId once_more = again(2);
  ASSERT_TRUE(runs(once_more));
  EXPECT_EQ(task_in(once_more), lost);
  EXPECT_EQ(launched(once_more).attempt, 2u);
  harness_->end(once_more);
  const ContainerId reduce = again(2);
  EXPECT_EQ(task_in(reduce).stage, 1u);
  harness_->end(reduce);
  EXPECT_TRUE(harness_->finish());
}

TEST_F(Executors, KillTasksThatHaveToFetchWhatWasLost) {
  ExecutorOptions options;
  options.are_lost_outputs_awaited = true;
  make(2, {executor_stage(2), executor_stage(1, StageKind::reduce)}, {}, options);
  const ContainerId first = place(1);
  const ContainerId second = place(2);
  harness_->end(first);
  harness_->end(second);
  const ContainerId reduce = again(1);
  ASSERT_EQ(task_in(reduce).stage, 1u);
  harness_->lose(NodeId(2u));
  EXPECT_EQ(harness_->to_kill(), std::set<ContainerId>{reduce});
  harness_->end(reduce, ContainerEnd::killed);
  EXPECT_EQ(to_text(harness_->ask(placed_ask).nodes), "1:1") << "the executor stays";
  EXPECT_EQ(task_in(again(1)).stage, 0u);
}

TEST_F(Executors, MoveWithTheirTaskToWhereItIsToGoOn) {
  make(1, {executor_stage(1)}, {});
  const ContainerId first = place(1);
  harness_->order_move(first, NodeId(5u));
  harness_->end(first, ContainerEnd::killed);
  constexpr AskSlot moved = 2;
  EXPECT_EQ(to_text(harness_->ask(moved).nodes), "5:1");
  EXPECT_EQ(harness_->pending(wanted_ask) + harness_->pending(placed_ask), 0u);
  const ContainerId second = harness_->grant(moved, NodeId(5u), RackId(0u));
  ASSERT_TRUE(runs(second));
  harness_->order_move(second);
  harness_->end(second, ContainerEnd::killed);
  EXPECT_EQ(harness_->ask(moved).avoided, NodeId(5u));
  const ContainerId third = harness_->grant(moved, NodeId(6u), RackId(0u));
  ASSERT_TRUE(runs(third)) << "it goes on in the container that its executor gets";
  EXPECT_EQ(launched(third).attempt, 3u);
  harness_->end(third);
  EXPECT_TRUE(harness_->finish());
}

// The task may be waiting for what they hold.
TEST_F(Executors, HoldNothingWhileATaskOfTheirJobWaitsToMove) {
  make(2, {executor_stage(2), executor_stage(1, StageKind::reduce)}, {});
  const ContainerId first = place(1);
  const ContainerId second = place(2);
  harness_->end(first);
  const ContainerId held = again(1);
  ASSERT_TRUE(is_idle(held));
  harness_->order_move(second, NodeId(1u));
  harness_->end(second, ContainerEnd::killed);
  EXPECT_TRUE(harness_->released().contains(held));
  EXPECT_EQ(harness_->pending(wanted_ask), 0u);
  const ContainerId third = harness_->grant(2, NodeId(1u), rack_of(1));
  ASSERT_TRUE(runs(third));
  EXPECT_EQ(harness_->pending(wanted_ask), 1u) << "the one that was given up";
  harness_->end(third);
  harness_->end(again(1));
  EXPECT_TRUE(harness_->finish());
}

TEST_F(Executors, GiveBackWhatTheyHoldIdleAsSoonAsItIsMarked) {
  make(2, {executor_stage(2), executor_stage(1, StageKind::reduce)}, {});
  const ContainerId first = place(1);
  place(2);
  harness_->end(first);
  const ContainerId held = again(1);
  PreemptionMessage message;
  message.strict.emplace().containers = {{.container = held}};
  harness_->preempt(message);
  EXPECT_TRUE(harness_->released().contains(held));
  EXPECT_TRUE(harness_->to_kill().empty());
  EXPECT_EQ(harness_->pending(wanted_ask), 1u) << "it is replaced";
}

// Two are asked for, on node 1: the newer of the two that are idle there, and the other.
TEST_F(Executors, GiveBackWhatTheyHoldIdleTowardsAnAmount) {
  make(4, {executor_stage(4), executor_stage(1, StageKind::reduce)}, {});
  const ContainerId first = place(1);
  const ContainerId second = place(1);
  const ContainerId third = place(2);
  place(2);
  for (const ContainerId ended : {first, second, third}) harness_->end(ended);
  const ContainerId older = again(1);
  const ContainerId newer = again(1);
  const ContainerId elsewhere = again(2);
  const auto ask_for = [&](std::uint32_t count) {
    PreemptionMessage message;
    message.negotiable.emplace().requests = {
        {.node = NodeId(1u), .capability = Resources(1'000, 512), .count = count}};
    harness_->preempt(message);
  };
  ask_for(1);
  EXPECT_EQ(harness_->released(), std::set<ContainerId>{newer});
  ask_for(3);
  EXPECT_EQ(harness_->released(), (std::set<ContainerId>{older, newer}));
  EXPECT_TRUE(is_idle(elsewhere));
}

}  // namespace
}  // namespace tracebed
