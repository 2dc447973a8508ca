// Spark's delay scheduling, offer by offer.
#include "applications/executors/task_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using ::testing::ElementsAre;

constexpr NodeId here{1u};
constexpr NodeId beside{2u};  // in the same rack
constexpr NodeId afar{12u};   // in another
constexpr RackId rack_here{0u};
constexpr RackId rack_afar{1u};

TraceTime at(int second) {
  return TraceTime(seconds(second));
}

// Tasks with their input `here`, and after them some without input.
TaskSet set_of(std::uint32_t with_input, std::uint32_t without, const LocalityWaits& waits = {}) {
  std::vector<Replica> replicas(with_input, {here, rack_here});
  replicas.resize(with_input + without);
  return TaskSet(PendingMaps(with_input + without, replicas, 1), waits);
}

// Executors are on all three nodes.
void begin(TaskSet& tasks, int second = 0) {
  const auto is_near = [](auto) { return true; };
  tasks.recompute(at(second), is_near, is_near);
}

TEST(TaskSet, HasTheLevelsAtWhichATaskCouldBeLaunched) {
  TaskSet tasks = set_of(1, 1);
  begin(tasks);
  EXPECT_THAT(tasks.levels(), ElementsAre(TaskLocality::node, TaskLocality::no_preference,
                                          TaskLocality::rack, TaskLocality::any));
  const auto is_near = [](auto) { return true; };
  const auto is_nowhere = [](auto) { return false; };
  tasks.recompute(at(0), is_nowhere, is_near);
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
  EXPECT_FALSE(tasks.offer(at(2), beside, rack_here, TaskLocality::any));
  EXPECT_FALSE(tasks.offer(at(5), afar, rack_afar, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(6), afar, rack_afar, TaskLocality::any));
}

// The same, but at 4 s one is launched in the rack: anywhere is allowed 3 s after that.
TEST(TaskSet, CountsTheWaitFromTheLastLaunch) {
  TaskSet tasks = set_of(2, 0);
  begin(tasks);
  const auto choice = tasks.offer(at(4), beside, rack_here, TaskLocality::any);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->locality, Locality::rack);
  EXPECT_FALSE(tasks.offer(at(6), afar, rack_afar, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(7), afar, rack_afar, TaskLocality::any));
}

// At 3 s the rack is allowed. A launch on the node sets the level back to it.
TEST(TaskSet, ReturnsToTheLevelOfALaunch) {
  TaskSet tasks = set_of(3, 0);
  begin(tasks);
  EXPECT_FALSE(tasks.offer(at(3), afar, rack_afar, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(3), here, rack_here, TaskLocality::any));
  EXPECT_FALSE(tasks.offer(at(3), beside, rack_here, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(6), beside, rack_here, TaskLocality::any));
}

TEST(TaskSet, OffersNothingFartherThanTheLevelOfTheOffer) {
  TaskSet tasks = set_of(2, 0);
  begin(tasks);
  EXPECT_FALSE(tasks.offer(at(9), beside, rack_here, TaskLocality::node));
  EXPECT_TRUE(tasks.offer(at(9), beside, rack_here, TaskLocality::rack));
}

// TaskSetManager.dequeueTask: node, then no preference, then rack.
TEST(TaskSet, TakesATaskWithoutInputBeforeOneWhoseInputIsElsewhere) {
  TaskSet tasks = set_of(2, 2);
  begin(tasks);
  const auto first = tasks.offer(at(0), here, rack_here, TaskLocality::any);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->map, 0u);
  const auto second = tasks.offer(at(0), beside, rack_here, TaskLocality::no_preference);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->map, 2u);
  EXPECT_EQ(second->locality, Locality::none_asked);
  tasks.reopen(2);
  EXPECT_EQ(tasks.offer(at(0), beside, rack_here, TaskLocality::no_preference)->map, 2u);
  EXPECT_EQ(tasks.offer(at(0), beside, rack_here, TaskLocality::no_preference)->map, 3u);
  EXPECT_FALSE(tasks.offer(at(0), beside, rack_here, TaskLocality::no_preference));
  EXPECT_EQ(tasks.pending(), 1u);
}

// What was launched without preference leaves the clock of the waits as it is: the rack is allowed
// at 3 s all the same.
TEST(TaskSet, DoesNotCountALaunchWithoutPreference) {
  TaskSet tasks = set_of(2, 1);
  begin(tasks);
  EXPECT_TRUE(tasks.offer(at(2), beside, rack_here, TaskLocality::no_preference));
  EXPECT_TRUE(tasks.offer(at(3), beside, rack_here, TaskLocality::any));
}

// In an offer that may go farther it counts as the nearest (dequeueTask returns PROCESS_LOCAL): the
// rack is left at 3 s, and allowed again 3 s later.
TEST(TaskSet, ReturnsToTheNearestLevelWithATaskWithoutInput) {
  TaskSet tasks = set_of(2, 1);
  begin(tasks);
  const auto choice = tasks.offer(at(3), beside, rack_here, TaskLocality::any);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->locality, Locality::none_asked);
  EXPECT_FALSE(tasks.offer(at(5), beside, rack_here, TaskLocality::any));
  EXPECT_TRUE(tasks.offer(at(6), beside, rack_here, TaskLocality::any));
}

}  // namespace
}  // namespace tracebed
