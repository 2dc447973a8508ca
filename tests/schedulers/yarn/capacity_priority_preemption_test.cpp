// What a more important queue has reserved and waited for is made room for, at the cost of less
// important ones that have no more than their guarantees. Two nodes of 8 GiB.
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

SettingValues by_priority(SettingValues more = {}) {
  more.merge(SettingValues{{"preemption.enabled", "true"},
                           {"preemption.underutilized-preemption.enabled", "true"},
                           {"preemption.total_preemption_per_round", "1"}});
  return more;
}

Lines priorities(const std::string& of_a, const std::string& of_b) {
  return with(halves, {{"root.ordering-policy", "priority-utilization"},
                       {"root.a.priority", of_a},
                       {"root.b.priority", of_b}});
}

// a has four containers on each node, 4 to 7 and 12 to 15, which is its guarantee; b has node 0
// reserved for 6 GiB.
ApplicationId reserve_for_b(CapacityWorld& world) {
  world.add_nodes(2, 8);
  world.ask(world.submit("a", "ann"), 1, 16);
  world.fill_all();
  const ApplicationId large = world.submit("b", "bob");
  world.ask(large, 6, 1);
  for (const std::uint32_t ended : {0U, 1U, 2U, 3U, 8U, 9U, 10U, 11U}) {
    world.harness().end(ContainerId(ended));
  }
  EXPECT_EQ(world.beat(0), "");
  EXPECT_EQ(world.reserved("root.b"), 6);
  return large;
}

void expect_nothing_is_taken(const Lines& lines, const SettingValues& settings) {
  CapacityWorld world(lines, settings);
  reserve_for_b(world);
  world.harness().advance(seconds(90));
  EXPECT_EQ(world.harness().taken_back(), "");
}

// 4 of 6 GiB are free.
// Proves: 4.by-priority
TEST(CapacityPriorityPreemption, TakesJustEnoughOfTheOldestOnTheReservedNodeAfterTheDelay) {
  CapacityWorld world(priorities("1", "2"), by_priority());
  const ApplicationId large = reserve_for_b(world);
  world.harness().advance(milliseconds(59'999));
  EXPECT_EQ(world.harness().taken_back(), "");
  world.harness().advance(milliseconds(1));
  EXPECT_EQ(world.harness().taken_back(), "ask 4, ask 5");
  world.harness().advance(seconds(15));
  world.beat(0);
  EXPECT_EQ(world.used(large), 6);
}

TEST(CapacityPriorityPreemption, ADelayOfNothingIsAllowed) {
  CapacityWorld world(
      priorities("1", "2"),
      by_priority({{"preemption.underutilized-preemption.reserved-container-delay-ms", "0"}}));
  reserve_for_b(world);
  world.harness().advance(seconds(3));
  EXPECT_EQ(world.harness().taken_back(), "ask 4, ask 5");
}

TEST(CapacityPriorityPreemption,
     OnlyAQueueOfHigherPriorityTakesAndOnlyWhereTheOrderOfQueuesRespectsIt) {
  Lines unordered = priorities("1", "2");
  unordered[halves.size()].second = "utilization";
  for (const Lines& lines : {priorities("2", "2"), priorities("3", "2"), unordered}) {
    expect_nothing_is_taken(lines, by_priority());
  }
}

TEST(CapacityPriorityPreemption, IsOffUnlessItIsAskedFor) {
  expect_nothing_is_taken(priorities("1", "2"), {{"preemption.enabled", "true"},
                                                 {"preemption.total_preemption_per_round", "1"}});
}

// Without what is reserved, b has 12 GiB of 12.
TEST(CapacityPriorityPreemption, AQueueThatHasItsGuaranteeTakesNothing) {
  CapacityWorld world(priorities("1", "2"), by_priority());
  world.add_nodes(3, 8);
  world.ask(world.submit("a", "ann"), 1, 8);
  world.fill(NodeId(0u));
  const ApplicationId large = world.submit("b", "bob");
  world.ask(large, 4, 3);
  world.fill(NodeId(1u));
  world.fill(NodeId(2u));
  world.harness().end(ContainerId(0u));
  world.harness().end(ContainerId(1u));
  world.ask(large, 6, 1);
  world.beat(0);
  ASSERT_EQ(world.reserved("root.b"), 6);
  world.harness().advance(seconds(90));
  EXPECT_EQ(world.harness().taken_back(), "");
}

// What is being killed on the node is as good as free.
TEST(CapacityPriorityPreemption, TakesNothingMoreWhileWhatItTookIsOnItsWayOut) {
  CapacityWorld world(priorities("1", "2"), by_priority());
  world.harness().let_kills_linger();
  reserve_for_b(world);
  world.harness().advance(seconds(90));
  EXPECT_EQ(world.harness().taken_back(), "ask 4, ask 5, kill 4 (overdue), kill 5 (overdue)");
}

// Two containers are more than the 1.6 GiB that may be taken.
TEST(CapacityPriorityPreemption, TakesAllThatIsNeededOrNothing) {
  SettingValues settings = by_priority();
  settings["preemption.total_preemption_per_round"] = "0.1";
  expect_nothing_is_taken(priorities("1", "2"), settings);
}

// The master is the oldest.
TEST(CapacityPriorityPreemption, SparesMasters) {
  CapacityWorld world(priorities("1", "2"), by_priority());
  world.add_nodes(2, 8);
  const ApplicationId small = world.submit("a", "ann");
  world.harness().ask(small, {.demand = gib(1), .pending = 1, .is_master = true});
  world.fill(NodeId(0u));
  world.ask(small, 1, 3);
  world.fill(NodeId(0u));
  world.ask(world.submit("b", "bob"), 6, 1);
  world.beat(0);
  world.harness().advance(seconds(60));
  EXPECT_EQ(world.harness().taken_back(), "ask 1, ask 2");
}

// Most important is c, with 6 GiB of node 0, which b has reserved and may not have. Containers 6 to
// 9 of a are on node 1.
void reserve_beside_c(CapacityWorld& world, bool is_strict = false) {
  world.add_nodes(2, 8);
  world.ask(world.submit("c", "cid"), 1, 6);
  world.fill(NodeId(0u));
  world.ask(world.submit("a", "ann"), 1, 4);
  world.fill(NodeId(1u));
  AskFigures figures{.demand = gib(6), .pending = 1};
  if (is_strict) {
    figures.relax_locality = false;
    figures.nodes = {{NodeId(0u), 1}};
  }
  world.harness().ask(world.submit("b", "bob"), figures);
  EXPECT_EQ(world.beat(0), "");
  EXPECT_EQ(world.reserved("root.b"), 6);
}
const Lines three = {
    {"root.queues", "a,b,c"},           {"root.ordering-policy", "priority-utilization"},
    {"root.a.capacity", "25"},          {"root.b.capacity", "25"},
    {"root.c.capacity", "50"},          {"root.a.priority", "1"},
    {"root.b.priority", "2"},           {"root.c.priority", "3"},
    {"root.a.user-limit-factor", "10"}, {"root.b.user-limit-factor", "10"},
    {"root.c.user-limit-factor", "10"}, {"maximum-am-resource-percent", "1"}};

TEST(CapacityPriorityPreemption, AReservationMovesToANodeWhereThatHelpsIfItMay) {
  for (const bool may_move : {false, true}) {
    CapacityWorld world(three,
                        by_priority({{"preemption.underutilized-preemption.allow-move-reservation",
                                      may_move ? "true" : "false"}}));
    reserve_beside_c(world);
    world.harness().advance(seconds(60));
    EXPECT_EQ(world.state().reservation(NodeId(1u)) != nullptr, may_move);
    EXPECT_EQ(world.state().reservation(NodeId(0u)) == nullptr, may_move);
    EXPECT_EQ(world.harness().taken_back(), "");
    world.harness().advance(seconds(3));
    EXPECT_EQ(world.harness().taken_back(), may_move ? "ask 6, ask 7" : "");
  }
}

const SettingValues moving =
    by_priority({{"preemption.underutilized-preemption.allow-move-reservation", "true"}});

TEST(CapacityPriorityPreemption, AReservationThatInsistsOnItsNodeStays) {
  CapacityWorld world(three, moving);
  reserve_beside_c(world, true);
  world.harness().advance(seconds(63));
  EXPECT_NE(world.state().reservation(NodeId(0u)), nullptr);
  EXPECT_EQ(world.harness().taken_back(), "");
}

// c has 6 GiB of nodes 0 and 1, a four of node 2, and node 3 is empty, but has not been offered.
TEST(CapacityPriorityPreemption, TwoReservationsDoNotMoveToOneNode) {
  CapacityWorld world(three, moving);
  world.add_nodes(4, 8);
  world.ask(world.submit("c", "cid"), 6, 2);
  world.fill(NodeId(0u));
  world.fill(NodeId(1u));
  world.ask(world.submit("a", "ann"), 1, 4);
  world.fill(NodeId(2u));
  world.ask(world.submit("b", "bob"), 6, 2);
  world.beat(0);
  world.beat(1);
  ASSERT_EQ(world.reserved("root.b"), 12);
  world.harness().advance(seconds(60));
  EXPECT_NE(world.state().reservation(NodeId(2u)), nullptr);
  EXPECT_NE(world.state().reservation(NodeId(3u)), nullptr);
}

}  // namespace
}  // namespace tracebed
