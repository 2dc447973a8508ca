// Which queue an application goes to, whether it may, and whether it runs or waits.
#include <gmock/gmock.h>

#include "schedulers/yarn/fair_story.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string rules(const std::string& text) {
  return "<queue name='default'/><queue name='sales'/>"
         "<queue name='groups' type='parent'/>"
         "<queuePlacementPolicy>" +
         text + "</queuePlacementPolicy>";
}

// ---- placement rules ----

TEST(FairPlacement, WithoutRulesTheNamedQueueAndThenTheUsersAreCreated) {
  FairStory story;
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice", .queue = "a.b"})), "root.a.b");
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice", .queue = "root.a.c"})), "root.a.c");
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice"})), "root.alice");
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice", .queue = "default"})), "root.alice");
  EXPECT_EQ(story.queue_of(story.submit({.user = "j.doe"})), "root.j_dot_doe");
}

TEST(FairPlacement, WithoutUserAsDefaultQueueTheDefaultQueueIsTaken) {
  FairStory story("", {{"user_as_default_queue", "false"}});
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice"})), "root.default");
}

TEST(FairPlacement, WithoutUndeclaredPoolsOnlyDeclaredQueuesAreTaken) {
  FairStory story("<queue name='sales'/><queue name='bob'/>",
                  {{"allow_undeclared_pools", "false"}});
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice", .queue = "sales"})), "root.sales");
  EXPECT_EQ(story.queue_of(story.submit({.user = "bob", .queue = "absent"})), "root.bob");
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice", .queue = "absent"})), "root.default");
}

// Proves: 5.2.placement
TEST(FairPlacement, TheFirstRuleThatNamesAQueueCounts) {
  FairStory story(rules("<rule name='specified' create='false'/>"
                        "<rule name='primaryGroup' create='false'/>"
                        "<rule name='secondaryGroupExistingQueue'/>"
                        "<rule name='user' create='false'/><rule name='default'/>"),
                  {{"groups", "alice=sales, bob=staff+sales"}});
  EXPECT_EQ(story.queue_of(story.submit({.user = "carol", .queue = "sales"})), "root.sales");
  EXPECT_EQ(story.queue_of(story.submit({.user = "carol", .queue = "absent"})), "root.default");
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice"})), "root.sales");
  EXPECT_EQ(story.queue_of(story.submit({.user = "bob"})), "root.sales");
  // Who has no groups listed has one with the user's own name.
  EXPECT_EQ(story.queue_of(story.submit({.user = "sales"})), "root.sales");
}

TEST(FairPlacement, ANestedRuleNamesTheQueueAboveTheUsers) {
  FairStory story(rules("<rule name='nestedUserQueue'><rule name='specified' create='false'/>"
                        "</rule><rule name='nestedUserQueue'><rule name='primaryGroup'/></rule>"),
                  {{"groups", "alice=staff"}});
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice", .queue = "groups"})),
            "root.groups.alice");
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice"})), "root.staff.alice");
  // sales is a leaf, so nothing can be nested there, and the next rule counts.
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice", .queue = "sales"})), "root.staff.alice");
}

TEST(FairPlacement, ARuleMayReject) {
  FairStory story(rules("<rule name='specified' create='false'/><rule name='reject'/>"));
  EXPECT_EQ(story.queue_of(story.submit({.queue = "absent"})),
            "rejected: the placement rules reject it");
}

TEST(FairPlacement, TheDefaultRuleMayNameAQueue) {
  FairStory story(rules("<rule name='default' queue='sales'/>"));
  EXPECT_EQ(story.queue_of(story.submit()), "root.sales");
}

TEST(FairPlacement, QueuesThatCannotBeLeavesAreRefused) {
  FairStory story(rules("<rule name='specified'/><rule name='reject'/>"));
  EXPECT_EQ(story.queue_of(story.submit({.queue = "groups"})),
            "rejected: root.groups is not a leaf queue");
  EXPECT_EQ(story.queue_of(story.submit({.queue = "sales.below"})),
            "rejected: root.sales.below is not a leaf queue");
  EXPECT_EQ(story.queue_of(story.submit({.queue = ".sales"})),
            "rejected: \".sales\" is not a valid queue name");
  EXPECT_EQ(story.queue_of(story.submit({.queue = "a..b"})),
            "rejected: \"a..b\" is not a valid queue name");
}

// The default policy is drf, which may not stand below fair.
// Proves: 5.2.policy-on-demand
TEST(FairPlacement, AQueueWhosePolicyIsNotAllowedIsNotCreated) {
  FairStory story(
      "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
      "<queue name='f' type='parent'><schedulingPolicy>fair</schedulingPolicy></queue>");
  EXPECT_EQ(story.queue_of(story.submit({.queue = "f.x"})),
            "rejected: root.f.x is not a leaf queue");
  EXPECT_EQ(story.queue_of(story.submit({.queue = "x"})), "root.x");
}

TEST(FairPlacement, WhereNothingHasANameAllIsOfOneUserAndQueue) {
  auto made = FairScheduler::make({});
  ASSERT_TRUE(made.has_value());
  PolicyHarness harness(**made);
  harness.submit();
  harness.decide();
  const SchedulerView view = (*made)->view(harness.cluster());
  ASSERT_EQ(view.applications.size(), 1u);
  EXPECT_EQ(view.applications[0].queue, "root.anonymous");
}

// ---- rights ----

// Proves: 5.2.acl
TEST(FairAcls, WhoMaySubmitToAQueueOrAboveMaySubmit) {
  FairStory story(
      "<queue name='root'><aclSubmitApps>boss</aclSubmitApps><aclAdministerApps> "
      "</aclAdministerApps>"
      "<queue name='a'><aclSubmitApps>alice staff</aclSubmitApps></queue>"
      "<queue name='b'><aclAdministerApps>carol</aclAdministerApps></queue></queue>",
      {{"groups", "dave=staff"}});
  EXPECT_EQ(story.queue_of(story.submit({.user = "alice", .queue = "a"})), "root.a");
  EXPECT_EQ(story.queue_of(story.submit({.user = "dave", .queue = "a"})), "root.a");
  EXPECT_EQ(story.queue_of(story.submit({.user = "boss", .queue = "a"})), "root.a");
  EXPECT_EQ(story.queue_of(story.submit({.user = "carol", .queue = "b"})), "root.b");
  EXPECT_EQ(story.queue_of(story.submit({.user = "carol", .queue = "a"})),
            "rejected: user carol may not submit to queue root.a");
}

TEST(FairAcls, AMasterThatCouldNeverHaveWhatItAsksForIsRejected) {
  FairStory story("<queue name='a'><maxResources>0 mb, 0 vcores</maxResources></queue>");
  story.nodes(1, {8'000, 8'192});
  EXPECT_THAT(story.queue_of(story.submit({.queue = "a", .master = {1'000, 1'024}})),
              HasSubstr("of which queue root.a may use nothing"));
}

// ---- queues on demand ----

TEST(FairQueuesOnDemand, GoWhenTheyAreEmptyAndLookedFor) {
  FairStory story("<queue name='kept'/>");
  const ApplicationId a = story.submit({.queue = "p.x"});
  const ApplicationId b = story.submit({.queue = "kept"});
  EXPECT_EQ(story.figure("root.p.x", "Created On Demand"), "true");
  EXPECT_EQ(story.figure("root.kept", "Created On Demand"), "false");
  story.harness().advance(seconds(25));
  story.harness().finish(a);
  story.harness().finish(b);
  story.harness().advance(milliseconds(4'999));
  EXPECT_TRUE(story.has_queue("root.p.x"));
  story.harness().advance(milliseconds(1));
  EXPECT_FALSE(story.has_queue("root.p.x"));
  EXPECT_FALSE(story.has_queue("root.p"));
  EXPECT_TRUE(story.has_queue("root.kept"));
  EXPECT_EQ(story.harness().wake_at(), never);
}

// Proves: G5.queues-stay
TEST(FairQueuesOnDemand, Hadoop20NeverRemovesThem) {
  FairStory story("", {{"semantics", "hadoop-2.0"}});
  story.harness().finish(story.submit({.queue = "x"}));
  story.harness().advance(seconds(60));
  EXPECT_TRUE(story.has_queue("root.x"));
}

// maxChildResources is for children without a maximum of their own, so for those on demand.
// Proves: 5.2.children-maximum, 5.2.top-level
TEST(FairQueuesOnDemand, TakeTheDefaults) {
  FairStory story(
      "<queueMaxAppsDefault>3</queueMaxAppsDefault>"
      "<queueMaxResourcesDefault>4096 mb, 4 vcores</queueMaxResourcesDefault>"
      "<queue name='p' type='parent'><maxChildResources>2048 mb, 2 vcores</maxChildResources>"
      "</queue>");
  story.submit({.queue = "p.x"});
  story.submit({.queue = "y"});
  EXPECT_EQ(story.figure("root.p.x", "Max Resources"), "memory: 2048, vCores: 2");
  EXPECT_EQ(story.figure("root.y", "Max Resources"), "memory: 4096, vCores: 4");
  EXPECT_EQ(story.figure("root.y", "Max Running Applications"), "3");
}

// ---- how many run ----

// Proves: 5.5.running-limit
TEST(FairRunningLimits, Section55AQueueRunsAsManyAsItMay) {
  FairStory story("<queue name='a'><maxRunningApps>1</maxRunningApps></queue>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  const ApplicationId first = story.run({.queue = "a"}, {.pending = 9});
  const ApplicationId second = story.run({.queue = "a"}, {.pending = 9});
  EXPECT_EQ(story.beat(node, 2), "0 0");
  EXPECT_THAT(story.queue("root.a").active, ElementsAre(first));
  EXPECT_THAT(story.queue("root.a").waiting, ElementsAre(second));
  EXPECT_EQ(story.why(second), "running_limit: queue root.a runs 1 of at most 1 applications\n");
  story.harness().finish(first);
  EXPECT_EQ(story.beat(node), "1");
}

// Proves: 5.5.running-limit
TEST(FairRunningLimits, Section55AUserRunsAsManyAsAllowed) {
  FairStory story(
      "<userMaxAppsDefault>1</userMaxAppsDefault>"
      "<user name='bob'><maxRunningApps>2</maxRunningApps></user>");
  const ApplicationId a1 = story.submit({.user = "alice", .queue = "a"});
  const ApplicationId a2 = story.submit({.user = "alice", .queue = "b"});
  const ApplicationId b1 = story.submit({.user = "bob", .queue = "a"});
  const ApplicationId b2 = story.submit({.user = "bob", .queue = "b"});
  const ApplicationId b3 = story.submit({.user = "bob", .queue = "c"});
  EXPECT_TRUE(story.is_running(a1) && story.is_running(b1) && story.is_running(b2));
  EXPECT_FALSE(story.is_running(a2));
  EXPECT_FALSE(story.is_running(b3));
  EXPECT_EQ(story.why(b3), "running_limit: user bob runs 2 of at most 2 applications\n");
  story.harness().finish(b1);
  story.harness().decide();
  EXPECT_TRUE(story.is_running(b3));
  EXPECT_FALSE(story.is_running(a2));
}

// Section 5.5: on a removal the oldest waiting application under the highest ancestor that was
// full runs, cousins included.
// Proves: 5.5.running-limit-end
TEST(FairRunningLimits, Section55AnEndLetsACousinRun) {
  FairStory story(
      "<queue name='p'><maxRunningApps>1</maxRunningApps>"
      "<queue name='x'/><queue name='y'/></queue>");
  const ApplicationId first = story.submit({.queue = "p.x"});
  const ApplicationId cousin = story.submit({.queue = "p.y"});
  const ApplicationId later = story.submit({.queue = "p.x"});
  EXPECT_EQ(story.why(later), "running_limit: queue root.p runs 1 of at most 1 applications\n");
  story.harness().finish(first);
  story.harness().decide();
  EXPECT_TRUE(story.is_running(cousin));
  EXPECT_FALSE(story.is_running(later));
  story.scheduler().verify();
}

// Proves: G6.parents-do-not-bind
TEST(FairRunningLimits, Hadoop20AncestorsDoNotBind) {
  FairStory story(
      "<queue name='p'><maxRunningApps>1</maxRunningApps>"
      "<queue name='x'/><queue name='y'/></queue>",
      {{"ancestor_limits", "ignore"}});
  EXPECT_TRUE(story.is_running(story.submit({.queue = "p.x"})));
  EXPECT_TRUE(story.is_running(story.submit({.queue = "p.y"})));
}

TEST(FairRunningLimits, AWaitingApplicationMayEndToo) {
  FairStory story("<queue name='a'><maxRunningApps>1</maxRunningApps></queue>");
  story.submit({.queue = "a"});
  const ApplicationId second = story.submit({.queue = "a"});
  const ApplicationId third = story.submit({.queue = "a"});
  story.harness().finish(second);
  story.harness().decide();
  EXPECT_THAT(story.queue("root.a").waiting, ElementsAre(third));
  story.scheduler().verify();
}

// ---- why something waits, and what is told ----

TEST(FairWaiting, TellsOfMachinesAndRoom) {
  FairStory story("<queue name='a'/>");
  const auto nodes = story.nodes(2, {4'000, 4'096});
  const ApplicationId huge = story.run({.queue = "a"}, {.demand = {8'000, 1'024}});
  EXPECT_EQ(
      story.why(huge),
      "larger_machines: it asks for (memory: 1024, vCores: 8), which none of the 2 nodes that "
      "it may take could ever hold\n");
  story.run({.queue = "a"}, {.demand = {4'000, 4'096}, .pending = 2});
  EXPECT_EQ(story.beat(nodes[0]) + story.beat(nodes[1]), "11");
  const ApplicationId next = story.run({.queue = "a"}, {});
  EXPECT_EQ(story.why(next),
            "room: none of the 2 nodes that could hold (memory: 1024, vCores: 1) "
            "has it free\n");
}

TEST(FairWaiting, TellsOfRoomThatIsKeptForOthers) {
  FairStory story;
  const NodeId node = story.nodes(1, {8'000, 4'096})[0];
  story.run({.queue = "a"}, {.pending = 9});
  EXPECT_EQ(story.beat(node, 3), "0 0 0");
  story.run({.queue = "b"}, {.demand = {1'000, 2'048}});
  EXPECT_EQ(story.beat(node), "");
  EXPECT_EQ(story.why(ApplicationId(0u)),
            "reservation: 1 nodes have room for (memory: 1024, vCores: 1), and are kept for other "
            "applications\n");
}

// b's queue uses less, and in a the second application does.
TEST(FairWaiting, TellsWhoseTurnItIs) {
  FairStory story("<queue name='a'/><queue name='b'/>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  const ApplicationId first = story.run({.queue = "a"}, {.pending = 2});
  EXPECT_EQ(story.beat(node), "0");
  const ApplicationId second = story.run({.queue = "a"});
  const ApplicationId third = story.run({.queue = "b"});
  EXPECT_EQ(story.why(first),
            "its_turn: 1 applications of queue root.a are offered the next node before it\n"
            "its_turn: 1 queues below root are offered it before root.a\n");
  EXPECT_THAT(story.queue("root.a").active, ElementsAre(second, first));
  EXPECT_EQ(story.scheduler().view(story.harness().cluster()).queues[1].queue.path, "root.b");
  EXPECT_EQ(story.beat(node), "2");
  EXPECT_EQ(story.why(third), "") << "it has what it wants";
}

// ---- another file ----

TEST(FairReload, ALargerLimitLetsWaitingApplicationsRunInTheOrderOfSubmission) {
  FairStory story("<queue name='a'><maxRunningApps>1</maxRunningApps></queue>");
  std::vector<ApplicationId> all;
  for (int i = 0; i < 4; ++i) all.push_back(story.submit({.queue = "a"}));
  ASSERT_TRUE(story.reconfigure("<queue name='a'><maxRunningApps>3</maxRunningApps></queue>"));
  EXPECT_THAT(story.queue("root.a").active, ElementsAre(all[0], all[1], all[2]));
  EXPECT_THAT(story.queue("root.a").waiting, ElementsAre(all[3]));
  ASSERT_TRUE(story.reconfigure("<queue name='a'><maxRunningApps>1</maxRunningApps></queue>"));
  EXPECT_THAT(story.queue("root.a").active, ElementsAre(all[0], all[1], all[2]))
      << "nobody stops running for it";
}

TEST(FairReload, AWrongFileLeavesTheOldOneInForce) {
  FairStory story("<queue name='a'><weight>2</weight></queue>");
  const Status status = story.reconfigure("<queue name='a'><weight>heavy</weight></queue>");
  ASSERT_FALSE(status.has_value());
  EXPECT_THAT(status.error().message, HasSubstr("fair.xml:1: <weight>: expected a number"));
  EXPECT_EQ(story.figure("root.a", "weight"), "2.0");
  story.set("update_interval_ms", "soon");
  EXPECT_FALSE(story.reconfigure("<queue name='a'><weight>3</weight></queue>").has_value());
  EXPECT_EQ(story.figure("root.a", "weight"), "2.0");
}

TEST(FairReload, QueuesThatVanishStayWhileTheyHoldApplications) {
  FairStory story("<queue name='a'/><queue name='b'/>");
  const ApplicationId held = story.submit({.queue = "a"});
  ASSERT_TRUE(story.reconfigure("<queue name='c'/>"));
  story.submit({.queue = "c"});
  EXPECT_EQ(story.queue_of(held), "root.a");
  EXPECT_EQ(story.figure("root.a", "Created On Demand"), "true");
  EXPECT_TRUE(story.has_queue("root.c"));
  story.harness().advance(seconds(10));
  EXPECT_FALSE(story.has_queue("root.b")) << "it was empty";
  EXPECT_TRUE(story.has_queue("root.a"));
  story.harness().finish(held);
  story.harness().advance(seconds(10));
  EXPECT_FALSE(story.has_queue("root.a"));
}

TEST(FairReload, OtherPlacementRulesHoldFromThenOn) {
  FairStory story("<queue name='a'/><queue name='b'/>");
  EXPECT_EQ(story.queue_of(story.submit({.queue = "a"})), "root.a");
  ASSERT_TRUE(
      story.reconfigure("<queue name='a'/><queue name='b'/><queuePlacementPolicy>"
                        "<rule name='default' queue='b'/></queuePlacementPolicy>"));
  EXPECT_EQ(story.queue_of(story.submit({.queue = "a"})), "root.b");
}

// root.a is to become a parent, but it is a leaf with an application: that comes later.
TEST(FairReload, ALeafBecomesAParentOnceItIsEmpty) {
  FairStory story("<queue name='a'/>");
  const ApplicationId held = story.submit({.queue = "a"});
  ASSERT_TRUE(story.reconfigure("<queue name='a'><queue name='x'/></queue><queue name='b'/>"));
  story.submit({.queue = "b"});
  EXPECT_TRUE(story.queue("root.a").queue.is_leaf);
  story.harness().advance(seconds(10));
  EXPECT_TRUE(story.queue("root.a").queue.is_leaf);
  story.harness().finish(held);
  story.harness().advance(seconds(20));
  EXPECT_FALSE(story.queue("root.a").queue.is_leaf);
  EXPECT_TRUE(story.has_queue("root.a.x"));
  EXPECT_EQ(story.queue_of(story.submit({.queue = "a.x"})), "root.a.x");
}

TEST(FairReload, AQueueInUseThatWouldGetAPolicyThatIsNotAllowedIsNotDropped) {
  FairStory story("<queue name='p' type='parent'/>");
  story.submit({.queue = "p.x"});
  const Status status = story.reconfigure(
      "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
      "<queue name='p' type='parent'><schedulingPolicy>fair</schedulingPolicy></queue>");
  ASSERT_FALSE(status.has_value());
  EXPECT_THAT(status.error().message, HasSubstr("queue root.p.x still has applications"));
}

// With queueMaxAppsDefault 0 nobody runs anything in a queue that he creates.
// Proves: A6.3.5.limits
TEST(FairRunningLimits, QueuesOnDemandMayBeHeldToNothing) {
  FairStory story(
      "<queueMaxAppsDefault>0</queueMaxAppsDefault><userMaxAppsDefault>1</userMaxAppsDefault>"
      "<queue name='a'><maxRunningApps>9</maxRunningApps></queue>");
  EXPECT_FALSE(story.is_running(story.submit({.user = "alice", .queue = "made"})));
  EXPECT_TRUE(story.is_running(story.submit({.user = "alice", .queue = "a"})));
  EXPECT_FALSE(story.is_running(story.submit({.user = "alice", .queue = "a"})));
}

// Four GPUs; a may use one of them, by the name that the run gave them.
// Proves: 5.2.resource-types
TEST(FairAssignment, AnyResourceOfTheRunMayBeLimited) {
  SchedulerParameters parameters;
  parameters.dimensions = ResourceDimensions({"gpu"});
  parameters.documents["config"] = parse_xml(
      "<allocations><queue name='anonymous'><maxResources>memory-mb=8192, vcores=8, gpu=1"
      "</maxResources></queue></allocations>",
      "fair.xml");
  auto made = FairScheduler::make(parameters);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  PolicyHarness harness(**made);
  Resources capacity(8'000, 8'192);
  capacity[2] = 4;
  const NodeId node = harness.add_node(capacity);
  Resources demand(1'000, 1'024);
  demand[2] = 1;
  harness.submit_and_ask({.demand = demand, .pending = 3});
  EXPECT_EQ(harness.decide_at(node).size(), 1u);
  EXPECT_EQ(harness.decide_at(node).size(), 0u);
  parameters.dimensions = ResourceDimensions();
  EXPECT_FALSE(FairScheduler::make(parameters).has_value());
}

}  // namespace
}  // namespace tracebed
