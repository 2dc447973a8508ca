#include "coordinator/engine/ledger.h"

#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"
#include "core/exit_codes.h"

namespace tracebed {
namespace {

using doubles::plain_machine;

class LedgerTest : public testing::Test {
 protected:
  LedgerTest() {
    ledger_.add_node(NodeId(0u), plain_machine(4));
    application_ = ledger_.model().applications.emplace();
    ask_ = ledger_.model().asks.emplace(
        Ask{.application = application_, .demand = Resources(1000, 512), .pending = 10});
    ledger_.model().applications[application_].asks.push_back(ask_);
  }
  // A container of one unit on node 0.
  ContainerId take() {
    const GangPiece piece{NodeId(0u), 1};
    return ledger_.allocate(ledger_.taker(ask_, 0), std::span(&piece, 1), trace_time(0));
  }
  Ledger ledger_;
  ApplicationId application_;
  AskId ask_;
};

TEST_F(LedgerTest, TakesAndGivesBackExactlyWhatAContainerHolds) {
  const ContainerId container = take();
  ledger_.verify();
  EXPECT_EQ(ledger_.model().node(NodeId(0u)).free, Resources(3000, 4096 - 512));
  EXPECT_EQ(ledger_.model().free, Resources(3000, 4096 - 512));
  EXPECT_EQ(ledger_.model().applications[application_].used, Resources(1000, 512));
  EXPECT_EQ(ledger_.model().asks[ask_].pending, 9u);
  ledger_.release(container, 1);
  ledger_.verify();
  EXPECT_EQ(ledger_.model().free, Resources(4000, 4096));
  EXPECT_TRUE(ledger_.model().applications[application_].used.is_zero());
}

TEST_F(LedgerTest, TakesAndGivesBackAGangAsAWhole) {
  ledger_.add_node(NodeId(1u), plain_machine(4));
  const GangPiece pieces[] = {{NodeId(0u), 2}, {NodeId(1u), 3}};
  const ContainerId first = ledger_.allocate(ledger_.taker(ask_, 7), pieces, trace_time(5));
  ledger_.verify();
  const Container& second = ledger_.model().containers[first + 1];
  EXPECT_EQ(second.node, NodeId(1u));
  EXPECT_EQ(second.resources, Resources(3000, 3 * 512));
  EXPECT_EQ(second.ask_slot, 7u);
  EXPECT_EQ(second.allocated, trace_time(5));
  EXPECT_EQ(ledger_.model().free, Resources(3000, 8192 - 5 * 512));
  EXPECT_EQ(ledger_.model().applications[application_].containers, 2u);
  EXPECT_EQ(ledger_.model().asks[ask_].pending, 5u);
  ledger_.release(first, 2);
  ledger_.verify();
  EXPECT_EQ(ledger_.model().free, Resources(8000, 8192));
  EXPECT_EQ(ledger_.model().containers.size(), 0u);
}

TEST_F(LedgerTest, StopsTheRunRatherThanGiveANodeMoreThanItHas) {
  for (int i = 0; i < 4; ++i) take();
  EXPECT_EXIT(take(), testing::ExitedWithCode(to_int(ExitCode::failed_invariant)),
              "no more than it has");
}

TEST_F(LedgerTest, VerificationFindsAFigureThatWasChangedBehindItsBack) {
  take();
  ledger_.model().nodes[0].free += Resources(1, 0);
  EXPECT_EXIT(ledger_.verify(), testing::ExitedWithCode(to_int(ExitCode::failed_invariant)),
              "free \\+ used = capacity");
}

TEST_F(LedgerTest, KnowsWhatCouldEverFitAlsoOnMachinesThatAreAway) {
  ledger_.add_node(NodeId(2u), plain_machine(8));  // node 1 was never seen
  EXPECT_EQ(ledger_.units_that_ever_fit(Resources(3000, 1)), 1 + 2);
  ledger_.remove_node(NodeId(2u));
  EXPECT_EQ(ledger_.units_that_ever_fit(Resources(3000, 1)), 1 + 2);
  EXPECT_TRUE(ledger_.ever_fits(Resources(8000, 8192)));
  EXPECT_FALSE(ledger_.ever_fits(Resources(8001, 1)));
  ledger_.add_node(NodeId(2u), plain_machine(4));  // came back smaller
  EXPECT_FALSE(ledger_.ever_fits(Resources(8000, 8192)));
}

}  // namespace
}  // namespace tracebed
