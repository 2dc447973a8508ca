// How the Capacity scheduler shares a cluster among queues and applications: stories whose figures
// are worked by hand.
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

// ---- the tree and its capacities ----

TEST(CapacityTree, IdleCapacityIsUsedElsewhereUntilItsOwnerComes) {
  CapacityWorld world(halves);
  world.add_nodes(4, 8);
  const ApplicationId first = world.submit("a", "ann");
  world.ask(first, 1, 100);
  EXPECT_EQ(world.fill_all(), 32u) << "all of the cluster";
  EXPECT_EQ(world.used("root.a"), 32);
  const ApplicationId second = world.submit("b", "bob");
  world.ask(second, 1, 100);
  EXPECT_EQ(world.fill_all(), 0u) << "nothing is taken away";
  // What ends goes to the queue that is below its guarantee, until both have theirs.
  for (int i = 0; i < 16; ++i) {
    world.end_one(first);
    world.fill_all();
  }
  EXPECT_EQ(world.used("root.a"), 16);
  EXPECT_EQ(world.used("root.b"), 16);
}

// Proves: 3.1.full
TEST(CapacityTree, TheMaximumHoldsThoughTheClusterIsIdle) {
  CapacityWorld world(with(halves, {{"root.a.maximum-capacity", "75"}}));
  world.add_nodes(4, 8);
  world.ask(world.submit("a", "ann"), 1, 100);
  EXPECT_EQ(world.fill_all(), 24u);
  EXPECT_EQ(world.why(ApplicationId(0u)),
            "queue root.a uses 24576 MiB of at most 24576 MiB, and the next container takes 1024 "
            "MiB");
}

// Proves: 3.1.effective-limit
TEST(CapacityTree, AParentsMaximumBindsItsChildrenTogether) {
  CapacityWorld world({{"root.queues", "a,b"},
                       {"root.a.capacity", "40"},
                       {"root.a.maximum-capacity", "50"},
                       {"root.b.capacity", "60"},
                       {"root.a.queues", "x,y"},
                       {"root.a.x.capacity", "50"},
                       {"root.a.y.capacity", "50"},
                       {"user-limit-factor", "10"},
                       {"maximum-am-resource-percent", "1"}});
  world.add_nodes(4, 10);
  world.ask(world.submit("x", "ann"), 1, 100);
  EXPECT_EQ(world.fill_all(), 20u) << "half of 40";
  const ApplicationId y = world.submit("y", "bob");
  world.ask(y, 1, 100);
  EXPECT_EQ(world.fill_all(), 0u);
  EXPECT_THAT(world.why(y), HasSubstr("queue root.a uses 20480 MiB of at most 20480 MiB"));
  world.end_one(ApplicationId(0u));
  EXPECT_EQ(world.fill_all(), 1u);
  EXPECT_EQ(world.used("root.a.y"), 1);
  EXPECT_EQ(world.used("root.a"), 20);
}

// An ask of 4 GiB does not fit in the 2 GiB that a's maximum leaves; b, which is better served, may
// not take those 2 GiB in the meantime where they are shared.
// Proves: 3.1.blocked-headroom
TEST(CapacityTree, WhatAnUnderservedChildCouldNotTakeIsKeptFreeForIt) {
  CapacityWorld world({{"root.queues", "p,q"},
                       {"root.p.capacity", "50"},
                       {"root.p.maximum-capacity", "50"},
                       {"root.q.capacity", "50"},
                       {"root.p.queues", "a,b"},
                       {"root.p.a.capacity", "50"},
                       {"root.p.b.capacity", "50"},
                       {"user-limit-factor", "10"},
                       {"maximum-am-resource-percent", "1"}});
  world.add_nodes(2, 20);
  const ApplicationId big = world.submit("a", "ann");
  const ApplicationId small = world.submit("b", "bob");
  const AskId small_ask = world.ask(small, 1, 18);
  EXPECT_EQ(world.fill_all(), 18u);
  world.harness().set_pending(small_ask, 10);
  world.ask(big, 4, 1);
  EXPECT_EQ(world.fill_all(), 0u) << "p may use 20, b uses 18, and the 2 are a's";
  EXPECT_EQ(world.used("root.p"), 18);
  world.end_one(small);
  world.end_one(small);
  EXPECT_EQ(world.fill_all(), 1u);
  EXPECT_EQ(world.used(big), 4);
}

// Proves: 8.node-added
TEST(CapacityTree, FiguresFollowTheNodes) {
  CapacityWorld world(halves);
  world.add_nodes(2, 8);
  EXPECT_EQ(world.use("root.a").figures.guaranteed, gib(8));
  world.add_nodes(2, 8);
  EXPECT_EQ(world.use("root.a").figures.guaranteed, gib(16));
  world.harness().remove_node(NodeId(0u));
  world.harness().decide();
  EXPECT_EQ(world.use("root.a").figures.guaranteed, gib(12));
}

// ---- who is next ----

// Proves: 3.2.used-over-guaranteed, 3.2.tie-larger-capacity, A6.2.1.order
TEST(CapacityOrder, TheQueueThatUsesTheSmallerPartOfItsGuaranteeComesFirst) {
  CapacityWorld world({{"root.queues", "a,b"},
                       {"root.a.capacity", "75"},
                       {"root.b.capacity", "25"},
                       {"user-limit-factor", "10"},
                       {"maximum-am-resource-percent", "1"}});
  world.add_nodes(1, 16);
  world.ask(world.submit("b", "bob"), 1, 100);
  world.ask(world.submit("a", "ann"), 1, 100);
  // Parts used before each: a 0/12 b 0/4 (a has the larger guarantee); then a 1/12, b 0: b; then
  // a 1/12 < b 1/4: a, a; at 3/12 = 1/4 the larger guarantee again.
  EXPECT_EQ(world.beat(0), "a1:n0") << "one container off-switch a heartbeat";
  EXPECT_EQ(world.beat(0), "a0:n0");
  EXPECT_EQ(world.beat(0), "a1:n0");
  EXPECT_EQ(world.beat(0), "a1:n0");
  EXPECT_EQ(world.beat(0), "a1:n0");
  EXPECT_EQ(world.beat(0), "a0:n0");
  world.fill(NodeId(0u));
  EXPECT_EQ(world.used("root.a"), 12);
  EXPECT_EQ(world.used("root.b"), 4);
}

TEST(CapacityOrder, PrioritiesOfQueuesCountOnTheSameSideOfTheGuarantee) {
  const Lines lines =
      with(halves, {{"root.ordering-policy", "priority-utilization"}, {"root.b.priority", "5"}});
  CapacityWorld world(lines);
  world.add_nodes(1, 16);
  world.ask(world.submit("a", "ann"), 1, 100);
  world.ask(world.submit("b", "bob"), 1, 100);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(world.beat(0), "a1:n0") << "both are below: b";
  for (int i = 0; i < 8; ++i) EXPECT_EQ(world.beat(0), "a0:n0") << "b has its guarantee: a";
}

// Proves: 1.priority-of-applications, 3.2.fifo
TEST(CapacityOrder, ApplicationsGoByPriorityThenBySubmission) {
  CapacityWorld world(with(halves, {{"root.a.default-application-priority", "2"}}),
                      {{"maximum_application_priority", "5"}});
  world.add_nodes(1, 8);
  const ApplicationId plain = world.submit("a", "ann");
  const ApplicationId urgent = world.submit("a", "ann", 9);
  const ApplicationId equal = world.submit("a", "ann", 5);
  for (const ApplicationId each : {plain, urgent, equal}) world.ask(each, 1, 2);
  EXPECT_EQ(world.state().application(plain)->priority, 2) << "the queue's default";
  EXPECT_EQ(world.state().application(urgent)->priority, 5) << "the cluster's most";
  std::string order;
  for (int i = 0; i < 6; ++i) order += world.beat(0) + " ";
  EXPECT_EQ(order, "a1:n0 a1:n0 a2:n0 a2:n0 a0:n0 a0:n0 ");
}

// Proves: 3.2.fair, 3.2.resorted
TEST(CapacityOrder, FairGoesByWhatApplicationsUse) {
  CapacityWorld world(with(halves, {{"root.a.ordering-policy", "fair"}}));
  world.add_nodes(1, 8);
  const ApplicationId first = world.submit("a", "ann");
  world.ask(first, 1, 3);
  world.fill(NodeId(0u));
  const ApplicationId second = world.submit("a", "ann");
  world.ask(second, 1, 10);
  world.ask(first, 1, 10);
  std::string order;
  for (int i = 0; i < 5; ++i) order += world.beat(0) + " ";
  EXPECT_EQ(order, "a1:n0 a1:n0 a1:n0 a2:n0 a1:n0 ") << "at equal use the earlier one";
}

// Proves: 3.2.size-based-weight, 3.2.resorted
TEST(CapacityOrder, FairWithSizeBasedWeightDividesByTheSize) {
  CapacityWorld world(
      with(halves, {{"root.a.ordering-policy", "fair"},
                    {"root.a.ordering-policy.fair.enable-size-based-weight", "true"}}));
  world.add_nodes(1, 16);
  const ApplicationId small = world.submit("a", "ann");
  const ApplicationId large = world.submit("a", "ann");
  world.ask(large, 1, 3);
  world.fill(NodeId(0u));
  world.ask(small, 1, 2);
  world.fill(NodeId(0u));
  const AskId of_large = world.ask(large, 1, 61);
  world.ask(small, 1, 1);
  world.harness().decide();
  // large: 3072 / log2(1 + 65536) = 192; small: 2048 / log2(1 + 3072) = 176.77.
  EXPECT_NEAR(world.state().application(large)->rank.first, 192.0, 0.001);
  EXPECT_NEAR(world.state().application(small)->rank.first, 176.774, 0.001);
  EXPECT_EQ(world.beat(0), "a3:n0");
  EXPECT_EQ(world.beat(0), "a" + std::to_string(of_large.value()) + ":n0");
}

// Proves: 1.priority-of-asks
TEST(CapacityOrder, AsksGoByPriorityAndAnUnfinishedOneDoesNotHideTheNext) {
  CapacityWorld world(halves);
  world.add_nodes(1, 8);
  const ApplicationId application = world.submit("a", "ann");
  world.harness().ask(application, {.demand = gib(1), .pending = 1, .priority = 20});
  world.harness().ask(application, {.demand = gib(1), .pending = 1, .priority = 10});
  EXPECT_EQ(world.beat(0), "a1:n0");
  EXPECT_EQ(world.beat(0), "a0:n0");
}

// Proves: 3.2.assignments, 3.2.one-off-switch, 3.4.any-at-once
TEST(CapacityOrder, AHeartbeatAssignsAsManyAsItMayAndOneOffSwitch) {
  const auto world_of = [](const Lines& more) {
    auto world = std::make_unique<CapacityWorld>(with(halves, more));
    world->add_nodes(1, 8);
    const ApplicationId application = world->submit("a", "ann");
    world->harness().ask(
        application,
        {.demand = gib(1), .pending = 8, .nodes = {{NodeId(0u), 8}}, .racks = {{RackId(0u), 8}}});
    return world;
  };
  const std::string prefix = "per-node-heartbeat.";
  EXPECT_EQ(world_of({})->harness().decide_at(NodeId(0u)).size(), 8u);
  EXPECT_EQ(world_of({{prefix + "maximum-container-assignments", "3"}})
                ->harness()
                .decide_at(NodeId(0u))
                .size(),
            3u);
  EXPECT_EQ(world_of({{prefix + "multiple-assignments-enabled", "false"}})
                ->harness()
                .decide_at(NodeId(0u))
                .size(),
            1u);
  CapacityWorld anywhere(with(halves, {{prefix + "maximum-offswitch-assignments", "2"}}));
  anywhere.add_nodes(1, 8);
  anywhere.ask(anywhere.submit("a", "ann"), 1, 8);
  EXPECT_EQ(anywhere.beat(0), "a0:n0 a0:n0");
}

TEST(CapacityOrder, ANodeWithLessThanTheMinimumAllocationGetsNothing) {
  CapacityWorld world(halves, {{"minimum_allocation_mib", "2048"}});
  world.add_nodes(1, 3);
  world.ask(world.submit("a", "ann"), 1, 3);
  EXPECT_EQ(world.fill_all(), 2u) << "at 1 GiB free it is passed over";
}

// Half of the cluster's 17 GiB is 8.5 GiB, which leaves room for 87 containers of 100 MiB; down to
// the minimum allocation it is 8 GiB, and 81.92 of them. With 8100 MiB used, less than 100 are
// left.
// Proves: 3.1.limit-is-cut
TEST(CapacityTree, ALimitIsCutToTheMinimumAllocation) {
  CapacityWorld world(with(halves, {{"root.a.maximum-capacity", "50"}}));
  world.add_nodes(1, 17);
  world.harness().ask(world.submit("a", "ann"), {.demand = {0, 100}, .pending = 200});
  EXPECT_EQ(world.fill_all(), 81u);
}

// Proves: 3.1.ask-fits-headroom
TEST(CapacityTree, TheContainerItselfMustFitInWhatIsLeft) {
  CapacityWorld world(with(halves, {{"root.a.maximum-capacity", "50"}}));
  world.add_nodes(1, 16);
  const ApplicationId application = world.submit("a", "ann");
  world.ask(application, 3, 9);
  EXPECT_EQ(world.fill_all(), 2u) << "6 of 8 are used; 3 more do not fit, though 8 are not used";
  world.harness().ask(application, {.demand = gib(2), .pending = 1, .priority = -1});
  EXPECT_EQ(world.fill_all(), 1u) << "2 do";
}

// Proves: 3.2.tie-larger-amount
TEST(CapacityOrder, OfEqualQueuesWithAmountsTheLargerAmountComesFirst) {
  CapacityWorld world({{"root.queues", "a,b"},
                       {"root.a.capacity", "[memory=4096,vcores=1]"},
                       {"root.b.capacity", "[memory=4096,vcores=3]"},
                       {"user-limit-factor", "10"},
                       {"maximum-am-resource-percent", "1"}});
  world.add_nodes(1, 16);
  world.ask(world.submit("a", "ann"), 1, 1);
  world.ask(world.submit("b", "bob"), 1, 1);
  EXPECT_EQ(world.beat(0), "a1:n0") << "both use nothing of 4096 MiB; b has more vcores";
  EXPECT_EQ(world.beat(0), "a0:n0");
}

// z1 and z2 have no capacity: they come after a, however much of its own it uses, and among
// themselves by what they use of the cluster.
// Proves: 3.2.zero-capacity-last, 3.2.used-over-guaranteed
TEST(CapacityOrder, QueuesWithoutCapacityComeLast) {
  CapacityWorld world({{"root.queues", "z1,z2,a"},
                       {"root.z1.capacity", "0"},
                       {"root.z2.capacity", "0"},
                       {"root.a.capacity", "100"},
                       {"user-limit-factor", "-1"},
                       {"global-queue-max-application", "9"},
                       {"maximum-am-resource-percent", "1"}});
  world.add_nodes(1, 16);
  const ApplicationId first = world.submit("z1", "ann");
  const ApplicationId second = world.submit("z2", "bob");
  const ApplicationId third = world.submit("a", "cid");
  world.ask(first, 1, 9);
  world.ask(second, 1, 9);
  world.ask(third, 1, 9);
  std::string order;
  for (int i = 0; i < 12; ++i) order += world.beat(0).substr(0, 2) + " ";
  EXPECT_EQ(order, "a2 a2 a2 a2 a2 a2 a2 a2 a2 a0 a1 a0 ");
}

// b is more important. Both at their guarantee of 8: b first; with equal priorities, and one below
// its guarantee, the use decides.
// Proves: 3.2.same-side-by-priority, 3.2.other-side-by-use, 3.2.equal-priorities-by-use
TEST(CapacityOrder, PrioritiesOfQueuesCountAboveTheGuaranteeToo) {
  const Lines lines = {{"root.queues", "a,b,c"},
                       {"root.a.capacity", "25"},
                       {"root.b.capacity", "25"},
                       {"root.c.capacity", "50"},
                       {"root.ordering-policy", "priority-utilization"},
                       {"root.b.priority", "5"},
                       {"user-limit-factor", "10"},
                       {"maximum-am-resource-percent", "1"}};
  CapacityWorld world(lines);
  world.add_nodes(1, 16);
  const ApplicationId a = world.submit("a", "ann");
  const ApplicationId b = world.submit("b", "bob");
  world.ask(a, 1, 4);
  world.fill_all();
  world.ask(a, 1, 9);
  world.ask(b, 1, 9);
  std::string order;
  for (int i = 0; i < 6; ++i) order += world.beat(0).substr(0, 2) + " ";
  EXPECT_EQ(order, "a2 a2 a2 a2 a2 a2 ") << "b below, then both at their guarantee of 4: b";
  const ApplicationId c = world.submit("c", "cid");
  const AskId of_c = world.ask(c, 1, 9);
  EXPECT_EQ(world.beat(0), "a" + std::to_string(of_c.value()) + ":n0")
      << "c is below its guarantee, so b's priority does not count";
  CapacityWorld equal(with(lines, {{"root.b.priority", "0"}}));
  equal.add_nodes(1, 16);
  equal.ask(equal.submit("a", "ann"), 1, 9);
  equal.ask(equal.submit("b", "bob"), 1, 9);
  EXPECT_EQ(equal.beat(0) + " " + equal.beat(0) + " " + equal.beat(0), "a0:n0 a1:n0 a0:n0");
}

// Proves: 3.2.snapshot
TEST(CapacityOrder, EqualQueuesKeepTheOrderOfTheFile) {
  CapacityWorld world({{"root.queues", "c,a,b"},
                       {"root.a.capacity", "25"},
                       {"root.b.capacity", "25"},
                       {"root.c.capacity", "50"},
                       {"root.c.queues", "z,y"},
                       {"root.c.z.capacity", "50"},
                       {"root.c.y.capacity", "50"},
                       {"root.c.maximum-capacity", "50"},
                       {"user-limit-factor", "10"},
                       {"maximum-am-resource-percent", "1"}});
  world.add_nodes(1, 16);
  for (const char* queue : {"b", "a", "y", "z"}) world.ask(world.submit(queue, "ann"), 1, 2);
  std::string order;
  for (int i = 0; i < 8; ++i) order += world.beat(0).substr(0, 2) + " ";
  // c has more; then a, b as in the file; of c's own, z before y.
  EXPECT_EQ(order, "a3 a1 a0 a2 a3 a1 a0 a2 ");
}

// The first application's container of 4 GiB does not fit in the 2 GiB that the queue has left, so
// the second one's of 1 GiB is not looked at.
// Proves: 3.2.else-stops
TEST(CapacityOrder, AContainerThatDoesNotFitTheQueueStopsItsOtherApplications) {
  CapacityWorld world(with(halves, {{"root.a.maximum-capacity", "50"}}));
  world.add_nodes(1, 16);
  const ApplicationId first = world.submit("a", "ann");
  const ApplicationId second = world.submit("a", "ann");
  world.ask(second, 1, 6);
  EXPECT_EQ(world.fill_all(), 6u);
  world.ask(first, 4, 1);
  world.ask(second, 1, 2);
  EXPECT_EQ(world.fill_all(), 0u);
}

}  // namespace
}  // namespace tracebed
