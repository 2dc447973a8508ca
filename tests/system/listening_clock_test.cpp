#include "system/listening_clock.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

using namespace std::chrono_literals;
using Moment = ListeningClock::Moment;

TEST(ListeningClock, CountsTheTimeInWhichItsOwnerLooks) {
  const Moment begin{};
  ListeningClock clock(500ms, begin);
  for (int i = 1; i <= 20; ++i) EXPECT_EQ(clock.look(begin + i * 250ms), 0ms);
  EXPECT_EQ(clock.now(), begin + 5s);
  EXPECT_EQ(clock.to_monotonic(begin + 6s), begin + 6s);
}

TEST(ListeningClock, LeavesOutWhatItsOwnerStoodStill) {
  const Moment begin{};
  ListeningClock clock(500ms, begin);
  clock.look(begin + 1s);  // half a second late
  EXPECT_EQ(clock.look(begin + 16s), 14'500ms);
  EXPECT_EQ(clock.now(), begin + 1s);
  EXPECT_EQ(clock.look(begin + 16'250ms), 0ms);
  EXPECT_EQ(clock.now(), begin + 1'250ms);
  EXPECT_EQ(clock.to_monotonic(begin + 2s), begin + 17s);
  EXPECT_EQ(clock.to_monotonic(Moment::max()), Moment::max());
}

TEST(ListeningClock, NeverGoesBack) {
  const Moment begin{};
  ListeningClock clock(500ms, begin);
  clock.look(begin + 400ms);
  EXPECT_EQ(clock.look(begin + 100ms), 0ms);
  EXPECT_EQ(clock.now(), begin + 400ms);
}

}  // namespace
}  // namespace tracebed
