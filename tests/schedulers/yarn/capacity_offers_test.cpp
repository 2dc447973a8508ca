// What becomes of a node that the Capacity scheduler is offered: locality by missed opportunities,
// asks that insist on their places, gangs, refusals. Figures are worked by hand.
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

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

// ---- room ----

// YARN-10848. Sixteen units of 1 GiB and a vcore on 16 GiB and four vcores; then none is left of
// the memory, and nobody says that vcores are short.
// Proves: 3.4.room
TEST(CapacityRoom, IsCountedInMemoryByTheMemoryCalculator) {
  CapacityWorld world(one_queue());
  const NodeId node = world.harness().add_node(Resources(4'000, 16'384));
  const ApplicationId application = world.submit("a", "ann");
  const AskId ask = world.harness().ask(application, {.pending = 20});
  EXPECT_EQ(world.fill(node), 16u);
  EXPECT_EQ(world.harness().cluster().node(node).free, Resources(-12'000, 0));
  EXPECT_EQ(world.scheduler().headroom(world.harness().cluster(), application), Resources());
  const auto reasons = world.scheduler().why_waiting(world.harness().cluster(), application, ask);
  ASSERT_FALSE(reasons.empty());
  EXPECT_EQ(reasons.back().text, "no node has 1024 MiB free");
}

// Room is freed where vcores are used several times over, and given again.
TEST(CapacityRoom, OfAReservationIsCountedAlike) {
  CapacityWorld world(one_queue());
  const NodeId node = world.harness().add_node(Resources(1'000, 4'096));
  world.harness().add_node(Resources(1'000, 4'096));
  const ApplicationId small = world.submit("a", "ann");
  world.harness().ask(small, {.pending = 4});
  EXPECT_EQ(world.fill(node), 4u);
  world.ask(world.submit("a", "bob"), 2, 1);
  world.end_one(small);
  EXPECT_EQ(world.fill(node), 0u);
  EXPECT_EQ(world.scheduler().view(world.harness().cluster()).reservations.size(), 1u);
  world.end_one(small);
  EXPECT_EQ(world.fill(node), 1u);
}

// Proves: 3.4.room
TEST(CapacityRoom, IsCountedInVcoresTooByTheDominantCalculator) {
  CapacityWorld world(
      one_queue({{"resource-calculator",
                  "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"}}));
  const NodeId node = world.harness().add_node(Resources(4'000, 16'384));
  world.harness().ask(world.submit("a", "ann"), {.pending = 20});
  EXPECT_EQ(world.fill(node), 4u);
}

TEST(CapacityRoom, IsWithinVcoresThatAreLimited) {
  CapacityWorld world(one_queue());
  world.harness().limit_vcores();
  const NodeId node = world.harness().add_node(Resources(4'000, 16'384));
  world.harness().ask(world.submit("a", "ann"), {.pending = 20});
  EXPECT_EQ(world.fill(node), 4u);
}

// YARN would not start; here GPUs limit as memory does.
TEST(CapacityRoom, IsLimitedByAThirdResource) {
  CapacityWorld world(one_queue(), {}, ResourceDimensions({"gpu"}));
  Resources capacity(4'000, 16'384);
  capacity[2] = 6;
  Resources unit(1'000, 1'024);
  unit[2] = 1;
  const NodeId node = world.harness().add_node(capacity);
  world.harness().ask(world.submit("a", "ann"), {.demand = unit, .pending = 20});
  EXPECT_EQ(world.fill(node), 6u);
}

// ---- locality ----

// Proves: 3.4.node-at-once
TEST(CapacityLocality, ANodeThatIsWantedIsTakenAtOnce) {
  CapacityWorld world(one_queue());
  add_two_racks(world);
  world.harness().ask(world.submit("a", "ann"), on_node_zero(2));
  EXPECT_EQ(world.beat(0), "a0:n0 a0:n0");
}

// Proves: 3.4.node-needs-rack
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
// Proves: 3.4.counter, 3.4.wait-factor, 3.4.any-keeps
TEST(CapacityLocality, OffSwitchIsTakenAfterAFactorOfTheNamesAndUnits) {
  CapacityWorld world(one_queue());
  add_two_racks(world);
  const AskId ask = world.harness().ask(world.submit("a", "ann"), on_node_zero(3));
  EXPECT_EQ(world.beat(1), "");
  EXPECT_EQ(world.missed(ask), 1u);
  EXPECT_EQ(world.beat(1), "a0:n1") << "off-switch: 2 > 1.5";
  EXPECT_EQ(world.missed(ask), 2u) << "off-switch never sets the counter back";
}

// Proves: 3.4.rack-delay, 3.4.additional-delay, 3.4.node-resets, 3.4.rack-resets, 3.4.any-keeps
// Proves: A6.2.1.delay
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

// Proves: 3.4.rack-resets
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

// Proves: G4.no-delay, G4.off-switch-by-hosts
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

// Proves: 3.2.waiting-for-place, 3.4.hides-lesser-asks
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

// Proves: 3.4.strict
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

// The delay is 40, but there are only two nodes in rack 0 and four in all.
// Proves: 3.4.rack-delay-by-nodes
TEST(CapacityLocality, NoMoreOffersAreDeclinedForARackThanThereAreNodes) {
  CapacityWorld world(one_queue({{"rack-locality-additional-delay", "100"}}));
  add_two_racks(world);
  world.harness().ask(world.submit("a", "ann"), on_node_zero(8));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(world.beat(1), "") << i;
  EXPECT_EQ(world.beat(1), "a0:n1") << "the fifth, which is more than 4";
}

// Of four nodes three names are asked for, and 20 units: 15 offers, but there are only four nodes.
// Proves: 3.4.wait-factor-by-nodes
TEST(CapacityLocality, NoMoreOffersAreDeclinedForAnyNodeThanThereAreNodes) {
  CapacityWorld world(one_queue());
  add_two_racks(world);
  AskFigures figures = on_node_zero(20);
  figures.nodes = {{NodeId(0u), 20}, {NodeId(1u), 20}};
  world.harness().ask(world.submit("a", "ann"), figures);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(world.beat(2), "") << i;
  EXPECT_EQ(world.beat(2), "a0:n2");
}

// ---- asks that insist on their places ----

AskFigures only_on(NodeId node, std::int64_t gibs, std::uint32_t units) {
  return {.demand = gib(gibs), .pending = units, .relax_locality = false, .nodes = {{node, units}}};
}

TEST(CapacityStrictAsks, HaveTheirTurnsAmongOthersWhereTheyAreAtHome) {
  CapacityWorld world(one_queue());
  add_two_racks(world);
  const ApplicationId first = world.submit("a", "ann");
  const ApplicationId second = world.submit("a", "ann");
  const ApplicationId third = world.submit("a", "ann");
  world.harness().ask(first, only_on(NodeId(0u), 1, 2));
  world.ask(second, 1, 2);
  world.harness().ask(third, only_on(NodeId(1u), 1, 2));
  EXPECT_EQ(world.beat(2), "a1:n2") << "nobody else named it";
  EXPECT_EQ(world.beat(0), "a0:n0 a0:n0 a1:n0");
  EXPECT_EQ(world.beat(1), "a2:n1 a2:n1");
  const SchedulerView view = world.scheduler().view(world.harness().cluster());
  EXPECT_EQ(view.queues[1].active.size(), 3u);
}

// The first application insists on node 0 and has the first turn everywhere: as its container of
// 4 GiB does not fit in the 2 GiB that the queue has left, it ends the queue's turn on node 1 too.
TEST(CapacityStrictAsks, ThatDoNotFitTheQueueStopItEverywhere) {
  CapacityWorld world({{"root.queues", "a,b"},
                       {"root.a.capacity", "50"},
                       {"root.a.maximum-capacity", "50"},
                       {"root.b.capacity", "50"},
                       {"user-limit-factor", "10"},
                       {"maximum-am-resource-percent", "1"}});
  world.add_nodes(2, 8);
  const ApplicationId first = world.submit("a", "ann");
  const ApplicationId second = world.submit("a", "ann");
  world.ask(second, 1, 6);
  EXPECT_EQ(world.fill_all(), 6u);
  const AskId strict = world.harness().ask(first, only_on(NodeId(0u), 4, 1));
  world.ask(second, 1, 1);
  EXPECT_EQ(world.beat(1), "");
  world.harness().close(strict);
  EXPECT_EQ(world.beat(1), "a2:n1");
}

TEST(CapacityStrictAsks, MayComeToNameOtherPlacesOrNone) {
  CapacityWorld world(one_queue());
  add_two_racks(world);
  const ApplicationId application = world.submit("a", "ann");
  const AskId ask = world.harness().ask(application, only_on(NodeId(0u), 1, 9));
  EXPECT_EQ(world.beat(2), "");
  Ask& model = world.harness().cluster().asks[ask];
  model.nodes = {{NodeId(2u), 9}};
  world.harness().set_pending(ask, 2);
  EXPECT_EQ(world.beat(0), "");
  EXPECT_EQ(world.beat(2), "a0:n2 a0:n2");
  model.relax_locality = true;
  model.nodes.clear();
  world.harness().set_pending(ask, 1);
  EXPECT_EQ(world.beat(3), "a0:n3");
}

// Node 1 matters to nobody, but its offers also tell a what the others leave it.
TEST(CapacityStrictAsks, WhatTheQueueMayUseIsKnownFromNodesThatNobodyNamedToo) {
  CapacityWorld world(halves);
  world.add_nodes(2, 8);
  const ApplicationId other = world.submit("b", "bob");
  world.ask(other, 1, 12);
  world.fill_all();
  const ApplicationId strict = world.submit("a", "ann");
  world.harness().ask(strict, only_on(NodeId(0u), 1, 1));
  const auto left = [&] {
    EXPECT_EQ(world.beat(1), "");
    return world.scheduler().headroom(world.harness().cluster(), strict);
  };
  EXPECT_EQ(left(), gib(4));
  EXPECT_EQ(left(), gib(4));
  world.end_one(other);
  EXPECT_EQ(left(), gib(5));
  EXPECT_EQ(world.beat(0), "a1:n0");
}

// ---- gangs ----

TEST(CapacityGang, TakesItsTurnWholeWithinTheQueuesLimit) {
  CapacityWorld world(one_queue());
  world.add_nodes(3, 8);
  const ApplicationId first = world.submit("a", "ann");
  const AskId filler = world.ask(first, 1, 4);
  world.fill(NodeId(0u));
  world.harness().ask(world.submit("a", "bob"),
                      {.demand = gib(2), .pending = 10, .kind = StageKind::gang});
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
  world.harness().ask(application, {.demand = gib(3), .pending = 3, .kind = StageKind::gang});
  EXPECT_EQ(world.fill_all(), 0u);
  EXPECT_EQ(world.why(application),
            "queue root.a uses 0 MiB of at most 8192 MiB, and the next container takes 9216 MiB");
}

// ---- what else can happen ----

TEST(CapacityOffers, RefusedProposalsAreTakenBack) {
  CapacityWorld world(one_queue());
  world.add_nodes(2, 8);
  world.ask(world.submit("a", "ann"), 1, 3);
  world.harness().ask(world.submit("a", "bob"),
                      {.demand = gib(2), .pending = 2, .kind = StageKind::gang});
  world.harness().refuse_next(1);
  EXPECT_EQ(world.beat(0), "");
  EXPECT_EQ(world.used("root.a"), 0);
  EXPECT_EQ(world.fill_all(), 4u) << "three, and the gang in one container";
  EXPECT_EQ(world.used("root.a"), 7);
}

// Proves: 8.node-removed
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
