// What becomes of a node that the Capacity scheduler is offered: locality by missed opportunities,
// reservations, partitions, gangs, refusals. Figures are worked by hand.
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Lines one_queue(const Lines& more = {}) {
  Lines lines = {{"root.queues", "a"},
                 {"root.a.capacity", "100"},
                 {"root.a.user-limit-factor", "10"},
                 {"maximum-am-resource-percent", "1"}};
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

// Units of 1 GiB, each wanted on node 0, which is in rack 0.
AskFigures on_node_zero(std::uint32_t units) {
  return {.demand = gib(1),
          .pending = units,
          .nodes = {{NodeId(0u), units}},
          .racks = {{RackId(0u), units}}};
}

// Nodes 0 and 1 in rack 0, 2 and 3 in rack 1.
void add_two_racks(CapacityWorld& world) {
  world.add_nodes(2, 8, 0);
  world.add_nodes(2, 8, 1);
}

// ---- locality ----

TEST(CapacityLocality, ANodeThatIsWantedIsTakenAtOnce) {
  CapacityWorld world(one_queue());
  add_two_racks(world);
  world.harness().ask(world.submit("a", "ann"), on_node_zero(2));
  EXPECT_EQ(world.beat(0), "a0:n0 a0:n0");
}

TEST(CapacityLocality, ANodeNeedsTheCountsOfItsRackToo) {
  CapacityWorld world(one_queue());
  add_two_racks(world);
  AskFigures figures = on_node_zero(2);
  figures.racks = {{RackId(1u), 2}};
  const AskId ask = world.harness().ask(world.submit("a", "ann"), figures);
  EXPECT_EQ(world.beat(0), "");
  EXPECT_EQ(world.missed(ask), 1u);
}

// Of four nodes two names are asked for, and three units: more than 3 × 2 / 4 offers are declined.
TEST(CapacityLocality, OffSwitchIsTakenAfterAFactorOfTheNamesAndUnits) {
  CapacityWorld world(one_queue());
  add_two_racks(world);
  const AskId ask = world.harness().ask(world.submit("a", "ann"), on_node_zero(3));
  EXPECT_EQ(world.beat(1), "");
  EXPECT_EQ(world.missed(ask), 1u);
  EXPECT_EQ(world.beat(1), "a0:n1") << "off-switch: 2 > 1.5";
  EXPECT_EQ(world.missed(ask), 2u) << "off-switch never sets the counter back";
}

TEST(CapacityLocality, RackAndOffSwitchWaitTheirDelays) {
  CapacityWorld world(
      one_queue({{"node-locality-delay", "2"}, {"rack-locality-additional-delay", "1"}}));
  add_two_racks(world);
  const AskId ask = world.harness().ask(world.submit("a", "ann"), on_node_zero(8));
  EXPECT_EQ(world.beat(1), "");
  EXPECT_EQ(world.beat(2), "");
  EXPECT_EQ(world.beat(1), "a0:n1") << "the rack after more than 2; then the counter is 0 again";
  EXPECT_EQ(world.missed(ask), 1u) << "the same heartbeat offered the node once more";
  EXPECT_EQ(world.beat(2), "");
  EXPECT_EQ(world.beat(2), "");
  EXPECT_EQ(world.beat(2), "a0:n2") << "off-switch after more than min(4, 2 + 1)";
  EXPECT_EQ(world.missed(ask), 4u);
  EXPECT_EQ(world.beat(2), "a0:n2") << "and again, as the counter stands";
  EXPECT_EQ(world.beat(0), "a0:n0 a0:n0 a0:n0 a0:n0 a0:n0") << "the node sets it back";
}

TEST(CapacityLocality, WithoutFullResetARackGoesOnBeingTaken) {
  CapacityWorld world(one_queue({{"node-locality-delay", "2"},
                                 {"rack-locality-additional-delay", "1"},
                                 {"rack-locality-full-reset", "false"}}));
  add_two_racks(world);
  world.harness().ask(world.submit("a", "ann"), on_node_zero(8));
  EXPECT_EQ(world.beat(1), "");
  EXPECT_EQ(world.beat(1), "");
  EXPECT_EQ(world.beat(1), "a0:n1 a0:n1 a0:n1 a0:n1 a0:n1 a0:n1 a0:n1 a0:n1");
}

TEST(CapacityLocality, ADelayOfMinusOneIsNone) {
  CapacityWorld world(one_queue({{"node-locality-delay", "-1"}}));
  add_two_racks(world);
  world.harness().ask(world.submit("a", "ann"), on_node_zero(2));
  EXPECT_EQ(world.beat(1), "a0:n1 a0:n1");
}

TEST(CapacityLocality, HadoopTwoHasNoDelayByDefaultAndCountsHostsForOffSwitch) {
  CapacityWorld world(one_queue(), {{"semantics", "hadoop-2.0"}});
  add_two_racks(world);
  EXPECT_EQ(world.state().configuration().node_locality_delay, -1);
  AskFigures figures = on_node_zero(4);
  figures.nodes = {{NodeId(0u), 4}, {NodeId(1u), 4}};
  world.harness().ask(world.submit("a", "ann"), figures);
  EXPECT_EQ(world.beat(2), "");
  EXPECT_EQ(world.beat(2), "");
  EXPECT_EQ(world.beat(2), "a0:n2") << "more than the 2 hosts asked for";
}

TEST(CapacityLocality, AWaitingAskBlocksLessImportantOnesOfItsApplicationOnly) {
  CapacityWorld world(one_queue());
  add_two_racks(world);
  const ApplicationId first = world.submit("a", "ann");
  AskFigures important = on_node_zero(8);
  important.priority = 1;
  world.harness().ask(first, important);
  world.harness().ask(first, {.demand = gib(1), .pending = 1, .priority = 2});
  const ApplicationId second = world.submit("a", "ann");
  world.harness().ask(second, {.demand = gib(1), .pending = 1, .priority = 2});
  EXPECT_EQ(world.beat(3), "a2:n3");
}

TEST(CapacityLocality, AnAskThatDoesNotRelaxStaysWhereItSaysAndHidesNothing) {
  CapacityWorld world(one_queue());
  add_two_racks(world);
  const ApplicationId application = world.submit("a", "ann");
  AskFigures strict = on_node_zero(9);
  strict.racks = {};
  strict.relax_locality = false;
  const AskId ask = world.harness().ask(application, strict);
  world.harness().ask(application, {.demand = gib(1), .pending = 2, .priority = 5});
  EXPECT_EQ(world.beat(3), "a1:n3") << "the next ask has its turn";
  EXPECT_EQ(world.missed(ask), 0u) << "an offer that was no opportunity is not counted";
  EXPECT_EQ(world.beat(0), "a0:n0 a0:n0 a0:n0 a0:n0 a0:n0 a0:n0 a0:n0 a0:n0");
  EXPECT_EQ(world.beat(1), "a1:n1");
  EXPECT_THAT(world.why(application), HasSubstr("takes none but the places that it names"));
}

// ---- reservations ----

// Two nodes of 8 GiB, each with 6 used.
void fill_six_each(CapacityWorld& world, ApplicationId filler) {
  world.harness().ask(filler, {.demand = gib(6), .pending = 2});
  world.beat(0);
  world.beat(1);
}

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

// ---- partitions ----

Lines with_gpu(const Lines& more = {}) {
  Lines lines = {{"root.queues", "a,b"},
                 {"root.a.capacity", "50"},
                 {"root.b.capacity", "50"},
                 {"root.a.accessible-node-labels", "gpu"},
                 {"root.a.accessible-node-labels.gpu.capacity", "100"},
                 {"root.b.accessible-node-labels", " "},
                 {"user-limit-factor", "10"},
                 {"maximum-am-resource-percent", "1"}};
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

TEST(CapacityPartition, AsksStayInTheirPartition) {
  CapacityWorld world(with_gpu());
  world.add_nodes(2, 8);
  world.add_nodes(1, 4, 0, {"gpu"});
  const ApplicationId application = world.submit("a", "ann");
  world.harness().ask(application, {.demand = gib(1), .pending = 20});
  EXPECT_EQ(world.fill_all(), 16u) << "nothing on the labelled node";
  world.harness().ask(application, {.demand = gib(1), .pending = 20, .label = world.label("gpu")});
  EXPECT_EQ(world.fill_all(), 4u);
  EXPECT_EQ(world.used("root.a"), 16);
  EXPECT_EQ(world.used("root.a", "gpu"), 4);
}

TEST(CapacityPartition, QueuesWithoutAccessGetNothingThere) {
  CapacityWorld world(with_gpu());
  world.add_nodes(1, 8);
  world.add_nodes(1, 8, 0, {"gpu"});
  const ApplicationId application = world.submit("b", "ann");
  world.harness().ask(application, {.demand = gib(1), .pending = 1, .label = world.label("gpu")});
  EXPECT_EQ(world.fill_all(), 0u);
  EXPECT_EQ(world.why(application), "queue root.b may not use nodes with label gpu");
}

TEST(CapacityPartition, AQueuesDefaultLabelIsThatOfAsksWithoutOne) {
  CapacityWorld world(with_gpu({{"root.a.default-node-label-expression", "gpu"}}));
  world.add_nodes(1, 8);
  world.add_nodes(1, 4, 0, {"gpu"});
  const ApplicationId application = world.submit("a", "ann");
  world.ask(application, 1, 20);
  EXPECT_EQ(world.fill_all(), 4u);
  EXPECT_EQ(world.used("root.a", "gpu"), 4);
  EXPECT_EQ(world.used("root.a"), 0);
}

TEST(CapacityPartition, AnApplicationMayAskInSeveral) {
  CapacityWorld world(with_gpu());
  world.add_nodes(1, 8);
  world.add_nodes(1, 4, 0, {"gpu"});
  const ApplicationId application = world.submit("a", "ann");
  world.harness().ask(application,
                      {.demand = gib(1), .pending = 2, .priority = 1, .label = world.label("gpu")});
  world.harness().ask(application, {.demand = gib(1), .pending = 1, .priority = 2});
  EXPECT_EQ(world.beat(0), "a1:n0");
  EXPECT_EQ(world.beat(1), "a0:n1");
}

TEST(CapacityPartition, LimitsHoldPerPartition) {
  CapacityWorld world(with_gpu({{"root.a.accessible-node-labels.gpu.maximum-capacity", "50"},
                                {"root.a.accessible-node-labels.gpu.capacity", "50"},
                                {"root.b.accessible-node-labels", "gpu"},
                                {"root.b.accessible-node-labels.gpu.capacity", "50"}}));
  world.add_nodes(1, 8);
  world.add_nodes(1, 8, 0, {"gpu"});
  const ApplicationId application = world.submit("a", "ann");
  world.harness().ask(application, {.demand = gib(1), .pending = 20, .label = world.label("gpu")});
  EXPECT_EQ(world.fill_all(), 4u) << "half of the labelled 8";
}

// ---- gangs ----

TEST(CapacityGang, TakesItsTurnWholeWithinTheQueuesLimit) {
  CapacityWorld world(one_queue());
  world.add_nodes(3, 8);
  const ApplicationId first = world.submit("a", "ann");
  const AskId filler = world.ask(first, 1, 4);
  world.fill(NodeId(0u));
  world.harness().ask(world.submit("a", "bob"), {.demand = gib(2), .pending = 10, .gang = true});
  EXPECT_EQ(world.beat(1), "a1:n0x2 a1:n1x4 a1:n2x4");
  EXPECT_EQ(world.used("root.a"), 24);
  world.harness().close(filler);
}

TEST(CapacityGang, LargerThanTheQueuesMaximumWaits) {
  CapacityWorld world({{"root.queues", "a,b"},
                       {"root.a.capacity", "50"},
                       {"root.a.maximum-capacity", "50"},
                       {"root.b.capacity", "50"},
                       {"user-limit-factor", "10"},
                       {"maximum-am-resource-percent", "1"}});
  world.add_nodes(2, 8);
  const ApplicationId application = world.submit("a", "ann");
  world.harness().ask(application, {.demand = gib(3), .pending = 3, .gang = true});
  EXPECT_EQ(world.fill_all(), 0u);
  EXPECT_EQ(world.why(application),
            "queue root.a uses 0 MiB of at most 8192 MiB, and the next container takes 9216 MiB");
}

// ---- what else can happen ----

TEST(CapacityOffers, RefusedProposalsAreTakenBack) {
  CapacityWorld world(one_queue());
  world.add_nodes(2, 8);
  world.ask(world.submit("a", "ann"), 1, 3);
  world.harness().ask(world.submit("a", "bob"), {.demand = gib(2), .pending = 2, .gang = true});
  world.harness().refuse_next(1);
  EXPECT_EQ(world.beat(0), "");
  EXPECT_EQ(world.used("root.a"), 0);
  EXPECT_EQ(world.fill_all(), 4u) << "three, and the gang in one container";
  EXPECT_EQ(world.used("root.a"), 7);
}

TEST(CapacityOffers, ALostNodesContainersNoLongerCount) {
  CapacityWorld world(one_queue());
  world.add_nodes(2, 8);
  world.ask(world.submit("a", "ann"), 1, 16);
  world.fill_all();
  world.harness().remove_node(NodeId(1u));
  world.harness().decide();
  world.verify();
  EXPECT_EQ(world.used("root.a"), 8);
  world.harness().bring_back(NodeId(1u));
  world.harness().decide();
  EXPECT_EQ(world.use("root.a").figures.guaranteed, gib(16));
}

TEST(CapacityOffers, ContainersAboveTheMaximumAllocationAreNeverGiven) {
  CapacityWorld world(one_queue(), {{"maximum_allocation_mib", "4096"}});
  world.add_nodes(1, 8);
  const ApplicationId application = world.submit("a", "ann");
  world.ask(application, 5, 1);
  EXPECT_EQ(world.fill_all(), 0u);
  EXPECT_EQ(world.why(application),
            "it asks for containers of 5120 MiB, and the maximum allocation is 4096 MiB");
  EXPECT_FALSE(world.scheduler().heartbeat_interest().any);
}

TEST(CapacityOffers, HeartbeatsMatterWhileSomethingIsWantedOrReserved) {
  CapacityWorld world(one_queue());
  world.add_nodes(2, 8);
  EXPECT_FALSE(world.scheduler().heartbeat_interest().any);
  fill_six_each(world, world.submit("a", "ann"));
  EXPECT_FALSE(world.scheduler().heartbeat_interest().any);
  world.ask(world.submit("a", "bob"), 4, 1);
  world.harness().decide();
  EXPECT_EQ(world.scheduler().heartbeat_interest().minimum, Resources(0, 1'024));
  world.beat(0);
  EXPECT_EQ(world.scheduler().heartbeat_interest().minimum, Resources());
}

}  // namespace
}  // namespace tracebed
