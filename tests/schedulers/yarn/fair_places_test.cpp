// How the Fair Scheduler waits for the places that asks name, and looks for places of its own
// accord.
#include <gmock/gmock.h>

#include "schedulers/yarn/fair_story.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

// ---- places ----

SettingValues thresholds(const char* node, const char* rack) {
  return {{"locality_threshold_node", node}, {"locality_threshold_rack", rack}};
}

// Section 5.5, with 10 nodes and thresholds of 0.5 and 0.6: five offers are declined for the node,
// the sixth may be of its rack; six more for the rack, the next may be any.
// Proves: 5.5.delay, 5.5.delay-tightens
TEST(FairLocality, Section55AskedForPlacesAreWaitedFor) {
  FairStory story("", thresholds("0.5", "0.6"));
  const auto near = story.nodes(5, {8'000, 8'192}, 0);
  const auto far = story.nodes(5, {8'000, 8'192}, 1);
  const ApplicationId id =
      story.run({}, {.pending = 4, .nodes = {{near[0], 4}}, .racks = {{RackId(0u), 4}}});
  EXPECT_EQ(story.beat(near[1], 5), "");
  EXPECT_THAT(story.why(id), HasSubstr("locality: it insists on the nodes that it names until "
                                       "more than 5.0 nodes were offered (50.0% of 10); 5 were"));
  EXPECT_EQ(story.beat(near[1]), "0") << "the sixth offer";
  EXPECT_EQ(story.beat(far[0], 5), "") << "the counter began again, and its first offer was taken";
  EXPECT_EQ(story.beat(far[0], 2), "0") << "the seventh";
  EXPECT_EQ(story.beat(near[0]), "0") << "one that is asked for is taken at once";
  EXPECT_EQ(story.beat(far[0]), "") << "and is insisted on again";
}

// Proves: 5.5.no-delay
TEST(FairLocality, Section55ANegativeThresholdTakesAnything) {
  FairStory story("", thresholds("0.5", "-1"));
  const auto near = story.nodes(1, {8'000, 8'192}, 0);
  const auto far = story.nodes(1, {8'000, 8'192}, 1);
  story.run({}, {.nodes = {{near[0], 1}}, .racks = {{RackId(0u), 1}}});
  EXPECT_EQ(story.beat(far[0]), "0");
}

TEST(FairLocality, WhoNamesNoPlaceWaitsForNone) {
  FairStory story("", thresholds("1", "1"));
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({});
  EXPECT_EQ(story.beat(node), "0");
}

TEST(FairLocality, AnAskThatDoesNotRelaxIsPlacedWhereItSays) {
  FairStory story;
  const auto near = story.nodes(1, {8'000, 8'192}, 0);
  const auto far = story.nodes(1, {8'000, 8'192}, 1);
  story.run({}, {.pending = 3, .relax_locality = false, .nodes = {{near[0], 2}}});
  EXPECT_EQ(story.beat(far[0]), "");
  EXPECT_EQ(story.beat(near[0], 3), "0 0");
}

// A waiting ask blocks nothing: the application's next one is tried, and other applications.
TEST(FairLocality, AnotherAskGoesOnWhileOneWaits) {
  FairStory story("", thresholds("1", "1"));
  const auto near = story.nodes(1, {8'000, 8'192}, 0);
  const auto far = story.nodes(1, {8'000, 8'192}, 1);
  const ApplicationId id =
      story.run({}, {.priority = 1, .nodes = {{near[0], 1}}, .racks = {{RackId(0u), 1}}});
  story.harness().ask(id, {.priority = 2});
  story.harness().decide();
  EXPECT_EQ(story.beat(far[0]), "0");
  EXPECT_EQ(story.harness().cluster().asks[story.last_ask()].pending, 1u);
}

// In one call three nodes of a rack beat. The first offer is declined for a node; the second takes
// the one unit that is wished for in the rack; the third finds that wish used up. In the next call
// no place is named any more, so all take one.
TEST(FairLocality, WishesAreCountedWithinACall) {
  FairStory story("", thresholds("0", "1"));
  story.nodes(3, {8'000, 8'192}, 0);
  story.run({}, {.pending = 9, .racks = {{RackId(0u), 1}}});
  story.harness().heartbeat_all();
  EXPECT_EQ(story.harness().decide().size(), 1u);
  story.harness().heartbeat_all();
  EXPECT_EQ(story.harness().decide().size(), 3u);
}

// ---- continuous scheduling ----

TEST(FairContinuous, OffersTheEmptiestNodesBetweenHeartbeats) {
  FairStory story("<queue name='a'/>", {{"continuous_scheduling", "true"}});
  story.nodes(1, {8'000, 4'096});
  const NodeId large = story.nodes(1, {8'000, 8'192})[0];
  story.run({.queue = "a"}, {.pending = 1});
  EXPECT_EQ(story.harness().wake_at(), TraceTime(milliseconds(5)));
  story.harness().advance(milliseconds(5));
  const auto placed = story.harness().decide();
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed[0].node, large);
  EXPECT_EQ(story.harness().wake_at(), never);
}

// Two rounds give two nodes one container each; then nothing fits, and it stops until something
// happens.
TEST(FairContinuous, StopsWhenARoundCameToNothing) {
  FairStory story("<queue name='a'/>", {{"continuous_scheduling", "true"}});
  story.nodes(2, {1'000, 1'024});
  story.run({.queue = "a"}, {.pending = 3});
  story.harness().advance(milliseconds(20));
  const auto placed = story.harness().decide();
  ASSERT_EQ(placed.size(), 2u);
  EXPECT_EQ(story.harness().wake_at(), never);
  story.harness().end(placed[0].container);
  story.harness().advance(seconds(1));
  EXPECT_EQ(story.harness().decide().size(), 1u);
}

// Waits 50 ms for the node and 30 ms for the rack: more than 50 ms after the first round, at 5 ms,
// is at 60 ms, and more than 30 ms after that at 95 ms.
// Proves: 5.5.delay-by-time
TEST(FairContinuous, WaitsForPlacesByTime) {
  FairStory story("", {{"continuous_scheduling", "true"},
                       {"locality_delay_node_ms", "50"},
                       {"locality_delay_rack_ms", "30"}});
  const auto near = story.nodes(1, {1'000, 1'024}, 0);
  story.nodes(1, {8'000, 8'192}, 1);
  story.run({.queue = "b"}, {.relax_locality = false, .nodes = {{near[0], 1}}});
  EXPECT_EQ(story.beat(near[0]), "0");
  story.run({.queue = "c"}, {.nodes = {{near[0], 1}}, .racks = {{RackId(0u), 1}}});
  story.harness().advance(milliseconds(94));
  EXPECT_TRUE(story.harness().decide().empty());
  story.harness().advance(milliseconds(1));
  EXPECT_EQ(story.harness().decide().size(), 1u);
}

}  // namespace
}  // namespace tracebed
