#include "coordinator/real/clock_offset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace tracebed {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Optional;

class ClockOffsetTest : public testing::Test {
 protected:
  // A message of ours that took `there`, and the answer to it half a second later that took `back`.
  void exchange(std::chrono::nanoseconds ahead, std::chrono::nanoseconds there,
                std::chrono::nanoseconds back) {
    const wire::WallTime sent = ours_;
    wire::Heartbeat heartbeat;
    heartbeat.echo = {sent, sent + there + ahead};
    heartbeat.wall_clock = sent + there + 500ms + ahead;
    ours_ += there + 500ms + back;
    steady_ += there + 500ms + back;
    offset_.add(heartbeat, ours_, steady_);
  }

  ClockOffset offset_;
  wire::WallTime ours_{1'000'000s};
  ClockOffset::Moment steady_{};
};

TEST_F(ClockOffsetTest, HalfARoundTripBoundsTheError) {
  EXPECT_EQ(offset_.ahead(), 0ns);
  exchange(5s, 30ms, 10ms);
  EXPECT_EQ(offset_.ahead(), 5010ms);  // 10 ms too much: half of what the two ways differ by
  EXPECT_THAT(offset_.uncertainty(), Optional(20ms));
  exchange(5s, 0ms, 40ms);
  EXPECT_EQ(offset_.ahead(), 5010ms) << "no better than what is known";
}

TEST_F(ClockOffsetTest, TheQuickestRoundTripCounts) {
  exchange(-2s, 90ms, 10ms);
  exchange(-2s, 2ms, 2ms);
  exchange(-2s, 8s, 1ms);
  EXPECT_EQ(offset_.ahead(), -2s);
  EXPECT_THAT(offset_.uncertainty(), Optional(2ms));
}

TEST_F(ClockOffsetTest, AClockThatDriftsIsFollowedAfterTwoWindowsAtTheLatest) {
  exchange(0ms, 1ms, 1ms);
  for (int i = 0; i < 80; ++i) exchange(3ms, 5ms, 5ms);  // 41 s in which the first is not disproved
  EXPECT_EQ(offset_.ahead(), 3ms);
}

TEST_F(ClockOffsetTest, AClockThatWasSetIsBelievedAtOnce) {
  exchange(0ms, 1ms, 1ms);
  exchange(-7s, 20ms, 20ms);
  EXPECT_EQ(offset_.ahead(), -7s);
  EXPECT_THAT(offset_.uncertainty(), Optional(20ms));
}

TEST_F(ClockOffsetTest, AHelloCountsUntilARoundTripDoes) {
  offset_.add_stamp(ours_ + 4s, ours_ + 1s);
  EXPECT_EQ(offset_.ahead(), 3s);
  EXPECT_FALSE(offset_.uncertainty());
  exchange(4s, 1ms, 1ms);
  EXPECT_EQ(offset_.ahead(), 4s);
}

TEST_F(ClockOffsetTest, WhatCannotBeIsPassedOver) {
  constexpr wire::WallTime end(std::chrono::nanoseconds(std::numeric_limits<std::int64_t>::max()));
  const auto heard = [&](wire::WallTime sent, wire::WallTime received, wire::WallTime answered) {
    wire::Heartbeat heartbeat;
    heartbeat.echo = {sent, received};
    heartbeat.wall_clock = answered;
    offset_.add(heartbeat, ours_, steady_);
  };
  offset_.add({}, ours_, steady_);       // no echo
  heard(ours_ - 1s, ours_, ours_ + 2s);  // answered later than it came
  heard(ours_ + 1s, ours_, ours_);       // sent after it came
  heard(ours_ - 1s, ours_, end);
  heard(end, end, end);
  offset_.add_stamp(end, ours_);
  EXPECT_EQ(offset_.ahead(), 0ns);
  EXPECT_FALSE(offset_.uncertainty());
}

TEST_F(ClockOffsetTest, WarnsOfWhatIsCertainlyOffAndAgainWhenItChanges) {
  ClockWarnings warnings;
  offset_.add_stamp(ours_ + 4s, ours_);
  EXPECT_EQ(warnings.look("lab1", offset_), std::nullopt) << "the Hello may have been slow";
  exchange(150ms, 60ms, 60ms);
  EXPECT_EQ(warnings.look("lab1", offset_), std::nullopt) << "from 90 to 210 ms";
  exchange(150ms, 10ms, 10ms);
  EXPECT_THAT(warnings.look("lab1", offset_),
              Optional(HasSubstr("agent lab1 is 0.150 s ahead of the coordinator's")));
  exchange(150ms, 10ms, 10ms);
  EXPECT_EQ(warnings.look("lab1", offset_), std::nullopt) << "it was told";
  exchange(-3s, 10ms, 10ms);
  EXPECT_THAT(warnings.look("lab1", offset_), Optional(HasSubstr("3.000 s behind")));
  exchange(-3h, 10ms, 10ms);
  EXPECT_THAT(warnings.look("lab1", offset_), Optional(HasSubstr("10800.000 s behind")));
  exchange(0s, 10ms, 10ms);
  EXPECT_EQ(warnings.look("lab1", offset_), std::nullopt);
  exchange(-3h, 10ms, 10ms);
  EXPECT_THAT(warnings.look("lab1", offset_), Optional(HasSubstr("behind"))) << "once more";
}

}  // namespace
}  // namespace tracebed
