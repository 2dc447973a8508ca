// Room that the Capacity scheduler's preemption makes for gangs.
#include "schedulers/yarn/capacity_starving.h"

namespace tracebed {
namespace {

using testing::SizeIs;

// A gang of 40 fits in b's guarantee, so all of it is wanted; one of 60 does not, and room for a
// part of it would help nobody.
TEST(CapacityPreemption, AGangThatWaitsIsStarvedAsAWhole) {
  for (const std::uint32_t units : {40U, 60U}) {
    Starving story(preempting(), halves, 0);
    story.harness().ask(story.poor, {.demand = gib(1), .pending = units, .kind = StageKind::gang});
    EXPECT_EQ(story.pass(seconds(3)), units == 40 ? "ask 98, ask 99" : "");
  }
}

// Two users want 30 GiB each, all at once, and their queue can be given 50: room is made for one of
// the gangs, since a part of the other would help nobody.
TEST(CapacityPreemption, OnlyGangsThatFitInTheGuaranteeTogetherAreMadeRoomFor) {
  Starving story(preempting({{"preemption.natural_termination_factor", "1"},
                             {"preemption.total_preemption_per_round", "1"}}),
                 halves, 0);
  for (const ApplicationId each : {story.poor, story.world.submit("b", "ben")}) {
    story.harness().ask(each, {.demand = gib(1), .pending = 30, .kind = StageKind::gang});
  }
  story.pass(seconds(3));
  EXPECT_THAT(story.harness().preemptions(), SizeIs(30));
}

// a would take back what it gives, but b's gang has the next turn.
TEST(CapacityPreemption, WhatIsGivenBackOneByOneIsNotGivenAwayBeforeTheGangHasAll) {
  Starving story(preempting({{"preemption.natural_termination_factor", "1"},
                             {"preemption.total_preemption_per_round", "1"}}),
                 halves, 0);
  story.world.ask(story.rich, 1, 100);
  story.harness().ask(story.poor, {.demand = gib(1), .pending = 40, .kind = StageKind::gang});
  story.pass(seconds(3));
  for (int freed = 0; freed < 40; ++freed) {
    ASSERT_EQ(story.world.used(story.rich), 100 - freed);
    ASSERT_EQ(story.world.used(story.poor), 0);
    story.harness().end(ContainerId(99u - static_cast<std::uint32_t>(freed)));
    story.world.fill_all();
  }
  EXPECT_EQ(story.world.used(story.poor), 40);
  EXPECT_EQ(story.pass(seconds(60)), "") << "nobody is short of anything";
}

}  // namespace
}  // namespace tracebed
