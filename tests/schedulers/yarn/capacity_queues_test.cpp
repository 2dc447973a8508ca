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

TEST(CapacityTree, TheMaximumHoldsThoughTheClusterIsIdle) {
  CapacityWorld world(with(halves, {{"root.a.maximum-capacity", "75"}}));
  world.add_nodes(4, 8);
  world.ask(world.submit("a", "ann"), 1, 100);
  EXPECT_EQ(world.fill_all(), 24u);
  EXPECT_EQ(world.why(ApplicationId(0u)),
            "queue root.a uses 24576 MiB of at most 24576 MiB, and the next container takes 1024 "
            "MiB");
}

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

TEST(CapacityOrder, AsksGoByPriorityAndAnUnfinishedOneDoesNotHideTheNext) {
  CapacityWorld world(halves);
  world.add_nodes(1, 8);
  const ApplicationId application = world.submit("a", "ann");
  world.harness().ask(application, {.demand = gib(1), .pending = 1, .priority = 20});
  world.harness().ask(application, {.demand = gib(1), .pending = 1, .priority = 10});
  EXPECT_EQ(world.beat(0), "a1:n0");
  EXPECT_EQ(world.beat(0), "a0:n0");
}

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

}  // namespace
}  // namespace tracebed
