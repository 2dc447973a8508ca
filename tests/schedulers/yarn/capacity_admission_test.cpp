// Which applications the Capacity scheduler takes and lets start: limits on application masters and
// on numbers of applications, and ACLs. Figures are worked by hand.
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

// ---- The limit on application masters ----

// Half of 32 GiB at 10 %: 1.6 of the guarantee; but the queue could use all 32: 3.2, up to 4 GiB.
// Proves: 3.3.master-limit, 3.3.looked-at-again
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

// Proves: 3.3.one-always-starts
TEST(CapacityMasterLimit, LetsOneStartThoughItIsTooLarge) {
  CapacityWorld world(with(halves, {{"maximum-am-resource-percent", "0.01"}}));
  world.add_nodes(4, 8);
  const ApplicationId large = world.submit("a", "ann", 0, gib(6));
  const ApplicationId next = world.submit("a", "ann", 0, gib(1));
  EXPECT_TRUE(world.is_active(large));
  EXPECT_FALSE(world.is_active(next));
}

// Proves: 3.3.passed-over
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
// Proves: 3.3.master-limit-of-user
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

// Proves: 3.3.looked-at-again
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
// Proves: G1.count-of-masters
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

// Proves: 8.app-added
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

// Proves: 3.3.maximum-of-system
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

// Proves: 3.3.parallel
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

// Proves: A6.2.1.administrators
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

// Proves: 3.3.waiting-ones-count
TEST(CapacityMaxima, CountApplicationsThatWaitForTheirMasters) {
  CapacityWorld world(with(
      halves, {{"root.a.maximum-applications", "2"}, {"maximum-am-resource-percent", "0.01"}}));
  world.add_nodes(1, 8);
  world.submit("a", "ann");
  const ApplicationId waiting = world.submit("a", "ann");
  EXPECT_FALSE(world.is_active(waiting));
  EXPECT_EQ(world.harness().rejection(world.submit("a", "ann")),
            "queue root.a has 2 applications already, of at most 2");
}

// With no limit of 1 % the second application may not start; with one of all it may.
// Proves: 3.3.looked-at-again
TEST(CapacityMasterLimit, ARefreshLetsThoseStartWhoWait) {
  const Lines lines = with(halves, {{"maximum-am-resource-percent", "0.01"}});
  CapacityWorld world(lines);
  world.add_nodes(1, 8);
  world.submit("a", "ann");
  const ApplicationId waiting = world.submit("a", "ann");
  EXPECT_FALSE(world.is_active(waiting));
  EXPECT_TRUE(world.refresh(halves));
  EXPECT_TRUE(world.is_active(waiting));
}

// Of the guarantee of 20 GiB a fifth, and half of that for each of two users: 2 GiB; for ann, who
// weighs 2, it is 4. While there are no nodes all wait. When they come, the limit of the first who
// waits is that of all: 4 where ann is first, 2 where bob is.
// Proves: 16.one-limit-a-pass
TEST(CapacityMasterLimit, TheFirstUsersLimitHoldsForAllOfAPass) {
  const auto bobs_that_start = [](const std::vector<std::string>& users) {
    CapacityWorld world(with(halves, {{"maximum-am-resource-percent", "0.2"},
                                      {"root.a.user-limit-factor", "1"},
                                      {"root.a.minimum-user-limit-percent", "25"},
                                      {"root.a.user-settings.ann.weight", "2"}}));
    std::vector<ApplicationId> applications;
    for (const std::string& user : users) applications.push_back(world.submit("a", user));
    world.add_nodes(4, 10);
    int started = 0;
    for (std::size_t i = 0; i < users.size(); ++i) {
      started += users[i] == "bob" && world.is_active(applications[i]) ? 1 : 0;
    }
    return started;
  };
  EXPECT_EQ(bobs_that_start({"ann", "bob", "bob", "bob"}), 3);
  EXPECT_EQ(bobs_that_start({"bob", "bob", "bob", "ann"}), 2);
}

// ---- groups ----

// Proves: A6.2.1.administrators
TEST(CapacityAcl, ListsNameGroupsToo) {
  const Lines lines = {{"root.queues", "a"},
                       {"root.acl_submit_applications", " "},
                       {"root.acl_administer_queue", " ops"},
                       {"root.a.capacity", "100"},
                       {"root.a.acl_submit_applications", "ann staff"}};
  CapacityWorld world(lines, {{"groups", "bob=guests+staff, cid=guests, dan=ops"}});
  world.add_nodes(1, 8);
  const auto may = [&](const std::string& user) {
    return world.harness().rejection(world.submit("a", user)).empty();
  };
  EXPECT_TRUE(may("ann"));
  EXPECT_TRUE(may("bob"));
  EXPECT_FALSE(may("cid"));
  EXPECT_TRUE(may("dan")) << "administers the root";
  EXPECT_TRUE(may("staff")) << "who is not listed has a group of his own name";
}

// ---- Lifetimes ----

// In a, whose default is 10 s, an application is ended at the first look after that, at 12 s; in b
// only a maximum of 20 s is set, so it lives till the look at 21 s.
// Proves: 3.7.default-lifetime, 3.7.maximum-lifetime, 3.7.lifetime-by-checks
TEST(CapacityLifetime, EndsApplicationsThatLiveTooLong) {
  CapacityWorld world(with(halves, {{"root.a.default-application-lifetime", "10"},
                                    {"root.a.maximum-application-lifetime", "15"},
                                    {"root.b.maximum-application-lifetime", "20"}}));
  world.add_nodes(1, 8);
  const ApplicationId of_a = world.submit("a", "ann");
  const ApplicationId of_b = world.submit("b", "bob");
  const ApplicationId done = world.submit("a", "ann");
  world.ask(of_a, 1, 2);
  world.fill_all();
  EXPECT_EQ(world.harness().wake_at(), TraceTime(seconds(12)));
  world.finish(done);
  world.harness().advance(milliseconds(11'999));
  EXPECT_EQ(world.used("root.a"), 2);
  world.harness().advance(milliseconds(1));
  EXPECT_EQ(world.harness().rejection(of_a),
            "it has lived longer than its queue lets applications live");
  EXPECT_EQ(world.used("root.a"), 0);
  EXPECT_EQ(world.harness().rejection(done), "") << "it had ended before";
  EXPECT_EQ(world.harness().wake_at(), TraceTime(seconds(21)));
  world.harness().advance(seconds(9));
  EXPECT_NE(world.harness().rejection(of_b), "");
  EXPECT_EQ(world.harness().wake_at(), never);
}

// Ten seconds from 2 s are over at exactly 12 s, which is not later than the lifetime: 15 s.
// Proves: 3.7.lifetime-by-checks
TEST(CapacityLifetime, IsOverWhenMoreThanItHasPassed) {
  CapacityWorld world(with(halves, {{"root.a.default-application-lifetime", "10"}}));
  world.add_nodes(1, 8);
  world.harness().advance(seconds(2));
  world.submit("a", "ann");
  EXPECT_EQ(world.harness().wake_at(), TraceTime(seconds(15)));
  world.submit("b", "bob");
  EXPECT_EQ(world.harness().wake_at(), TraceTime(seconds(15))) << "b has no limit";
}

}  // namespace
}  // namespace tracebed
