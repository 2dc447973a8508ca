#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <variant>

#include "core/decisions.h"
#include "core/fleet.h"

namespace tracebed {
namespace {

TEST(Rounds, HoldTheJobsAddedInOrder) {
  Round round;
  round.add_job().name = "first";
  round.submit(0);
  round.add_job().name = "second";
  round.submit(1);
  ASSERT_EQ(round.jobs().size(), 2u);
  EXPECT_EQ(round.jobs()[1].name, "second");
  ASSERT_EQ(round.arrivals.size(), 2u);
  EXPECT_EQ(std::get<JobSubmitted>(round.arrivals[1]).job, 1u);
}

TEST(Rounds, AreEmptyAfterClearingButKeepTheirJobsMemory) {
  Round round;
  round.add_job().stages.resize(3);
  const Stage* memory = round.jobs()[0].stages.data();
  round.submit(0);
  round.machines.emplace_back();
  round.clear();
  EXPECT_TRUE(round.jobs().empty());
  EXPECT_TRUE(round.arrivals.empty());
  EXPECT_TRUE(round.machines.empty());
  EXPECT_EQ(round.add_job().stages.data(), memory);
}

TEST(Rounds, HoldInputsOfTheNamenodeAmongTheirArrivals) {
  Round round;
  round.arrivals.push_back(NodeLost{NodeId(3u)});
  round.add_storage(DatanodeGone{NodeId(3u)});
  round.add_storage(DatanodeRegistered{NodeId(4u)});
  ASSERT_EQ(round.arrivals.size(), 3u);
  EXPECT_EQ(std::get<StorageArrived>(round.arrivals[1]).input, 0u);
  const std::uint32_t last = std::get<StorageArrived>(round.arrivals[2]).input;
  EXPECT_EQ(round.storage[last], StorageInput(DatanodeRegistered{NodeId(4u)}));
  round.clear();
  EXPECT_TRUE(round.storage.empty());
}

TEST(DecisionLists, KeepEachGangsPiecesApart) {
  Decisions decisions;
  const GangPiece first[] = {{NodeId(0u), 2}, {NodeId(1u), 1}};
  const GangPiece second[] = {{NodeId(5u), 4}};
  decisions.allocate_gang(AskId(0u), first);
  decisions.allocate(AskId(9u), NodeId(3u));
  decisions.allocate_gang(AskId(1u), second);
  ASSERT_EQ(decisions.list().size(), 3u);
  const auto pieces_of = [&](std::size_t index) {
    return decisions.pieces(std::get<AllocateGang>(decisions.list()[index]));
  };
  ASSERT_EQ(pieces_of(0).size(), 2u);
  EXPECT_EQ(pieces_of(0)[1].node, NodeId(1u));
  EXPECT_EQ(pieces_of(0)[1].units, 1u);
  ASSERT_EQ(pieces_of(2).size(), 1u);
  EXPECT_EQ(pieces_of(2)[0].node, NodeId(5u));
}

TEST(DecisionLists, AreEmptyAfterClearing) {
  Decisions decisions;
  decisions.wake_at(trace_time(5));
  const GangPiece old_piece[] = {{NodeId(2u), 1}};
  decisions.allocate_gang(AskId(3u), old_piece);
  EXPECT_FALSE(decisions.empty());
  decisions.clear();
  EXPECT_TRUE(decisions.empty());
  const GangPiece piece[] = {{NodeId(7u), 1}};
  decisions.allocate_gang(AskId(0u), piece);
  EXPECT_EQ(std::get<AllocateGang>(decisions.list()[0]).first_piece, 0u);
}

}  // namespace
}  // namespace tracebed
