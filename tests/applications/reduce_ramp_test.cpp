// The formulas of Hadoop's RMContainerAllocator, with figures worked by hand.
#include "applications/map_reduce/reduce_ramp.h"

#include <gtest/gtest.h>

#include "core/limited_dimensions.h"

namespace tracebed {
namespace {

TEST(ReduceRamp, SlowStartRoundsTheShareOfMapsUp) {
  struct Case {
    float share;
    std::uint32_t maps;
    std::uint32_t expected;
  };
  // 0.05F × 20 is 1.0 in float arithmetic, though 0.05F is a little more than 0.05; in doubles the
  // ceiling would be two.
  for (const Case& c :
       {Case{0.05F, 20, 1}, Case{0.05F, 21, 2}, Case{0.05F, 1, 1}, Case{0.05F, 0, 0},
        Case{0.0F, 10, 0}, Case{1.0F, 10, 10}, Case{0.8F, 10, 8}, Case{0.33F, 7, 3}}) {
    EXPECT_EQ(slow_start_maps(c.share, c.maps), c.expected) << c.share << " of " << c.maps;
  }
}

ReduceRampState base() {
  ReduceRampState state;
  state.maps_total = 10;
  state.map_demand = Resources(1'000, 1'024);
  state.reduce_demand = Resources(1'000, 1'024);
  return state;
}

TEST(ReduceRamp, AsksForAllReducesOnceEveryMapHasAContainer) {
  ReduceRampState state = base();
  state.maps_assigned = 9;
  state.reduces_pending = 50;
  EXPECT_EQ(ramp_change(state, {}), 50);
}

// The job can have 20 containers: 8 in use by maps and room for 12. Two of ten maps are done, so
// reduces may take a fifth, 4 containers. The maps' part, 16, is more than the 8 running maps, but
// 12 are running or waiting, so 4 of it are left over: 8 reduces in all.
TEST(ReduceRamp, GivesReducesTheShareOfMapsDoneAndWhatMapsLeaveOver) {
  ReduceRampState state = base();
  state.maps_completed = 2;
  state.maps_scheduled = 4;
  state.maps_assigned = 8;
  state.reduces_pending = 30;
  state.headroom = Resources(12'000, 12'288);
  EXPECT_EQ(ramp_change(state, {}), 8);
  state.reduces_scheduled = 6;
  state.reduces_pending = 24;
  EXPECT_EQ(ramp_change(state, {}), 2);
  state.reduces_scheduled = 11;
  state.reduces_pending = 19;
  EXPECT_EQ(ramp_change(state, {}), -3);
}

// The same with no vcore left: the job can have the 8 of its maps, of which reduces may take a
// fifth, one container. Where vcores do not limit, it can have the 20 of the memory.
TEST(ReduceRamp, CountsWhatTheSchedulerCounts) {
  ReduceRampState state = base();
  state.maps_completed = 2;
  state.maps_scheduled = 4;
  state.maps_assigned = 8;
  state.reduces_pending = 30;
  state.headroom = Resources(0, 12'288);
  EXPECT_EQ(ramp_change(state, {}), 1);
  state.headroom = LimitedDimensions::all_but_vcores().told_to_masters(state.headroom);
  EXPECT_EQ(ramp_change(state, {}), 8);
  // A map needs the memory of two reduces, and half of what the job can have is that of 10.
  state.maps_assigned = 0;
  state.reduces_assigned = 20;
  state.headroom[Resources::memory_dimension] = 0;
  state.map_demand = Resources(1'000, 2'048);
  EXPECT_TRUE(is_short_of_room_for_maps(state));
  EXPECT_EQ(reduces_to_preempt(state, 1, {}), 2u);
  EXPECT_EQ(reduces_to_preempt(state, 100, {}), 10u);
}

// 100 maps wait and the job can have 20 containers. Nine of ten are done, but the ramp-up limit
// holds reduces at half: 10.
TEST(ReduceRamp, HoldsReducesAtTheRampUpLimitWhileMapsWait) {
  ReduceRampState state = base();
  state.maps_total = 1'000;
  state.maps_completed = 900;
  state.maps_scheduled = 100;
  state.reduces_pending = 40;
  state.headroom = Resources(20'000, 20'480);
  EXPECT_EQ(ramp_change(state, {}), 10);
}

TEST(ReduceRamp, CountsContainersInTheScarcestDimension) {
  ReduceRampState state = base();
  state.maps_total = 1'000;
  state.maps_completed = 900;
  state.maps_scheduled = 100;
  state.reduces_pending = 40;
  state.reduce_demand = Resources(1'000, 4'096);
  state.headroom = Resources(20'000, 20'480);
  // Half is 10 cores and 10,240 MiB, which is two reduces' memory.
  EXPECT_EQ(ramp_change(state, {}), 2);
}

TEST(ReduceRamp, NeverGoesBelowNoneOrAboveWhatIsPending) {
  ReduceRampState state = base();
  state.maps_scheduled = 10;
  state.reduces_pending = 1;
  state.reduces_scheduled = 2;
  state.headroom = Resources(0, 0);
  EXPECT_EQ(ramp_change(state, {}), -2);
  state.maps_completed = 9;
  state.maps_scheduled = 1;
  state.headroom = Resources(100'000, 102'400);
  EXPECT_EQ(ramp_change(state, {}), 1);
  state.reduces_pending = 0;
  EXPECT_EQ(ramp_change(state, {}), 0);
}

TEST(ReduceRamp, MapsAreShortOfRoomWhenWhatScheduledReducesLeaveHoldsNone) {
  ReduceRampState state = base();
  state.maps_scheduled = 3;
  state.headroom = Resources(2'000, 2'048);
  EXPECT_FALSE(is_short_of_room_for_maps(state));
  state.reduces_scheduled = 2;
  EXPECT_TRUE(is_short_of_room_for_maps(state));
  // One that goes makes room.
  state.reduces_going = 1;
  EXPECT_FALSE(is_short_of_room_for_maps(state));
  state.reduces_going = 0;
  state.maps_assigned = 1;
  EXPECT_FALSE(is_short_of_room_for_maps(state));
  state.maps_assigned = 0;
  state.maps_scheduled = 0;
  EXPECT_FALSE(is_short_of_room_for_maps(state));
}

// Twelve reduces run and nothing is free: the limit is half of twelve. Four maps hang, which need
// four reduces to go; with nine hanging, the limit of six holds.
TEST(ReduceRamp, PreemptsForTheHangingMapsUpToTheLimit) {
  ReduceRampState state = base();
  state.reduces_assigned = 12;
  EXPECT_EQ(reduces_to_preempt(state, 4, {}), 4u);
  EXPECT_EQ(reduces_to_preempt(state, 9, {}), 6u);
  state.reduces_going = 4;
  state.reduces_assigned = 8;
  // Half of the eight that stay is four, and four go already.
  EXPECT_EQ(reduces_to_preempt(state, 9, {}), 0u);
}

// A map of three cores needs three one-core reduces to go, although the limit of half of four is
// two.
TEST(ReduceRamp, MakesRoomForOneMapAtLeast) {
  ReduceRampState state = base();
  state.map_demand = Resources(3'000, 1'024);
  state.reduces_assigned = 4;
  EXPECT_EQ(reduces_to_preempt(state, 1, {}), 3u);
}

}  // namespace
}  // namespace tracebed
