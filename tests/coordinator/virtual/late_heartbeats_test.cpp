#include "coordinator/virtual/late_heartbeats.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <utility>
#include <vector>

#include "coordinator/virtual/heartbeat_wheel.h"
#include "core/random.h"

namespace tracebed {
namespace {

using Beats = std::vector<std::pair<TraceTime, NodeId>>;

constexpr HeartbeatJitter some_jitter{.delay = {milliseconds(40), 3}, .seed = 5};

// Of all nodes, until that time.
Beats beats_until(HeartbeatWheel& wheel, TraceTime end) {
  Beats beats;
  TraceTime now{};
  while ((now = wheel.next_time(now)) <= end) beats.emplace_back(now, wheel.take());
  return beats;
}

HeartbeatWheel wheel_of(std::size_t nodes, const HeartbeatJitter& jitter) {
  HeartbeatWheel wheel(nodes, seconds(1), Random(7), jitter);
  for (std::size_t i = 0; i < nodes; ++i) wheel.mark(NodeId(i), true);
  return wheel;
}

TEST(LateHeartbeats, ComeAfterTheirTimesWithTheMedianAndSpreadOfTheirDelays) {
  constexpr std::size_t nodes = 50;
  HeartbeatWheel punctual = wheel_of(nodes, {});
  HeartbeatWheel late = wheel_of(nodes, some_jitter);
  std::vector<std::vector<TraceTime>> expected(nodes);
  std::vector<std::vector<TraceTime>> found(nodes);
  const TraceTime end = trace_time(200'000'000);
  for (const auto& [time, node] : beats_until(punctual, end))
    expected[node.index()].push_back(time);
  for (const auto& [time, node] : beats_until(late, end)) found[node.index()].push_back(time);
  std::vector<Duration> delays;
  for (std::size_t i = 0; i < nodes; ++i) {
    ASSERT_GE(found[i].size(), expected[i].size() - 1);
    for (std::size_t turn = 0; turn < expected[i].size() - 1; ++turn) {
      delays.push_back(found[i][turn] - expected[i][turn]);
      EXPECT_GT(delays.back(), Duration::zero());
      EXPECT_LT(delays.back(), seconds(1));
    }
  }
  std::sort(delays.begin(), delays.end());
  EXPECT_NEAR(to_seconds(delays[delays.size() / 2]), 0.04, 0.002);
  EXPECT_NEAR(to_seconds(delays[delays.size() * 95 / 100]), 0.12, 0.01);
}

TEST(LateHeartbeats, AreNeverLaterThanTheNext) {
  HeartbeatWheel wheel = wheel_of(3, {.delay = {seconds(30), 1}, .seed = 5});
  std::vector<TraceTime> last(3);
  const Beats beats = beats_until(wheel, trace_time(20'000'000));
  EXPECT_NEAR(static_cast<double>(beats.size()), 3 * 19, 3);
  for (const auto& [time, node] : beats) {
    EXPECT_GT(time, last[node.index()]);
    last[node.index()] = time;
  }
}

// Nodes are marked and unmarked at random: what is found is what all that matter at the time have.
TEST(LateHeartbeats, AreTheSameWhicheverOthersMatter) {
  constexpr std::size_t nodes = 20;
  HeartbeatWheel all = wheel_of(nodes, some_jitter);
  const Beats expected = beats_until(all, trace_time(30'000'000));
  HeartbeatWheel some(nodes, seconds(1), Random(7), some_jitter);
  Random random(3);
  std::set<NodeId> marked;
  std::size_t found = 0;
  for (const auto& [time, node] : expected) {
    // Also those that are not there yet at the time of a call.
    some.next_time(time - microseconds(1));
    for (int i = 0; i < 3; ++i) {
      const NodeId other(random.below(nodes));
      const bool matters = random.below(2) == 0;
      some.mark(other, matters);
      matters ? static_cast<void>(marked.insert(other)) : static_cast<void>(marked.erase(other));
      EXPECT_EQ(some.is_marked(other), matters);
    }
    if (!marked.contains(node)) {
      EXPECT_GT(some.next_time(time), time);
      continue;
    }
    EXPECT_EQ(some.next_time(time), time);
    EXPECT_EQ(some.take(), node);
    ++found;
  }
  EXPECT_GT(found, expected.size() / 4);
  for (const NodeId node : std::set<NodeId>(marked)) some.mark(node, false);
  EXPECT_EQ(some.next_time(trace_time(31'000'000)), never);
}

}  // namespace
}  // namespace tracebed
