// The Capacity scheduler's limits of users, application masters and numbers of applications, and
// its ACLs: stories whose figures are worked by hand.
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

// ---- User limits ----

TEST(CapacityUserLimit, HoldsAUserToTheQueuesGuaranteeTimesTheFactorAndOneContainer) {
  CapacityWorld world(with(halves, {{"root.a.user-limit-factor", "1"}}));
  world.add_nodes(4, 8);
  const ApplicationId application = world.submit("a", "ann");
  world.ask(application, 1, 100);
  EXPECT_EQ(world.fill_all(), 17u) << "16 is no more than the limit, so the next one is given";
  EXPECT_THAT(world.why(application),
              HasSubstr("user ann uses 17408 MiB of queue root.a, above the limit of 16384 MiB"));
}

// minimum-user-limit-percent 25: as users come, each may have at least an equal part, down to a
// quarter. Worked by UsersManager.computeUserLimit: guarantee 16, all users active.
TEST(CapacityUserLimit, ShrinksAsUsersCome) {
  CapacityWorld world(with(halves, {{"root.a.user-limit-factor", "1"},
                                    {"root.a.maximum-capacity", "50"},
                                    {"root.a.minimum-user-limit-percent", "25"}}));
  world.add_nodes(4, 8);
  const auto limit = [&](ApplicationId application) {
    world.harness().decide();
    return world.state().limit_of_user(*world.state().application(application), 0).memory_mib() /
           1'024;
  };
  const ApplicationId ann = world.submit("a", "ann");
  world.ask(ann, 1, 8);
  EXPECT_EQ(limit(ann), 4) << "nothing used: a quarter of 16";
  world.fill_all();
  EXPECT_EQ(world.used(ann), 8) << "its limit grows with its use, one container ahead";
  const ApplicationId bob = world.submit("a", "bob");
  world.ask(bob, 1, 100);
  world.ask(ann, 1, 100);
  EXPECT_EQ(limit(bob), 5) << "(8 + 1) / 2, up";
  world.fill_all();
  EXPECT_EQ(world.used(ann) + world.used(bob), 16) << "the queue's maximum";
  // At 8 and 6 the limit is (14 + 1) / 2, up: 8, which ann is not above.
  EXPECT_EQ(world.used(ann), 9);
  EXPECT_EQ(world.used(bob), 7);
}

TEST(CapacityUserLimit, TakesWeightsIntoAccount) {
  CapacityWorld world(with(halves, {{"root.a.user-limit-factor", "1"},
                                    {"root.a.maximum-capacity", "50"},
                                    {"root.a.minimum-user-limit-percent", "10"},
                                    {"root.a.user-settings.ann.weight", "3"}}));
  world.add_nodes(4, 8);
  const ApplicationId ann = world.submit("a", "ann");
  const ApplicationId bob = world.submit("a", "bob");
  world.ask(bob, 1, 100);
  world.ask(ann, 1, 100);
  world.fill_all();
  EXPECT_EQ(world.used("root.a"), 16);
  // A fourth of what both use and one, up, for bob, three times that for ann; either may be one
  // above: 7 : 1, 10 : 2, 13 : 3.
  EXPECT_EQ(world.used(ann), 13);
  EXPECT_EQ(world.used(bob), 3);
}

// What all users use together counts, of those too who want nothing: above the guarantee, half of
// 24 + 1.
TEST(CapacityUserLimit, GrowsWithTheQueueAboveItsGuarantee) {
  CapacityWorld world(with(halves, {{"root.a.minimum-user-limit-percent", "50"}}));
  world.add_nodes(4, 8);
  const ApplicationId ann = world.submit("a", "ann");
  world.ask(ann, 1, 24);
  EXPECT_EQ(world.fill_all(), 24u);
  const ApplicationId bob = world.submit("a", "bob");
  world.ask(bob, 1, 1);
  world.harness().decide();
  EXPECT_EQ(world.state().limit_of_user(*world.state().application(bob), 0).memory_mib(),
            13 * 1'024);
}

TEST(CapacityUserLimit, AUserOverItsLimitIsPassedOver) {
  CapacityWorld world(with(halves, {{"root.a.user-limit-factor", "0.5"}}));
  world.add_nodes(4, 8);
  const ApplicationId ann = world.submit("a", "ann");
  const ApplicationId bob = world.submit("a", "bob");
  world.ask(ann, 1, 100);
  world.ask(bob, 1, 100);
  world.fill_all();
  EXPECT_EQ(world.used(ann), 9);
  EXPECT_EQ(world.used(bob), 9);
}

TEST(CapacityUserLimit, HadoopTwoDividesAmongUsersInsteadOfByTheirUse) {
  const Lines lines = with(
      halves, {{"root.a.user-limit-factor", "1"}, {"root.a.minimum-user-limit-percent", "25"}});
  CapacityWorld world(lines, {{"user_limit", "users"}});
  world.add_nodes(4, 8);
  const ApplicationId ann = world.submit("a", "ann");
  world.ask(ann, 1, 100);
  const auto limit = [&] {
    return world.state().limit_of_user(*world.state().application(ann), 0).memory_mib() / 1'024;
  };
  world.harness().decide();
  EXPECT_EQ(limit(), 16) << "alone: all of the guarantee";
  const ApplicationId bob = world.submit("a", "bob");
  world.ask(bob, 1, 100);
  world.harness().decide();
  EXPECT_EQ(limit(), 8);
}

TEST(CapacityUserLimit, HeadroomIsWhatUserAndQueueHaveLeft) {
  CapacityWorld world(
      with(halves, {{"root.a.user-limit-factor", "1"}, {"root.a.maximum-capacity", "60"}}));
  world.add_nodes(4, 8);
  const ApplicationId ann = world.submit("a", "ann");
  world.ask(ann, 1, 10);
  world.fill_all();
  // The user has 16 − 10 left, the queue 19 − 10 (of 19.2, cut).
  EXPECT_EQ(world.scheduler().headroom(world.harness().cluster(), ann),
            gib(6) + Resources(16'000, 0))
      << "cores are not counted: what is free";
  const ApplicationId bob = world.submit("b", "bob");
  world.ask(bob, 1, 18);
  world.fill_all();
  EXPECT_EQ(world.scheduler().headroom(world.harness().cluster(), ann).memory_mib(), 4 * 1'024)
      << "no more than is free";
}

// ---- The limit on application masters ----

// Half of 32 GiB at 10 %: 1.6 of the guarantee; but the queue could use all 32: 3.2, up to 4 GiB.
TEST(CapacityMasterLimit, HoldsApplicationsWaiting) {
  CapacityWorld world(with(halves, {{"maximum-am-resource-percent", "0.1"}}));
  world.add_nodes(4, 8);
  std::vector<ApplicationId> applications;
  for (int i = 0; i < 6; ++i) applications.push_back(world.submit("a", "ann"));
  EXPECT_TRUE(world.is_active(applications[3])) << "each counts the minimum allocation of 1 GiB";
  EXPECT_FALSE(world.is_active(applications[4]));
  EXPECT_EQ(world.why(applications[4]),
            "masters of queue root.a use 4096 MiB, and with 1024 MiB more would be above 4096 MiB");
  world.ask(applications[4], 1, 1);
  EXPECT_EQ(world.fill_all(), 0u) << "one that waits gets nothing";
  world.finish(applications[0]);
  EXPECT_TRUE(world.is_active(applications[4]));
  EXPECT_EQ(world.fill_all(), 1u);
}

TEST(CapacityMasterLimit, LetsOneStartThoughItIsTooLarge) {
  CapacityWorld world(with(halves, {{"maximum-am-resource-percent", "0.01"}}));
  world.add_nodes(4, 8);
  const ApplicationId large = world.submit("a", "ann", 0, gib(6));
  const ApplicationId next = world.submit("a", "ann", 0, gib(1));
  EXPECT_TRUE(world.is_active(large));
  EXPECT_FALSE(world.is_active(next));
}

TEST(CapacityMasterLimit, PassesOverOneThatIsTooLarge) {
  CapacityWorld world(with(halves, {{"maximum-am-resource-percent", "0.1"}}));
  world.add_nodes(4, 8);
  const ApplicationId first = world.submit("a", "ann", 0, gib(2));
  const ApplicationId large = world.submit("a", "ann", 0, gib(3));
  const ApplicationId small = world.submit("a", "ann", 0, gib(2));
  EXPECT_TRUE(world.is_active(first));
  EXPECT_FALSE(world.is_active(large));
  EXPECT_TRUE(world.is_active(small));
}

// Of a user: guarantee 16 × 0.25 × max(25 %, 1 / users) × factor 1.
TEST(CapacityMasterLimit, HoldsTheApplicationsOfOneUser) {
  CapacityWorld world(
      with(halves, {{"maximum-am-resource-percent", "0.25"}, {"root.a.user-limit-factor", "0.5"}}));
  world.add_nodes(4, 8);
  const ApplicationId one = world.submit("a", "ann");
  const ApplicationId two = world.submit("a", "ann");
  const ApplicationId three = world.submit("a", "ann");
  const ApplicationId other = world.submit("a", "bob");
  EXPECT_TRUE(world.is_active(one));
  EXPECT_TRUE(world.is_active(two));
  EXPECT_FALSE(world.is_active(three));
  EXPECT_EQ(world.why(three),
            "masters of user ann in queue root.a use 2048 MiB, and with 1024 MiB more would be "
            "above 2048 MiB");
  EXPECT_TRUE(world.is_active(other));
}

TEST(CapacityMasterLimit, FollowsTheCluster) {
  CapacityWorld world(with(halves, {{"maximum-am-resource-percent", "0.1"}}));
  const ApplicationId one = world.submit("a", "ann");
  EXPECT_FALSE(world.is_active(one));
  EXPECT_EQ(world.why(one), "the cluster has no nodes");
  world.add_nodes(1, 8);
  EXPECT_TRUE(world.is_active(one));
  const ApplicationId two = world.submit("a", "ann");
  EXPECT_FALSE(world.is_active(two));
  world.add_nodes(3, 8);
  EXPECT_TRUE(world.is_active(two));
}

// The YARN analysis, section 6.2.2: 10 nodes of 4096 MiB, minimum allocation 512: at most 8.
TEST(CapacityMasterLimit, HadoopTwoCountsActiveApplications) {
  CapacityWorld world({{"root.queues", "a,b"},
                       {"root.a.capacity", "75"},
                       {"root.b.capacity", "25"},
                       {"root.a.user-limit-factor", "10"},
                       {"root.a.maximum-applications", "200"}},
                      {{"semantics", "hadoop-2.0"}, {"minimum_allocation_mib", "512"}});
  world.add_nodes(10, 4);
  std::vector<ApplicationId> applications;
  for (int i = 0; i < 10; ++i) applications.push_back(world.submit("a", "ann", 0, gib(2)));
  EXPECT_TRUE(world.is_active(applications[7]));
  EXPECT_FALSE(world.is_active(applications[8]));
  EXPECT_EQ(world.why(applications[8]), "queue root.a has 8 active applications of at most 8");
}

// ---- Maxima of applications ----

TEST(CapacityMaxima, RejectWithTheReason) {
  CapacityWorld world(with(halves, {{"root.a.maximum-applications", "3"},
                                    {"root.a.user-limit-factor", "0.7"},
                                    {"maximum-applications", "4"}}));
  world.add_nodes(1, 8);
  const auto rejection = [&](const std::string& queue, const std::string& user) {
    return world.harness().rejection(world.submit(queue, user));
  };
  EXPECT_EQ(rejection("a", "ann"), "");
  EXPECT_EQ(rejection("root.a", "ann"), "") << "by its path";
  EXPECT_EQ(rejection("a", "ann"),
            "queue root.a has 2 applications of user ann already, of at most 2");
  EXPECT_EQ(rejection("a", "bob"), "");
  EXPECT_EQ(rejection("a", "cid"), "queue root.a has 3 applications already, of at most 3");
  EXPECT_EQ(rejection("b", "cid"), "");
  EXPECT_EQ(rejection("b", "cid"), "the cluster has 4 applications already, as many as it may");
}

TEST(CapacityMaxima, OfTheSystemComeFirst) {
  CapacityWorld world(
      with(halves, {{"maximum-applications", "2"}, {"root.a.maximum-applications", "9"}}));
  world.add_nodes(1, 8);
  world.submit("a", "ann");
  world.submit("a", "ann");
  EXPECT_EQ(world.harness().rejection(world.submit("a", "ann")),
            "the cluster has 2 applications already, as many as it may");
}

TEST(CapacityMaxima, QueuesThatAreUnknownParentsOrNotRunningTakeNothing) {
  CapacityWorld world({{"root.queues", "a,b,c"},
                       {"root.a.capacity", "50"},
                       {"root.a.queues", "x"},
                       {"root.a.x.capacity", "100"},
                       {"root.b.capacity", "25"},
                       {"root.b.state", "STOPPED"},
                       {"root.c.capacity", "25"},
                       {"root.c.state", "DRAINING"}});
  world.add_nodes(1, 8);
  const auto rejection = [&](const std::string& queue) {
    return world.harness().rejection(world.submit(queue, "ann"));
  };
  EXPECT_EQ(rejection("z"), "there is no queue \"z\"");
  EXPECT_EQ(rejection("root.a"), "queue root.a has queues below it; applications go to those");
  EXPECT_EQ(rejection("b"), "queue root.b is stopped and takes no applications");
  EXPECT_EQ(rejection("c"), "queue root.c is draining and takes no applications");
  EXPECT_EQ(rejection("x"), "");
}

TEST(CapacityMaxima, ParallelApplicationsAreHeldBackNotRefused) {
  CapacityWorld world(
      with(halves, {{"root.a.max-parallel-apps", "2"}, {"user.bob.max-parallel-apps", "1"}}));
  world.add_nodes(4, 8);
  const ApplicationId one = world.submit("a", "ann");
  const ApplicationId two = world.submit("a", "ann");
  const ApplicationId three = world.submit("a", "cid");
  EXPECT_TRUE(world.is_active(two));
  EXPECT_FALSE(world.is_active(three));
  EXPECT_EQ(world.why(three), "queue root.a runs 2 applications of at most 2");
  const ApplicationId bobs = world.submit("b", "bob");
  const ApplicationId bobs_next = world.submit("b", "bob");
  EXPECT_EQ(world.why(bobs_next), "user bob runs 1 applications of at most 1");
  world.finish(one);
  EXPECT_TRUE(world.is_active(three));
  EXPECT_FALSE(world.is_active(bobs_next));
  world.finish(bobs);
  EXPECT_TRUE(world.is_active(bobs_next));
}

// ---- ACLs ----

TEST(CapacityAcl, AUserAllowedAnywhereAboveMaySubmit) {
  const Lines lines = {{"root.queues", "a,b"},
                       {"root.acl_submit_applications", " "},
                       {"root.acl_administer_queue", "admin"},
                       {"root.a.capacity", "50"},
                       {"root.a.acl_submit_applications", "ann"},
                       {"root.a.queues", "x,y"},
                       {"root.a.x.capacity", "50"},
                       {"root.a.x.acl_submit_applications", "bob"},
                       {"root.a.y.capacity", "50"},
                       {"root.b.capacity", "50"},
                       {"root.b.acl_submit_applications", "*"}};
  CapacityWorld world(lines);
  world.add_nodes(1, 8);
  const auto may = [&](const std::string& user, const std::string& queue) {
    return world.harness().rejection(world.submit(queue, user)).empty();
  };
  EXPECT_TRUE(may("ann", "x")) << "by the parent's list";
  EXPECT_TRUE(may("ann", "y"));
  EXPECT_TRUE(may("bob", "x"));
  EXPECT_FALSE(may("bob", "y"));
  EXPECT_FALSE(may("cid", "x"));
  EXPECT_TRUE(may("cid", "b"));
  EXPECT_TRUE(may("admin", "y")) << "who administers may submit";
  EXPECT_EQ(world.harness().rejection(world.submit("y", "bob")),
            "user bob may not submit to queue root.a.y");
  CapacityWorld open(lines, {{"acls", "false"}});
  open.add_nodes(1, 8);
  EXPECT_EQ(open.harness().rejection(open.submit("y", "bob")), "");
}

}  // namespace
}  // namespace tracebed
