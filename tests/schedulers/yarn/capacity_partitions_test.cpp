// Nodes with labels under the Capacity scheduler: who may use them, and labels that are shared.
// Figures are worked by hand.
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

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

// Queue a has nothing of the nodes without a label, and a fifth of those with one.
// Proves: 3.3.maximum-of-labels
TEST(CapacityPartition, ALeafTakesApplicationsByItsLargestPart) {
  CapacityWorld world({{"root.queues", "a,b"},
                       {"root.a.capacity", "0"},
                       {"root.b.capacity", "100"},
                       {"root.a.accessible-node-labels", "gpu"},
                       {"root.a.accessible-node-labels.gpu.capacity", "20"},
                       {"root.b.accessible-node-labels", "gpu"},
                       {"root.b.accessible-node-labels.gpu.capacity", "80"},
                       {"maximum-applications", "10"},
                       {"maximum-am-resource-percent", "1"}});
  world.add_nodes(1, 8);
  world.add_nodes(1, 8, 0, {"gpu"});
  const auto maximum = [&](const char* path) {
    return world.state().leaf(world.index_of(path)).maximum_applications;
  };
  EXPECT_EQ(maximum("root.a"), 2);
  EXPECT_EQ(maximum("root.b"), 10);
  world.submit("a", "ann");
  world.submit("a", "ann");
  EXPECT_EQ(world.harness().rejection(world.submit("a", "ann")),
            "queue root.a has 2 applications already, of at most 2");
  EXPECT_EQ(world.figure("root.a", "Max Applications"), "2");
}

// RMAppManager.validateAndCreateResourceRequest: what the ask names itself comes first, then
// yarn.node-labels.am.default-node-label-expression, then the queue's default.
TEST(CapacityPartition, MastersWithoutALabelGoToThatOfTheSite) {
  const Lines queues = with_gpu({{"root.a.default-node-label-expression", ""}});
  for (const bool is_set : {true, false}) {
    CapacityWorld world(queues, {{"master_label", is_set ? "gpu" : ""}});
    world.add_nodes(1, 8);
    world.add_nodes(1, 4, 0, {"gpu"});
    const ApplicationId application = world.submit("a", "ann", 0, gib(1));
    world.harness().ask(application, {.demand = gib(1), .pending = 1, .is_master = true});
    world.harness().ask(application, {.demand = gib(1), .pending = 2, .priority = 2});
    EXPECT_EQ(world.fill_all(), 3u);
    EXPECT_EQ(world.used("root.a", "gpu"), is_set ? 1 : 0);
    EXPECT_EQ(world.used("root.a"), is_set ? 2 : 3);
  }
}

// SchedulerUtils.checkQueueLabelExpression
TEST(CapacityPartition, MastersMayNotHaveALabelThatTheirQueueMayNotUse) {
  CapacityWorld world(with_gpu({{"root.b.accessible-node-labels", " "}}),
                      {{"master_label", "gpu"}});
  world.add_nodes(1, 8, 0, {"gpu"});
  EXPECT_EQ(world.harness().rejection(world.submit("b", "ann", 0, gib(1))),
            "queue root.b may not use nodes with label gpu, which its master's container would "
            "have");
  EXPECT_EQ(world.harness().rejection(world.submit("b", "ann")), "") << "it has no master there";
  EXPECT_EQ(world.harness().rejection(world.submit("a", "ann", 0, gib(1))), "");
}

// The label is one that no node and no queue has named before.
TEST(CapacityPartition, MastersWaitForNodesWithALabelThatIsNotThere) {
  CapacityWorld world(with_gpu({{"root.b.accessible-node-labels", "*"}}),
                      {{"master_label", "ssd"}});
  world.add_nodes(1, 8);
  const ApplicationId application = world.submit("b", "ann", 0, gib(1));
  world.harness().ask(application, {.demand = gib(1), .pending = 1, .is_master = true});
  EXPECT_EQ(world.fill_all(), 0u);
}

// Proves: 3.6.exclusive
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

// Proves: 3.6.exclusive
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

// ---- labels that are not exclusive ----

const SettingValues gpu_is_shared = {{"non_exclusive_labels", "gpu"}};

// Two plain nodes, full, and a labelled one: three in all. An ask without a label takes the
// labelled one at the third offer of a node that could be its.
// Proves: 3.6.not-exclusive, 3.6.default-first
TEST(CapacitySharedLabel, ServesAsksWithoutALabelAfterPlainNodesHadTheirChance) {
  CapacityWorld world(with_gpu(), gpu_is_shared);
  world.add_nodes(2, 1);
  world.add_nodes(1, 4, 0, {"gpu"});
  const ApplicationId application = world.submit("b", "ann");
  world.ask(application, 1, 2);
  EXPECT_EQ(world.beat(0), "a0:n0");
  EXPECT_EQ(world.beat(1), "a0:n1");
  world.ask(application, 1, 3);
  EXPECT_EQ(world.beat(2), "") << "1";
  EXPECT_EQ(world.beat(2), "") << "2";
  EXPECT_EQ(world.beat(2), "a1:n2") << "3, though queue b may not use the label";
  EXPECT_EQ(world.used("root.b", "gpu"), 1);
  EXPECT_EQ(world.used("root.b"), 2);
  EXPECT_EQ(world.beat(2), "a1:n2") << "the counter stands";
  world.end_one(application);
  EXPECT_EQ(world.beat(0), "a1:n0") << "and a plain node sets it back";
  CapacityWorld exclusive(with_gpu());
  exclusive.add_nodes(1, 4, 0, {"gpu"});
  exclusive.ask(exclusive.submit("b", "ann"), 1, 3);
  EXPECT_EQ(exclusive.fill_all(), 0u);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(exclusive.beat(0), "");
}

// Proves: 3.6.exclusive, 3.6.not-exclusive
TEST(CapacitySharedLabel, BelongsFirstToThoseWhoNameIt) {
  CapacityWorld world(with_gpu(), gpu_is_shared);
  world.add_nodes(1, 4, 0, {"gpu"});
  const ApplicationId plain = world.submit("b", "ann");
  const ApplicationId labelled = world.submit("a", "bob");
  world.ask(plain, 1, 9);
  world.harness().ask(labelled, {.demand = gib(1), .pending = 2, .label = world.label("gpu")});
  EXPECT_EQ(world.beat(0), "a1:n0");
  EXPECT_EQ(world.beat(0), "a1:n0");
  EXPECT_EQ(world.beat(0), "a0:n0") << "now nobody with the label wants anything";
}

// Proves: 3.6.no-masters
TEST(CapacitySharedLabel, TakesNoMastersThatDoNotNameIt) {
  CapacityWorld world(with_gpu(), gpu_is_shared);
  world.add_nodes(1, 4, 0, {"gpu"});
  const ApplicationId application = world.submit("b", "ann", 0, gib(1));
  world.harness().ask(application, {.demand = gib(1), .pending = 1, .is_master = true});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(world.beat(0), "");
}

// b has no part of the label's nodes, and a user limit of its guarantee, which is nothing there:
// yet it may fill them.
// Proves: 3.6.limits
TEST(CapacitySharedLabel, IsAllForTheQueueThatHasNoPartOfIt) {
  CapacityWorld world(with_gpu({{"root.b.user-limit-factor", "1"}}), gpu_is_shared);
  world.add_nodes(1, 8, 0, {"gpu"});
  world.ask(world.submit("b", "ann"), 1, 9);
  EXPECT_EQ(world.fill_all(), 8u);
  EXPECT_EQ(world.used("root.b", "gpu"), 8);
}

// Both want plain nodes, of which there are none. a may use the label, so it is first on its node,
// though b is before it in the file and uses nothing either.
// Proves: 3.2.accessible-first
TEST(CapacitySharedLabel, OffersItsNodesFirstToQueuesThatMayUseIt) {
  Lines lines = with_gpu();
  lines[0].second = "b,a";
  CapacityWorld world(lines, gpu_is_shared);
  world.add_nodes(1, 8, 0, {"gpu"});
  world.ask(world.submit("b", "ann"), 1, 2);
  world.ask(world.submit("a", "bob"), 1, 2);
  EXPECT_EQ(world.beat(0), "a1:n0");
}

}  // namespace
}  // namespace tracebed
