// Spark's delay scheduling, offer by offer.
#include "applications/executors/task_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using ::testing::ElementsAre;

// Executors.
constexpr ExecutorPlace here{ExecutorId(0u), NodeId(1u), RackId(0u)};
constexpr ExecutorPlace beside{ExecutorId(1u), NodeId(2u), RackId(0u)};  // in the same rack
constexpr ExecutorPlace afar{ExecutorId(2u), NodeId(12u), RackId(1u)};   // in another

TraceTime at(int second) {
  return TraceTime(seconds(second));
}

// Tasks with their input `here`, and after them some without input.
TaskSet set_of(std::uint32_t with_input, std::uint32_t without, const LocalityWaits& waits = {}) {
  std::vector<Replica> replicas(with_input, {here.node, here.rack});
  replicas.resize(with_input + without);
  return TaskSet(PendingMaps(with_input + without, replicas, 1), waits);
}

// Executors are on all three nodes.
void begin(TaskSet& tasks, int second = 0) {
  const auto is_near = [](auto) { return true; };
  tasks.recompute(at(second), is_near, is_near, is_near);
}

TEST(TaskSet, HasTheLevelsAtWhichATaskCouldBeLaunched) {
  TaskSet tasks = set_of(1, 1);
  begin(tasks);
  EXPECT_THAT(tasks.levels(), ElementsAre(TaskLocality::node, TaskLocality::no_preference,
                                          TaskLocality::rack, TaskLocality::any));
  const auto is_near = [](auto) { return true; };
  const auto is_nowhere = [](auto) { return false; };
  tasks.recompute(at(0), is_nowhere, is_nowhere, is_near);
  EXPECT_THAT(tasks.levels(),
              ElementsAre(TaskLocality::no_preference, TaskLocality::rack, TaskLocality::any));
  TaskSet unhurried = set_of(1, 0, {Duration::zero(), Duration::zero()});
  begin(unhurried);
  EXPECT_THAT(unhurried.levels(), ElementsAre(TaskLocality::any))
      << "spark.locality.wait of zero leaves a level out";
}

// By hand: offers begin at 0 s, so the rack is allowed from 3 s, and since that leaves the clock at
// 3 s, anywhere from 6 s.
TEST(TaskSet, LeavesALevelWhenItsWaitHasPassed) {
  TaskSet tasks = set_of(2, 0);
  begin(tasks);
  EXPECT_FALSE(tasks.offer(at(2), beside, TaskLocality::any));
  EXPECT_FALSE(tasks.offer(at(5), afar, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(6), afar, TaskLocality::any));
}

// The same, but at 4 s one is launched in the rack: anywhere is allowed 3 s after that.
TEST(TaskSet, CountsTheWaitFromTheLastLaunch) {
  TaskSet tasks = set_of(2, 0);
  begin(tasks);
  const auto choice = tasks.offer(at(4), beside, TaskLocality::any);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->locality, Locality::rack);
  EXPECT_FALSE(tasks.offer(at(6), afar, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(7), afar, TaskLocality::any));
}

// At 3 s the rack is allowed. A launch on the node sets the level back to it.
TEST(TaskSet, ReturnsToTheLevelOfALaunch) {
  TaskSet tasks = set_of(3, 0);
  begin(tasks);
  EXPECT_FALSE(tasks.offer(at(3), afar, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(3), here, TaskLocality::any));
  EXPECT_FALSE(tasks.offer(at(3), beside, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(6), beside, TaskLocality::any));
}

TEST(TaskSet, OffersNothingFartherThanTheLevelOfTheOffer) {
  TaskSet tasks = set_of(2, 0);
  begin(tasks);
  EXPECT_FALSE(tasks.offer(at(9), beside, TaskLocality::node));
  EXPECT_TRUE(tasks.offer(at(9), beside, TaskLocality::rack));
}

// TaskSetManager.dequeueTask: node, then no preference, then rack.
TEST(TaskSet, TakesATaskWithoutInputBeforeOneWhoseInputIsElsewhere) {
  TaskSet tasks = set_of(2, 2);
  begin(tasks);
  const auto first = tasks.offer(at(0), here, TaskLocality::any);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->map, 0u);
  const auto second = tasks.offer(at(0), beside, TaskLocality::no_preference);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->map, 2u);
  EXPECT_EQ(second->locality, Locality::none_asked);
  tasks.reopen(2);
  EXPECT_EQ(tasks.offer(at(0), beside, TaskLocality::no_preference)->map, 2u);
  EXPECT_EQ(tasks.offer(at(0), beside, TaskLocality::no_preference)->map, 3u);
  EXPECT_FALSE(tasks.offer(at(0), beside, TaskLocality::no_preference));
  EXPECT_EQ(tasks.pending(), 1u);
}

// What was launched without preference leaves the clock of the waits as it is: the rack is allowed
// at 3 s all the same.
TEST(TaskSet, DoesNotCountALaunchWithoutPreference) {
  TaskSet tasks = set_of(2, 1);
  begin(tasks);
  EXPECT_TRUE(tasks.offer(at(2), beside, TaskLocality::no_preference));
  EXPECT_TRUE(tasks.offer(at(3), beside, TaskLocality::any));
}

// In an offer that may go farther it counts as the nearest (dequeueTask returns PROCESS_LOCAL): the
// rack is left at 3 s, and allowed again 3 s later.
TEST(TaskSet, ReturnsToTheNearestLevelWithATaskWithoutInput) {
  TaskSet tasks = set_of(2, 1);
  begin(tasks);
  const auto choice = tasks.offer(at(3), beside, TaskLocality::any);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->locality, Locality::none_asked);
  EXPECT_FALSE(tasks.offer(at(5), beside, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(6), beside, TaskLocality::any));
}

// Task 0 is in the memory of `here`, task 1 in that of `beside`; both files are afar.
TaskSet cached_set() {
  TaskSet tasks(PendingMaps(2, {{afar.node, afar.rack}, {afar.node, afar.rack}}, 1), {});
  const ExecutorPlace of_first[] = {here};
  const ExecutorPlace of_second[] = {beside};
  tasks.place_on_executors({of_first, of_second});
  return tasks;
}

// DAGScheduler.getPreferredLocs: what is cached counts, not the replicas of the file.
TEST(TaskSet, PrefersTheExecutorThatHasTheInputInMemory) {
  TaskSet tasks = cached_set();
  begin(tasks);
  EXPECT_THAT(tasks.levels(), ElementsAre(TaskLocality::process, TaskLocality::node,
                                          TaskLocality::rack, TaskLocality::any));
  EXPECT_FALSE(tasks.offer(at(0), afar, TaskLocality::any)) << "its node has the file alone";
  const auto choice = tasks.offer(at(0), beside, TaskLocality::process);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->map, 1u);
  EXPECT_EQ(choice->locality, Locality::process);
}

// By hand: the executor's level is left at 3 s, that of the node at 6 s.
TEST(TaskSet, WaitsForAnExecutorThenForItsNodeThenForItsRack) {
  TaskSet tasks = cached_set();
  begin(tasks);
  const ExecutorPlace neighbour{ExecutorId(3u), here.node, here.rack};
  EXPECT_FALSE(tasks.offer(at(2), neighbour, TaskLocality::any));
  const auto on_node = tasks.offer(at(3), neighbour, TaskLocality::any);
  ASSERT_TRUE(on_node);
  EXPECT_EQ(on_node->map, 0u);
  EXPECT_EQ(on_node->locality, Locality::node);
  EXPECT_FALSE(tasks.offer(at(5), neighbour, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(6), neighbour, TaskLocality::any)) << "in the rack of the other";
}

TEST(TaskSet, ReturnsATaskToTheExecutorThatHasItsInput) {
  TaskSet tasks = cached_set();
  begin(tasks);
  ASSERT_TRUE(tasks.offer(at(0), here, TaskLocality::any));
  EXPECT_FALSE(tasks.offer(at(0), here, TaskLocality::any));
  tasks.reopen(0);
  EXPECT_EQ(tasks.offer(at(0), here, TaskLocality::any)->locality, Locality::process);
}

TEST(TaskSet, HasNoLevelOfExecutorsThatAreGone) {
  TaskSet tasks = cached_set();
  begin(tasks);
  const auto is_near = [](auto) { return true; };
  tasks.recompute(
      at(0), [](auto) { return false; }, is_near, is_near);
  EXPECT_THAT(tasks.levels(),
              ElementsAre(TaskLocality::node, TaskLocality::rack, TaskLocality::any));
}

}  // namespace
}  // namespace tracebed
