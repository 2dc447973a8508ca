// Spark's dynamic allocation, step by step.
#include "applications/executors/executor_allocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TraceTime at_second(int second) {
  return TraceTime(seconds(second));
}

constexpr std::uint32_t no_limit = 1'000;

TEST(ExecutorAllocation, DoublesWhatItAddsWhileTasksWait) {
  ExecutorAllocation allocation({}, no_limit);
  std::vector<std::uint32_t> targets;
  for (int second = 0; second < 6; ++second) {
    targets.push_back(allocation.update(at_second(second), 100, 0, 0));
  }
  EXPECT_THAT(targets, ElementsAre(0, 1, 3, 7, 15, 31));
  EXPECT_EQ(allocation.next(), at_second(6));
}

TEST(ExecutorAllocation, StopsAtTheLimit) {
  ExecutorAllocation allocation({}, 5);
  EXPECT_EQ(allocation.update(at_second(0), 100, 0, 0), 0u);
  EXPECT_EQ(allocation.update(at_second(1), 100, 0, 0), 1u);
  EXPECT_EQ(allocation.update(at_second(2), 100, 0, 0), 3u);
  EXPECT_EQ(allocation.update(at_second(3), 100, 0, 0), 5u);
  EXPECT_EQ(allocation.update(at_second(4), 100, 0, 0), 5u);
}

TEST(ExecutorAllocation, WantsOneForEachTaskAtMost) {
  ExecutorAllocation allocation({}, no_limit);
  (void)allocation.update(at_second(0), 4, 0, 0);
  (void)allocation.update(at_second(1), 4, 0, 0);
  (void)allocation.update(at_second(2), 4, 0, 0);
  EXPECT_EQ(allocation.update(at_second(3), 3, 1, 1), 4u);
  EXPECT_EQ(allocation.update(at_second(3), 0, 2, 4), 2u) << "two tasks have ended";
  EXPECT_EQ(allocation.next(), never) << "none waits";
}

// The clock begins when tasks wait again, and so does the number that is added.
TEST(ExecutorAllocation, BeginsAnewWhenTasksWaitAgain) {
  ExecutorAllocation allocation({}, no_limit);
  (void)allocation.update(at_second(0), 10, 0, 0);
  (void)allocation.update(at_second(1), 10, 0, 0);
  EXPECT_EQ(allocation.update(at_second(2), 10, 0, 1), 3u);
  EXPECT_EQ(allocation.update(at_second(2), 0, 3, 3), 3u);
  EXPECT_EQ(allocation.update(at_second(10), 10, 0, 3), 3u);
  EXPECT_EQ(allocation.update(at_second(11), 10, 0, 3), 4u);
  EXPECT_EQ(allocation.update(at_second(12), 10, 0, 3), 6u);
}

constexpr RackId only_rack{0u};

LocalTasks local_of(std::uint32_t tasks, std::vector<std::uint32_t> by_node) {
  LocalTasks local;
  local.tasks = tasks;
  for (std::size_t i = 0; i < by_node.size(); ++i) local.nodes[NodeId(i)] = {only_rack, by_node[i]};
  return local;
}

PlaceCount<NodeId> on(std::uint32_t node, std::uint32_t count) {
  return {NodeId(node), count};
}

// The jobs of the example of LocalityPreferredContainerPlacementStrategy: of thirty tasks twenty
// have input on nodes 0, 1 and 2, and ten on 0, 1 and 3. Executors for thirty tasks are shared as
// 30 : 30 : 20 : 10, which is 10, 10, 7 (of 6.7) and 4 (of 3.3). Of eighteen all name nodes 0 and
// 1, 13 (of 12.6) node 2 and 8 (of 7.2) node 3.
TEST(WantedPlaces, AreSharedByLocalTasks) {
  const WantedPlaces places = wanted_places(18, local_of(30, {30, 30, 20, 10}), {});
  EXPECT_THAT(places.nodes, ElementsAre(on(0, 18), on(1, 18), on(2, 13), on(3, 8)));
  EXPECT_THAT(places.racks, ElementsAre(PlaceCount<RackId>{only_rack, 18}));
}

// Nodes miss 0, 5, 7 and 4, sixteen in all; the other two executors prefer no place. Of the sixteen
// 12 (of 11.4), all and 10 (of 9.1) name nodes 1, 2 and 3.
TEST(WantedPlaces, LeaveOutWhatThereIs) {
  const WantedPlaces places =
      wanted_places(18, local_of(30, {30, 30, 20, 10}), {{NodeId(0u), 11}, {NodeId(1u), 5}});
  EXPECT_THAT(places.nodes, ElementsAre(on(1, 12), on(2, 16), on(3, 10)));
}

// Two tasks on one node: of five executors two prefer it.
TEST(WantedPlaces, AreNoneForExecutorsThatNoLocalTaskCallsFor) {
  EXPECT_THAT(wanted_places(5, local_of(2, {2}), {}).nodes, ElementsAre(on(0, 2)));
  EXPECT_THAT(wanted_places(5, {}, {}).nodes, IsEmpty());
  EXPECT_THAT(wanted_places(0, local_of(2, {2}), {}).nodes, IsEmpty());
}

}  // namespace
}  // namespace tracebed
