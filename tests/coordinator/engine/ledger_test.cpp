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
    application_ = ledger_.open_application(Job{}, trace_time(0));
    SetAsk figures;
    figures.pending = 10;
    ask_ = ledger_.open_ask(application_, figures, Resources(1000, 512));
  }
  // A container of one unit on node 0.
  ContainerId take() {
    const GangPiece piece{NodeId(0u), 1};
    return ledger_.allocate(ask_, std::span(&piece, 1), trace_time(0));
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
  const ContainerId first = ledger_.allocate(ask_, pieces, trace_time(5));
  ledger_.verify();
  const Container& second = ledger_.model().containers[first + 1];
  EXPECT_EQ(second.node, NodeId(1u));
  EXPECT_EQ(second.resources, Resources(3000, 3 * 512));
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

// YARN-10848.
TEST(LedgerWithoutVcores, RecordsVcoresAndLimitsMemory) {
  Ledger ledger(LimitedDimensions::all_but_vcores());
  Machine machine = plain_machine(4);
  machine.capacity = Resources(4'000, 16'384);
  ledger.add_node(NodeId(0u), machine);
  SetAsk figures;
  figures.pending = 20;
  const AskId ask = ledger.open_ask(ledger.open_application(Job{}, trace_time(0)), figures,
                                    Resources(1'000, 1'024));
  const auto take = [&](std::uint32_t units) {
    const GangPiece piece{NodeId(0u), units};
    return ledger.allocate(ask, std::span(&piece, 1), trace_time(0));
  };
  const ContainerId many = take(15);
  const ContainerId last = take(1);
  ledger.verify();
  EXPECT_EQ(ledger.model().node(NodeId(0u)).free, Resources(-12'000, 0));
  EXPECT_EQ(ledger.model().free, Resources(-12'000, 0));
  EXPECT_FALSE(ledger.model().has_room(ledger.model().node(NodeId(0u)), Resources(0, 1)));
  EXPECT_EXIT(take(1), testing::ExitedWithCode(to_int(ExitCode::failed_invariant)),
              "no more than it has");
  ledger.withhold_node(NodeId(0u));
  ledger.verify();
  ledger.restore_node(NodeId(0u));
  ledger.verify();
  ledger.release(last, 1);
  ledger.release(many, 1);
  ledger.verify();
  EXPECT_EQ(ledger.model().free, machine.capacity);
}

// A request is refused by the largest node in each dimension, though not all in one.
TEST(LedgerWithoutVcores, KnowsThatNothingEverFitsThatNoMachineHas) {
  Ledger ledger(LimitedDimensions::all_but_vcores());
  Machine tall = plain_machine(4);
  tall.capacity = Resources(4'000, 65'536);
  Machine wide = plain_machine(4);
  wide.capacity = Resources(32'000, 8'192);
  ledger.add_node(NodeId(0u), tall);
  ledger.add_node(NodeId(1u), wide);
  EXPECT_TRUE(ledger.ever_fits(Resources(8'000, 32'768)));
  EXPECT_FALSE(ledger.ever_fits(Resources(33'000, 1)));
  EXPECT_FALSE(ledger.ever_fits(Resources(1, 65'537)));
  EXPECT_EQ(ledger.units_that_ever_fit(Resources(8'000, 8'192)), 8 + 1);
}

TEST_F(LedgerTest, VerificationFindsAFigureThatWasChangedBehindItsBack) {
  take();
  // Nobody can, but a write through a stray pointer.
  const_cast<ClusterModel&>(ledger_.model()).nodes[0].free += Resources(1, 0);
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

TEST_F(LedgerTest, KeepsAsksByPriorityAndThenByAge) {
  SetAsk urgent;
  urgent.priority = -1;
  const AskId first = ledger_.open_ask(application_, urgent, Resources(1000, 512));
  urgent.priority = 0;
  const AskId last = ledger_.open_ask(application_, urgent, Resources(1000, 512));
  const AskList& asks = ledger_.model().applications[application_].asks;
  EXPECT_EQ(std::vector(asks.begin(), asks.end()), (std::vector{first, ask_, last}));
  ledger_.close_ask(ask_);
  EXPECT_EQ(std::vector(asks.begin(), asks.end()), (std::vector{first, last}));
  EXPECT_FALSE(ledger_.model().asks.contains(ask_));
}

TEST_F(LedgerTest, StopsTheRunIfAnAskChangesItsPriority) {
  SetAsk other;
  other.priority = 3;
  EXPECT_EXIT(ledger_.change_ask(ask_, other, Resources(1000, 512)),
              testing::ExitedWithCode(to_int(ExitCode::failed_invariant)), "keeps its priority");
}

TEST_F(LedgerTest, StopsTheRunIfAPreferenceIsTakenBackThatWasNotStated) {
  SetAsk near;
  near.pending = 2;
  near.nodes = {{NodeId(0u), 1}};
  const AskId ask = ledger_.open_ask(application_, near, Resources(1000, 512));
  const NodeId node(0u);
  ledger_.lower_preferences(ask, std::span(&node, 1), {});
  EXPECT_EQ(preferred_at(ledger_.model().asks[ask].nodes, node), 0u);
  EXPECT_EXIT(ledger_.lower_preferences(ask, std::span(&node, 1), {}),
              testing::ExitedWithCode(to_int(ExitCode::failed_invariant)), "that it stated");
}

TEST_F(LedgerTest, LaunchesSomethingInAContainerOnce) {
  const ContainerId container = take();
  ledger_.launch_task(container, Locality::node);
  EXPECT_TRUE(ledger_.model().containers[container].is_launched);
  EXPECT_EQ(ledger_.model().containers[container].locality, Locality::node);
  EXPECT_EXIT(ledger_.launch_master(container),
              testing::ExitedWithCode(to_int(ExitCode::failed_invariant)), "container once");
}

// ---- devices ----

class LedgerWithDevices : public testing::Test {
 protected:
  static constexpr std::size_t gpu = Resources::memory_dimension + 1;

  static LimitedDimensions limits() {
    DeviceSizes sizes;
    sizes.set(gpu, 1'000);
    return LimitedDimensions::all().with_devices(sizes);
  }
  LedgerWithDevices() {
    Machine machine = plain_machine(4);
    machine.capacity[gpu] = 2'000;
    ledger_.add_node(node_, machine);
    application_ = ledger_.open_application(Job{}, trace_time(0));
  }
  AskId ask_for(std::int64_t share) {
    SetAsk figures;
    figures.pending = 10;
    Resources demand(100, 100);
    demand[gpu] = share;
    return ledger_.open_ask(application_, figures, demand);
  }
  ContainerId take(AskId ask, std::uint32_t units = 1) {
    const GangPiece piece{node_, units};
    const ContainerId id = ledger_.allocate(ask, std::span(&piece, 1), trace_time(0));
    ledger_.verify();
    return id;
  }
  bool has_room(AskId ask) const {
    return ledger_.model().has_room(ledger_.model().node(node_), ledger_.model().asks[ask].demand);
  }

  const NodeId node_{0u};
  Ledger ledger_{limits()};
  ApplicationId application_;
};

TEST_F(LedgerWithDevices, GivesAShareToOneDeviceAndFreesItAgain) {
  const AskId most = ask_for(600);
  const AskId more = ask_for(800);
  const ContainerId first = take(most);
  take(most);
  EXPECT_EQ(ledger_.model().node(node_).free[gpu], 800);
  EXPECT_FALSE(has_room(more)) << "400 are free on each";
  EXPECT_EQ(*ledger_.model().devices_of(first), (DeviceShares{{gpu, 0, 600}}));
  ledger_.release(first, 1);
  ledger_.verify();
  EXPECT_EQ(ledger_.model().devices_of(first), nullptr);
  const ContainerId third = take(more);
  EXPECT_EQ(*ledger_.model().devices_of(third), (DeviceShares{{gpu, 0, 800}}));
}

TEST_F(LedgerWithDevices, StopsTheRunRatherThanSplitAShare) {
  const AskId most = ask_for(600);
  take(most, 2);
  EXPECT_EXIT(take(ask_for(800)), testing::ExitedWithCode(to_int(ExitCode::failed_invariant)),
              "no more than it has");
}

TEST_F(LedgerWithDevices, KnowsWhatNeverFits) {
  EXPECT_EQ(ledger_.units_that_ever_fit(ledger_.model().asks[ask_for(600)].demand), 2);
  EXPECT_EQ(ledger_.units_that_ever_fit(ledger_.model().asks[ask_for(1'500)].demand), 0);
  EXPECT_FALSE(ledger_.ever_fits(ledger_.model().asks[ask_for(1'500)].demand));
  EXPECT_TRUE(ledger_.ever_fits(ledger_.model().asks[ask_for(2'000)].demand));
}

TEST_F(LedgerWithDevices, RemembersThemWhileTheNodeTakesNoContainers) {
  const AskId most = ask_for(600);
  const ContainerId first = take(most);
  const ContainerId second = take(most);
  ledger_.withhold_node(node_);
  ledger_.verify();
  ledger_.release(first, 1);
  ledger_.verify();
  EXPECT_TRUE(ledger_.restore_node(node_));
  ledger_.verify();
  EXPECT_EQ(*ledger_.model().devices_of(take(ask_for(1'000))), (DeviceShares{{gpu, 0, 1'000}}));
  ledger_.release(second, 1);
  ledger_.verify();
}

}  // namespace
}  // namespace tracebed
