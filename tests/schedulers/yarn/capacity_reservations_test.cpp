// Nodes that the Capacity scheduler keeps for units that do not fit yet. Figures are worked by
// hand.
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

using testing::StartsWith;

// ---- reservations ----

// Proves: 3.5.reserve, 3.5.served-first
TEST(CapacityReservation, ANodeIsKeptUntilTheUnitFits) {
  CapacityWorld world(one_queue());
  world.add_nodes(2, 8);
  const ApplicationId filler = world.submit("a", "ann");
  fill_six_each(world, filler);
  const ApplicationId large = world.submit("a", "bob");
  world.ask(large, 4, 1);
  const ApplicationId small = world.submit("a", "cid");
  world.ask(small, 1, 4);
  EXPECT_EQ(world.beat(0), "") << "reserved";
  EXPECT_EQ(world.reserved("root.a"), 4);
  EXPECT_EQ(world.used("root.a"), 16) << "what is reserved counts as used";
  EXPECT_EQ(world.beat(0), "") << "nobody else may have it";
  EXPECT_THAT(world.why(large), StartsWith("1 node is kept for it until there is room"));
  world.end_one(filler);
  EXPECT_EQ(world.beat(0), "a1:n0 a2:n0") << "fulfilled, and the rest is free for others";
  EXPECT_EQ(world.reserved("root.a"), 0);
}

TEST(CapacityReservation, SetsTheCounterOfOffersBackOnceNotAgainWhenItIsFulfilled) {
  CapacityWorld world(one_queue());
  world.add_nodes(2, 8);
  const ApplicationId filler = world.submit("a", "ann");
  fill_six_each(world, filler);
  const AskId ask = world.harness().ask(
      world.submit("a", "bob"),
      {.demand = gib(4), .pending = 1, .nodes = {{NodeId(0u), 1}}, .racks = {{RackId(0u), 1}}});
  EXPECT_EQ(world.beat(0), "");
  EXPECT_EQ(world.missed(ask), 0u);
  EXPECT_EQ(world.beat(0), "");
  world.end_one(filler);
  EXPECT_EQ(world.beat(0), "a1:n0");
  EXPECT_EQ(world.missed(ask), 2u);
}

TEST(CapacityReservation, IsGivenUpWhenTheAskShrinksOrGoes) {
  CapacityWorld world(one_queue());
  world.add_nodes(2, 8);
  fill_six_each(world, world.submit("a", "ann"));
  const ApplicationId large = world.submit("a", "bob");
  const AskId ask = world.ask(large, 4, 1);
  world.beat(0);
  world.harness().set_pending(ask, 0);
  EXPECT_EQ(world.reserved("root.a"), 4);
  EXPECT_EQ(world.beat(0), "");
  EXPECT_EQ(world.reserved("root.a"), 0) << "at the node's next heartbeat";
  world.harness().set_pending(ask, 1);
  world.beat(1);
  EXPECT_EQ(world.reserved("root.a"), 4);
  world.harness().close(ask);
  world.harness().decide();
  EXPECT_EQ(world.reserved("root.a"), 0);
  world.verify();
}

// Proves: 8.node-removed, 8.app-removed
TEST(CapacityReservation, GoesWithItsApplicationOrNode) {
  CapacityWorld world(one_queue());
  world.add_nodes(2, 8);
  fill_six_each(world, world.submit("a", "ann"));
  const ApplicationId large = world.submit("a", "bob");
  world.ask(large, 4, 2);
  world.beat(0);
  world.beat(1);
  EXPECT_EQ(world.reserved("root.a"), 4) << "a second would not be within the queue's limit";
  world.harness().remove_node(NodeId(0u));
  world.harness().decide();
  world.verify();
  EXPECT_EQ(world.reserved("root.a"), 0);
  world.beat(1);
  world.finish(large);
  EXPECT_EQ(world.reserved("root.a"), 0);
}

// The queue may use 20 of 24: with 12 used, a reservation of 4 and a node with room, the queue has
// 20 − 16 = 4 left, and the one unit that is wanted is not reserved twice.
// Proves: 3.5.move-on
TEST(CapacityReservation, MovesOnToANodeWithRoom) {
  CapacityWorld world(one_queue());
  world.add_nodes(2, 8);
  fill_six_each(world, world.submit("a", "ann"));
  const ApplicationId large = world.submit("a", "bob");
  world.ask(large, 4, 1);
  world.beat(0);
  EXPECT_EQ(world.reserved("root.a"), 4);
  world.add_nodes(1, 8);
  EXPECT_EQ(world.beat(2), "a1:n2");
  EXPECT_EQ(world.reserved("root.a"), 0);
  EXPECT_EQ(world.used("root.a"), 16);
}

// Proves: 3.5.stay
TEST(CapacityReservation, DoesNotMoveOnWhenToldNotTo) {
  CapacityWorld world(one_queue({{"reservations-continue-look-all-nodes", "false"}}));
  world.add_nodes(2, 8);
  fill_six_each(world, world.submit("a", "ann"));
  world.ask(world.submit("a", "bob"), 4, 1);
  world.beat(0);
  world.add_nodes(1, 8);
  EXPECT_EQ(world.beat(2), "") << "its one unit is reserved for already";
  EXPECT_EQ(world.reserved("root.a"), 4);
}

// The application's reservation counts against its queue's maximum; where the queue is at it, one
// more container takes the reservation's place.
// Proves: 3.5.not-counted-twice
TEST(CapacityReservation, IsExchangedWhereTheQueueIsAtItsMaximum) {
  CapacityWorld world({{"root.queues", "a,b"},
                       {"root.a.capacity", "50"},
                       {"root.a.maximum-capacity", "50"},
                       {"root.b.capacity", "50"},
                       {"user-limit-factor", "10"},
                       {"maximum-am-resource-percent", "1"}});
  world.add_nodes(4, 8);
  const ApplicationId other = world.submit("b", "ann");
  world.harness().ask(other, {.demand = gib(6), .pending = 2});
  world.fill(NodeId(0u));
  world.fill(NodeId(1u));
  const ApplicationId application = world.submit("a", "bob");
  world.ask(application, 8, 2);
  EXPECT_EQ(world.beat(0), "");
  EXPECT_EQ(world.reserved("root.a"), 8);
  EXPECT_EQ(world.beat(2), "a1:n2");
  EXPECT_EQ(world.used("root.a"), 16) << "8, and 8 reserved: its maximum";
  EXPECT_EQ(world.beat(3), "a1:n3") << "in exchange for the reservation";
  EXPECT_EQ(world.reserved("root.a"), 0);
  EXPECT_EQ(world.used("root.a"), 16);
}

// One unit is wanted and reserved for. A node more is reserved after two offers of the reserved
// node, as the unit is half of the largest container: 2 × (1 − 4/8) = 1.
// Proves: 3.5.starvation
TEST(CapacityReservation, MoreNodesAreReservedAsOffersFail) {
  CapacityWorld world(one_queue());
  world.add_nodes(4, 8);
  const ApplicationId filler = world.submit("a", "ann");
  world.harness().ask(filler, {.demand = gib(6), .pending = 4});
  world.fill_all();
  world.ask(world.submit("a", "bob"), 4, 1);
  world.beat(0);
  EXPECT_EQ(world.reserved("root.a"), 4);
  world.beat(1);
  EXPECT_EQ(world.reserved("root.a"), 4) << "as many as are wanted";
  world.beat(0);
  world.beat(1);
  EXPECT_EQ(world.reserved("root.a"), 4);
  world.beat(0);
  world.beat(1);
  EXPECT_EQ(world.reserved("root.a"), 8);
}

}  // namespace
}  // namespace tracebed
