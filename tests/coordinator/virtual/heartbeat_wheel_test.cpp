#include "coordinator/virtual/heartbeat_wheel.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

TEST(HeartbeatWheel, HasNothingToWaitForWhileNobodyMatters) {
  HeartbeatWheel wheel(3, seconds(1), Random(1));
  EXPECT_EQ(wheel.next_time(trace_time(0)), never);
}

TEST(HeartbeatWheel, BeatsEachMarkedNodeOncePerPeriodAtItsOwnPhase) {
  HeartbeatWheel wheel(70, seconds(1), Random(7));
  wheel.mark(NodeId(3u), true);
  wheel.mark(NodeId(69u), true);
  std::vector<std::vector<TraceTime>> beats(70);
  TraceTime now = trace_time(0);
  for (int i = 0; i < 10; ++i) {
    now = wheel.next_time(now);
    beats[wheel.take().index()].push_back(now);
  }
  ASSERT_EQ(beats[3].size(), 5u);
  ASSERT_EQ(beats[69].size(), 5u);
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(beats[3][i] - beats[3][i - 1], seconds(1));
    EXPECT_EQ(beats[69][i] - beats[69][i - 1], seconds(1));
  }
}

TEST(HeartbeatWheel, KeepsANodesPhaseOverPausesInWhichItDidNotMatter) {
  HeartbeatWheel wheel(5, seconds(1), Random(7));
  wheel.mark(NodeId(2u), true);
  const TraceTime first = wheel.next_time(trace_time(0));
  wheel.take();
  wheel.mark(NodeId(2u), false);
  EXPECT_EQ(wheel.next_time(trace_time(10'500'000)), never);
  wheel.mark(NodeId(2u), true);
  const TraceTime later = wheel.next_time(trace_time(10'500'000));
  EXPECT_EQ((later - first) % seconds(1), Duration(0));
  EXPECT_GE(later, trace_time(10'500'000));
  EXPECT_LT(later, trace_time(11'500'000));
}

TEST(HeartbeatWheel, DoesNotPassANodeThatBeginsToMatterBeforeItsBeat) {
  HeartbeatWheel wheel(2, seconds(1), Random(7));
  wheel.mark(NodeId(0u), true);
  wheel.mark(NodeId(1u), true);
  const TraceTime early = wheel.next_time(trace_time(0));
  const NodeId first = wheel.take();
  wheel.next_time(early);
  const NodeId second = wheel.take();
  wheel.mark(first, false);
  const TraceTime next_turn = early + seconds(1) - microseconds(1);
  EXPECT_GT(wheel.next_time(next_turn), next_turn + microseconds(1));  // the second node's
  wheel.mark(first, true);
  EXPECT_EQ(wheel.next_time(next_turn), next_turn + microseconds(1));
  EXPECT_NE(first, second);
}

TEST(HeartbeatWheel, NeverBeatsOneNodeTwiceAtOneTime) {
  HeartbeatWheel wheel(1, seconds(1), Random(7));
  wheel.mark(NodeId(0u), true);
  const TraceTime first = wheel.next_time(trace_time(0));
  wheel.take();
  EXPECT_EQ(wheel.next_time(first), first + seconds(1));
}

}  // namespace
}  // namespace tracebed
