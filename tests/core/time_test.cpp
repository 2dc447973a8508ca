#include "core/time.h"

#include <chrono>
#include <gtest/gtest.h>
#include <type_traits>

namespace tracebed {
namespace {

template <class Clock>
concept HasNow = requires {
  Clock::now();
};
template <class Left, class Right>
concept CanSubtract = requires(Left left, Right right) {
  left - right;
};
template <class Left, class Right>
concept CanCompare = requires(Left left, Right right) {
  left < right;
};

static_assert(!HasNow<TraceClock>, "decision code is told the time, it cannot ask");
static_assert(HasNow<std::chrono::steady_clock>);
static_assert(CanSubtract<TraceTime, TraceTime>);
static_assert(!CanSubtract<TraceTime, std::chrono::steady_clock::time_point>);
static_assert(!CanCompare<TraceTime, std::chrono::system_clock::time_point>);
static_assert(!std::is_convertible_v<std::chrono::nanoseconds, Duration>,
              "nothing finer than a microsecond gets lost on the way in");
static_assert(!std::is_convertible_v<std::chrono::duration<double>, Duration>);

TEST(TraceTimes, UnitsConvertWithoutRounding) {
  EXPECT_EQ(seconds(3), milliseconds(3000));
  EXPECT_EQ(milliseconds(3), microseconds(3000));
  EXPECT_EQ(seconds(-2).count(), -2'000'000);
}

TEST(TraceTimes, CountMicrosecondsSinceTheStartOfTheTrace) {
  EXPECT_EQ(trace_time(0), TraceTime{});
  EXPECT_EQ(to_microseconds(trace_time(17) + seconds(1)), 1'000'017);
  EXPECT_EQ(trace_time(5'000'000) - trace_time(2'000'000), seconds(3));
}

TEST(TraceTimes, NeverIsLaterThanEverythingElse) {
  // A thousand years of trace.
  EXPECT_LT(trace_time(0) + seconds(86'400LL * 365 * 1000), never);
}

TEST(TraceTimes, ReadAsSecondsForPeople) {
  EXPECT_DOUBLE_EQ(to_seconds(milliseconds(1500)), 1.5);
  EXPECT_DOUBLE_EQ(to_seconds(trace_time(-250'000)), -0.25);
}

}  // namespace
}  // namespace tracebed
