#include "coordinator/real/replay_clock.h"

#include <gtest/gtest.h>

namespace tracebed::test {
namespace {

using namespace std::chrono_literals;

TEST(ReplayClock, RunsAtItsScaleFromItsStart) {
  ReplayClock clock(60);
  EXPECT_EQ(clock.now(), trace_time(0));
  const auto before = std::chrono::steady_clock::now();
  clock.start();
  const auto after = std::chrono::steady_clock::now();
  EXPECT_GE(clock.at(after + 2s), trace_time(120'000'000));
  EXPECT_LE(clock.at(before + 2s), trace_time(120'000'000));
  EXPECT_EQ(clock.at(before - 2s), trace_time(0));
  EXPECT_EQ(clock.to_wall(seconds(60)), 1s);
  EXPECT_EQ(clock.to_trace(500ms), seconds(30));
  EXPECT_EQ(clock.moment_of(never), WallMoment::max());
  const TraceTime later = trace_time(7'000'001);
  EXPECT_GE(clock.at(clock.moment_of(later)), later - microseconds(1));
}

}  // namespace
}  // namespace tracebed::test
