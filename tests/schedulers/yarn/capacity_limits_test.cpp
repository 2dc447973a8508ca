// The Capacity scheduler's limits of users: stories whose figures are worked by hand.
#include "schedulers/yarn/capacity/capacity_view.h"
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

// ---- User limits ----

// Proves: 3.3.user-one-above
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

// Proves: 3.2.user-over-limit
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

// Proves: G2.user-limit
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

// Proves: 3.3.headroom, 3.1.limit-is-cut
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

// ann uses 8 and wants nothing: bob alone is active, so his even part is (0 + 1) / 1, and a tenth
// of 16 is more; with ann it would be (8 + 1) / 2.
// Proves: 3.3.user-active
TEST(CapacityUserLimit, OnlyUsersWhoWantSomethingAreActive) {
  CapacityWorld world(with(
      halves, {{"root.a.user-limit-factor", "1"}, {"root.a.minimum-user-limit-percent", "10"}}));
  world.add_nodes(4, 8);
  const ApplicationId ann = world.submit("a", "ann");
  world.ask(ann, 1, 8);
  EXPECT_EQ(world.fill_all(), 8u);
  const ApplicationId bob = world.submit("a", "bob");
  world.ask(bob, 1, 1);
  world.harness().decide();
  const auto limit = [&] {
    return world.state().limit_of_user(*world.state().application(bob), 0).memory_mib() / 1'024;
  };
  EXPECT_EQ(limit(), 2) << "1.6, up";
  world.ask(ann, 1, 1);
  world.harness().decide();
  EXPECT_EQ(limit(), 5) << "4.5, up";
}

// Proves: 3.3.headroom-is-shared
TEST(CapacityUserLimit, AUsersApplicationsAreToldTheSameHeadroom) {
  CapacityWorld world(with(halves, {{"root.a.user-limit-factor", "1"}}));
  world.add_nodes(4, 8);
  const ApplicationId first = world.submit("a", "ann");
  const ApplicationId second = world.submit("a", "ann");
  world.ask(first, 1, 10);
  world.fill_all();
  for (const ApplicationId each : {first, second}) {
    EXPECT_EQ(world.scheduler().headroom(world.harness().cluster(), each).memory_mib(), 6 * 1'024);
  }
}

// The guarantee is 16. ann may have 16 and uses 10, so of the 9 + 4 that her applications want 6
// count; bob wants 3, of as much as he may have: 6 + 3.
// Proves: 3.3.pending-within-limits
TEST(CapacityUserLimit, PendingWithinLimitsIsWhatUsersMayStillHave) {
  CapacityWorld world(with(halves, {{"root.a.user-limit-factor", "1"}}));
  world.add_nodes(4, 8);
  const ApplicationId ann = world.submit("a", "ann");
  world.ask(ann, 1, 10);
  world.fill_all();
  world.ask(ann, 1, 9);
  world.ask(world.submit("a", "ann"), 2, 2);
  world.ask(world.submit("a", "bob"), 1, 3);
  world.harness().decide();
  EXPECT_EQ(pending_within_limits(world.state(), world.index_of("root.a"), 0), Resources(0, 9'216));
  for (const QueueView& queue : world.scheduler().view(world.harness().cluster()).queues) {
    if (queue.queue.path != "root.a") continue;
    const Figure* pending = find_figure(queue.queue.figures, "pending");
    ASSERT_NE(pending, nullptr);
    EXPECT_EQ(pending->label, "Pending Within User Limits");
    EXPECT_EQ(pending->value, FigureValue(Resources(0, 9'216)));
  }
}

}  // namespace
}  // namespace tracebed
