// First come, first served, with schedules worked by hand.
#include "schedulers/hpc/fcfs.h"

#include <gtest/gtest.h>

#include "schedulers/policy_harness.h"

namespace tracebed {
namespace {

class Fcfs : public ::testing::Test {
 protected:
  AskId submit_gang(std::uint32_t units, const Resources& demand = Resources(1'000, 1'024)) {
    return harness_.submit_and_ask({.demand = demand, .pending = units, .kind = StageKind::gang});
  }

  FcfsScheduler scheduler_;
  PolicyHarness harness_{scheduler_};
};

TEST_F(Fcfs, CutsAGangIntoPiecesInNodeOrder) {
  for (int i = 0; i < 3; ++i) harness_.add_node(Resources(4'000, 65'536));
  submit_gang(6);
  EXPECT_EQ(to_text(harness_.decide()), "a0:n0x4 a0:n1x2");
  submit_gang(5);
  EXPECT_EQ(to_text(harness_.decide()), "a1:n1x2 a1:n2x3");
}

// 4 of 4 cores run; a gang of 3 waits; a gang of 1 comes. When one core is free the head still does
// not fit, and the small one must not pass it.
TEST_F(Fcfs, LetsNothingPassTheHead) {
  harness_.add_node(Resources(4'000, 65'536));
  submit_gang(1);
  const auto one = harness_.decide();
  submit_gang(3);
  const auto three = harness_.decide();
  submit_gang(3);
  submit_gang(1);
  harness_.end(one[0].container);
  EXPECT_EQ(to_text(harness_.decide()), "");
  harness_.end(three[0].container);
  EXPECT_EQ(to_text(harness_.decide()), "a2:n0x3 a3:n0");
}

// The sum of what is free is enough, but no node has room for the last unit: memory and cores are
// free on different nodes.
TEST_F(Fcfs, WaitsWhenTheSumFitsButNoNodesDo) {
  harness_.add_node(Resources(4'000, 4'096));
  harness_.add_node(Resources(4'000, 4'096));
  submit_gang(1, Resources(4'000, 1'024));
  const auto cores = harness_.decide();
  submit_gang(1, Resources(1'000, 3'072));
  ASSERT_EQ(to_text(harness_.decide()), "a1:n1");
  // Free: node 0 no core and 3,072 MiB, node 1 three cores and 1,024 MiB.
  submit_gang(2, Resources(1'000, 1'024));
  EXPECT_EQ(to_text(harness_.decide()), "");
  harness_.end(cores[0].container);
  EXPECT_EQ(to_text(harness_.decide()), "a2:n0x2");
}

TEST_F(Fcfs, ServesAsksThatAreNoGangsUnitByUnit) {
  harness_.add_node(Resources(2'000, 65'536));
  harness_.add_node(Resources(1'000, 65'536));
  harness_.submit_and_ask({.pending = 5});
  const auto placed = harness_.decide();
  EXPECT_EQ(to_text(placed), "a0:n0 a0:n0 a0:n1");
  submit_gang(1);
  harness_.end(placed[2].container);
  EXPECT_EQ(to_text(harness_.decide()), "a0:n1");
  harness_.end(placed[0].container);
  harness_.end(placed[1].container);
  EXPECT_EQ(to_text(harness_.decide()), "a0:n0 a1:n0");
}

TEST_F(Fcfs, KeepsThePlaceInTheLineOfAnApplicationThatAsksAgain) {
  harness_.add_node(Resources(1'000, 65'536));
  const ApplicationId first = harness_.submit();
  harness_.decide();
  harness_.ask(first, {});
  const auto running = harness_.decide();
  submit_gang(1);
  harness_.ask(first, {});
  harness_.end(running[0].container);
  EXPECT_EQ(to_text(harness_.decide()), "a2:n0");
}

// Node 1 is away, so the gang of 6 fits on no set of alive nodes. It is set aside and does not hold
// up the others; when the node is back it is first again.
TEST_F(Fcfs, SetsAsideWhatWaitsForAMachineUntilOneComes) {
  harness_.add_node(Resources(4'000, 65'536));
  const NodeId away = harness_.add_node(Resources(4'000, 65'536));
  harness_.decide();
  harness_.remove_node(away);
  harness_.decide();
  submit_gang(6);
  const AskId small = submit_gang(1);
  const auto placed = harness_.decide();
  ASSERT_EQ(to_text(placed), "a1:n0");
  harness_.bring_back(away);
  submit_gang(2);
  EXPECT_EQ(to_text(harness_.decide()), "a0:n0x3 a0:n1x3");
  EXPECT_EQ(harness_.cluster().asks[small].pending, 0u);
}

TEST_F(Fcfs, ForgetsAnAskThatWasSetAsideAndClosed) {
  harness_.add_node(Resources(4'000, 65'536));
  const NodeId away = harness_.add_node(Resources(4'000, 65'536));
  harness_.remove_node(away);
  const ApplicationId application = harness_.submit();
  harness_.decide();
  harness_.ask(application, {.pending = 6, .kind = StageKind::gang});
  harness_.decide();
  harness_.finish(application);
  harness_.bring_back(away);
  EXPECT_EQ(to_text(harness_.decide()), "");
}

TEST_F(Fcfs, GoesOnWhenTheWaitingHeadLeaves) {
  harness_.add_node(Resources(2'000, 65'536));
  submit_gang(1);
  harness_.decide();
  const ApplicationId head = harness_.submit();
  harness_.decide();
  harness_.ask(head, {.pending = 2, .kind = StageKind::gang});
  submit_gang(1);
  EXPECT_EQ(to_text(harness_.decide()), "");
  harness_.finish(head);
  EXPECT_EQ(to_text(harness_.decide()), "a2:n0");
}

TEST_F(Fcfs, TakesUpTheHeadsNewFigures) {
  harness_.add_node(Resources(2'000, 65'536));
  submit_gang(1);
  harness_.decide();
  const AskId head = submit_gang(2);
  EXPECT_EQ(to_text(harness_.decide()), "");
  harness_.set_pending(head, 1);
  EXPECT_EQ(to_text(harness_.decide()), "a1:n0");
}

TEST_F(Fcfs, TriesARefusedGangAgain) {
  harness_.add_node(Resources(2'000, 65'536));
  submit_gang(2);
  harness_.refuse_next(1);
  EXPECT_EQ(to_text(harness_.decide()), "a0:n0x2");
  harness_.verify();
}

TEST_F(Fcfs, WantsHeartbeatsOnlyToTryAgainWhatWasRefused) {
  EXPECT_FALSE(scheduler_.heartbeat_interest().any);
  const NodeId node = harness_.add_node(Resources(2'000, 65'536));
  submit_gang(2);
  // It tries again at once, then has no further event to do so.
  harness_.refuse_next(2);
  EXPECT_EQ(to_text(harness_.decide()), "");
  EXPECT_TRUE(scheduler_.heartbeat_interest().any);
  EXPECT_EQ(to_text(harness_.decide_at(node)), "a0:n0x2");
  harness_.heartbeat(node);
  harness_.decide();
  EXPECT_FALSE(scheduler_.heartbeat_interest().any);
}

}  // namespace
}  // namespace tracebed
