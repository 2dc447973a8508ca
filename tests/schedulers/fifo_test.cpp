// YARN's FifoScheduler, rule by rule.
#include "schedulers/yarn/fifo.h"

#include <gtest/gtest.h>

#include "schedulers/policy_harness.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

class Fifo : public ::testing::Test {
 protected:
  FifoScheduler scheduler_{FifoSettings{}};
  PolicyHarness harness_{scheduler_};
};

// Proves: 2.fills-the-node
TEST_F(Fifo, GivesANodeAsMuchAsItHoldsInOneHeartbeat) {
  const NodeId node = harness_.add_node(Resources(4'000, 4'096));
  harness_.submit_and_ask({.pending = 6});
  EXPECT_EQ(to_text(harness_.decide_at(node)), "a0:n0 a0:n0 a0:n0 a0:n0");
}

// Proves: 8.node-update
TEST_F(Fifo, AllocatesOnlyOnHeartbeats) {
  const NodeId node = harness_.add_node(Resources(4'000, 4'096));
  const AskId ask = harness_.submit_and_ask({.pending = 1});
  EXPECT_EQ(to_text(harness_.decide()), "");
  const auto placed = harness_.decide_at(node);
  ASSERT_EQ(placed.size(), 1u);
  harness_.set_pending(ask, 1);
  harness_.end(placed[0].container);
  EXPECT_EQ(to_text(harness_.decide()), "");
  EXPECT_EQ(to_text(harness_.decide_at(node)), "a0:n0");
}

// Proves: 2.order-of-applications
TEST_F(Fifo, ServesApplicationsInOrderOfSubmission) {
  const NodeId node = harness_.add_node(Resources(3'000, 3'072));
  harness_.submit_and_ask({.pending = 2});
  harness_.submit_and_ask({.pending = 2});
  EXPECT_EQ(to_text(harness_.decide_at(node)), "a0:n0 a0:n0 a1:n0");
}

// Proves: 1.priority-of-asks, 2.order-of-asks
TEST_F(Fifo, ServesAsksByPriorityAndThenByAge) {
  const NodeId node = harness_.add_node(Resources(3'000, 3'072));
  const ApplicationId application = harness_.submit();
  harness_.decide();
  harness_.ask(application, {.priority = 20});
  harness_.ask(application, {.priority = 10});
  harness_.ask(application, {.priority = 10});
  EXPECT_EQ(to_text(harness_.decide_at(node)), "a1:n0 a2:n0 a0:n0");
}

// The first application's more important ask is too large for the node, so its other ask must wait
// too; the next application is served.
// Proves: 2.first-ask-with-nothing
TEST_F(Fifo, LeavesAnApplicationAtItsFirstAskThatGotNothing) {
  const NodeId node = harness_.add_node(Resources(4'000, 4'096));
  const ApplicationId first = harness_.submit();
  harness_.decide();
  harness_.ask(first, {.demand = Resources(1'000, 8'192), .priority = 1});
  harness_.ask(first, {.priority = 2});
  harness_.submit_and_ask({});
  EXPECT_EQ(to_text(harness_.decide_at(node)), "a2:n0");
}

// Proves: 2.memory
TEST_F(Fifo, CountsMemoryAloneAndRecordsVcores) {
  const NodeId node = harness_.add_node(Resources(4'000, 16'384));
  harness_.submit_and_ask({.pending = 20});
  EXPECT_EQ(harness_.decide_at(node).size(), 16u) << "YARN-10848";
  EXPECT_EQ(harness_.cluster().node(node).free, Resources(-12'000, 0));
  harness_.verify();
}

TEST_F(Fifo, KeepsToVcoresWhereTheyAreLimited) {
  harness_.limit_vcores();
  const NodeId node = harness_.add_node(Resources(4'000, 16'384));
  harness_.submit_and_ask({.pending = 20});
  EXPECT_EQ(harness_.decide_at(node).size(), 4u);
}

// 1,000 MiB are free, which is less than the minimum allocation of 1,024.
// Proves: 2.memory
TEST_F(Fifo, PassesANodeThatHasLessThanTheMinimumAllocation) {
  const NodeId node = harness_.add_node(Resources(4'000, 1'000));
  harness_.submit_and_ask({.demand = Resources(1'000, 500)});
  EXPECT_EQ(to_text(harness_.decide_at(node)), "");
}

// Proves: 2.ends-below-minimum
TEST_F(Fifo, EndsTheHeartbeatWhenLessThanTheMinimumAllocationIsLeft) {
  // After the first application 1,000 MiB are left, so the second gets nothing, though it would
  // fit.
  const NodeId node = harness_.add_node(Resources(4'000, 2'000));
  harness_.submit_and_ask({.demand = Resources(1'000, 1'000)});
  harness_.submit_and_ask({.demand = Resources(1'000, 1'000)});
  EXPECT_EQ(to_text(harness_.decide_at(node)), "a0:n0");
}

TEST(FifoDominant, ComparesTheMinimumAllocationByDominantShare) {
  FifoSettings settings;
  settings.calculator = ResourceCalculator(ResourceCalculator::Kind::dominant);
  FifoScheduler scheduler(settings);
  PolicyHarness harness(scheduler);
  // Of the cluster's 8 cores and 8,192 MiB, the minimum is 1/8 of each; 1,000 MiB and four cores
  // have a dominant share of 1/2.
  const NodeId node = harness.add_node(Resources(4'000, 1'000));
  harness.add_node(Resources(4'000, 7'192));
  harness.submit_and_ask({.demand = Resources(1'000, 500)});
  EXPECT_EQ(to_text(harness.decide_at(node)), "a0:n0");
}

TEST(FifoDominant, CountsVcoresToo) {
  FifoSettings settings;
  settings.calculator = ResourceCalculator(ResourceCalculator::Kind::dominant);
  FifoScheduler scheduler(settings);
  PolicyHarness harness(scheduler);
  const NodeId node = harness.add_node(Resources(4'000, 16'384));
  harness.submit_and_ask({.pending = 20});
  EXPECT_EQ(harness.decide_at(node).size(), 4u);
}

TEST_F(Fifo, PlacesUnrelaxedUnitsOnlyWhereTheirInputIs) {
  const NodeId away = harness_.add_node(Resources(8'000, 65'536), RackId(0u));
  const NodeId home = harness_.add_node(Resources(8'000, 65'536), RackId(1u));
  harness_.submit_and_ask({.pending = 3, .relax_locality = false, .nodes = {{home, 2}}});
  EXPECT_EQ(to_text(harness_.decide_at(away)), "");
  EXPECT_EQ(to_text(harness_.decide_at(home)), "a0:n1 a0:n1");
}

// Two nodes of the rack beat in the same call; the rack's count of three holds for both together.
TEST_F(Fifo, CountsUnrelaxedUnitsOfARackOverTheWholeCall) {
  harness_.add_node(Resources(2'000, 2'048), RackId(0u));
  harness_.add_node(Resources(8'000, 65'536), RackId(0u));
  harness_.submit_and_ask({.pending = 9, .relax_locality = false, .racks = {{RackId(0u), 3}}});
  harness_.heartbeat_all();
  EXPECT_EQ(to_text(harness_.decide()), "a0:n0 a0:n0 a0:n1");
}

TEST_F(Fifo, PlacesAGangWholeOverAllNodesOnOneHeartbeat) {
  harness_.add_node(Resources(2'000, 2'048));
  const NodeId beating = harness_.add_node(Resources(2'000, 2'048));
  harness_.add_node(Resources(2'000, 2'048));
  harness_.submit_and_ask({.pending = 5, .kind = StageKind::gang});
  EXPECT_EQ(to_text(harness_.decide_at(beating)), "a0:n0x2 a0:n1x2 a0:n2");
}

TEST_F(Fifo, LetsLaterApplicationsOvertakeAGangThatDoesNotFit) {
  const NodeId node = harness_.add_node(Resources(2'000, 2'048));
  harness_.submit_and_ask({.pending = 3, .kind = StageKind::gang});
  harness_.submit_and_ask({});
  EXPECT_EQ(to_text(harness_.decide_at(node)), "a1:n0");
}

TEST_F(Fifo, WantsNoHeartbeatWhenNothingWaits) {
  const NodeId node = harness_.add_node(Resources(8'000, 65'536));
  harness_.decide();
  EXPECT_FALSE(scheduler_.heartbeat_interest().any);
  harness_.submit_and_ask({.demand = Resources(2'000, 512)});
  harness_.decide();
  EXPECT_TRUE(scheduler_.heartbeat_interest().any);
  // Memory: the minimum allocation is more than the ask.
  EXPECT_EQ(scheduler_.heartbeat_interest().minimum, Resources(2'000, 1'024));
  harness_.decide_at(node);
  EXPECT_FALSE(scheduler_.heartbeat_interest().any);
}

TEST_F(Fifo, TriesARefusedUnitAgain) {
  const NodeId node = harness_.add_node(Resources(2'000, 2'048));
  harness_.submit_and_ask({.pending = 2});
  harness_.refuse_next(1);
  EXPECT_EQ(harness_.decide_at(node).size(), 1u);
  EXPECT_TRUE(scheduler_.heartbeat_interest().any);
  EXPECT_EQ(harness_.decide_at(node).size(), 1u);
  harness_.verify();
}

// Proves: 2.no-delay
TEST_F(Fifo, TakesAnyNodeAtOnceThoughAnotherIsNamed) {
  const NodeId away = harness_.add_node(Resources(8'000, 65'536), RackId(0u));
  const NodeId home = harness_.add_node(Resources(8'000, 65'536), RackId(1u));
  harness_.submit_and_ask({.pending = 2, .nodes = {{home, 2}}, .racks = {{RackId(1u), 2}}});
  EXPECT_EQ(to_text(harness_.decide_at(away)), "a0:n0 a0:n0");
}

// Proves: 2.acl
TEST(FifoQueue, TakesThoseWhomItsListAdmitsWhateverQueueTheyName) {
  Names names;
  SchedulerParameters parameters;
  parameters.names = &names;
  parameters.settings = {{"acl_submit_applications", "ann staff"}, {"groups", "bob=staff"}};
  auto scheduler = test::schedulers().make("fifo", parameters);
  ASSERT_TRUE(scheduler.has_value());
  PolicyHarness harness(**scheduler);
  const auto rejection = [&](const char* user) {
    Application application;
    application.user = names.users.intern(user);
    application.queue = names.queues.intern("any");
    const ApplicationId id = harness.submit(application);
    harness.decide();
    return harness.rejection(id);
  };
  EXPECT_EQ(rejection("ann"), "");
  EXPECT_EQ(rejection("bob"), "");
  EXPECT_EQ(rejection("cid"), "user cid may not submit to the queue");
  parameters.settings = {};
  auto open = test::schedulers().make("fifo", parameters);
  PolicyHarness open_harness(**open);
  Application application;
  application.user = names.users.intern("cid");
  const ApplicationId id = open_harness.submit(application);
  open_harness.decide();
  EXPECT_TRUE(open_harness.is_accepted(id)) << "everybody, if nothing is said";
  parameters.settings = {{"groups", "bob"}};
  EXPECT_EQ(test::schedulers().make("fifo", parameters).error().message,
            "scheduler fifo, setting groups: expected USER=GROUP+GROUP, separated by commas, got "
            "\"bob\"");
}

}  // namespace
}  // namespace tracebed
