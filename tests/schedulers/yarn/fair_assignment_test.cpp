// How the Fair Scheduler gives nodes out: order, several containers a heartbeat, maxima,
// reservations, gangs. Figures are worked by hand.
#include <gmock/gmock.h>

#include "schedulers/yarn/fair_story.h"

namespace tracebed {
namespace {

const Resources small(1'000, 1'024);

// Proves: 5.5.one-a-heartbeat
TEST(FairAssignment, OneContainerAHeartbeatUnlessToldOtherwise) {
  FairStory story;
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({}, {.pending = 5});
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_EQ(story.beat(node), "0");
}

// Two applications of one queue use the same, so the earlier is first; then they take turns.
TEST(FairAssignment, ApplicationsOfAQueueTakeTurns) {
  FairStory story;
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({.queue = "a"}, {.pending = 5});
  story.run({.queue = "a"}, {.pending = 5});
  EXPECT_EQ(story.beat(node, 5), "0 1 0 1 0");
}

// Section 5.5: go on while what was given is at most half of what was free: 8 → 5, 3 → 2, 1 → 1.
// Proves: 5.5.dynamic
TEST(FairAssignment, Section55DynamicAssignmentGivesHalfAndOneMore) {
  FairStory story("", {{"assign_multiple", "true"}});
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({}, {.pending = 20});
  EXPECT_EQ(story.beat(node), "0 0 0 0 0");
  EXPECT_EQ(story.beat(node), "0 0");
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_EQ(story.beat(node), "");
}

// Proves: 5.5.max-assign
TEST(FairAssignment, Section55WithoutDynamicAssignmentItGoesOnToTheMaximum) {
  FairStory three(
      "", {{"assign_multiple", "true"}, {"dynamic_max_assign", "false"}, {"max_assign", "3"}});
  const NodeId node = three.nodes(1, {8'000, 8'192})[0];
  three.run({}, {.pending = 20});
  EXPECT_EQ(three.beat(node), "0 0 0");
  FairStory any("", {{"assign_multiple", "true"}, {"dynamic_max_assign", "false"}});
  any.nodes(1, {8'000, 8'192});
  any.run({}, {.pending = 20});
  EXPECT_EQ(any.beat(node), "0 0 0 0 0 0 0 0");
}

// Section 5.4: of queues with a minimum share, the one that is farther below it comes first. a is
// below its minimum of 2048 until it has two containers; then both go by what they use.
// Proves: 5.4.fair-needy-first
TEST(FairAssignment, Section54QueuesBelowTheirMinimumShareComeFirst) {
  FairStory story(
      "<queue name='a'><minResources>2048 mb, 0 vcores</minResources></queue><queue name='b'/>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({.queue = "b"}, {.pending = 5});
  story.run({.queue = "a"}, {.pending = 5});
  EXPECT_EQ(story.beat(node, 6), "1 1 0 0 1 0");
}

// a weighs twice what b does: after one each, a's quotient is 512 and b's 1024.
// Proves: 5.4.fair-by-weight
TEST(FairAssignment, Section54QueuesGoByUseOverWeight) {
  FairStory story("<queue name='a'><weight>2</weight></queue><queue name='b'/>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({.queue = "b"}, {.pending = 5});
  story.run({.queue = "a"}, {.pending = 5});
  EXPECT_EQ(story.beat(node, 6), "1 0 1 1 0 1");
}

// Cluster: 9 cores, 18 GiB. Containers of the first take (1 core, 4 GiB), of the second (3 cores,
// 1 GiB): the example of the DRF paper. Dominant shares go 2/9 and 3/9 up: 0 (2/9), 1 (3/9), 0
// (4/9), 1 (6/9), 0 (6/9).
// Proves: 5.4.drf-dominant
TEST(FairAssignment, Section54DrfGivesToTheSmallestDominantShare) {
  FairStory story(
      "<queue name='root'><schedulingPolicy>drf</schedulingPolicy>"
      "<queue name='q'><schedulingPolicy>drf</schedulingPolicy></queue></queue>");
  const NodeId node = story.nodes(1, {9'000, 18'432})[0];
  story.run({.queue = "q"}, {.demand = {1'000, 4'096}, .pending = 9});
  story.run({.queue = "q"}, {.demand = {3'000, 1'024}, .pending = 9});
  EXPECT_EQ(story.beat(node, 6), "0 1 0 1 0");
}

// Proves: 5.4.fifo
TEST(FairAssignment, Section54FifoGivesToTheEarliest) {
  FairStory story("<queue name='q'><schedulingPolicy>fifo</schedulingPolicy></queue>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({.queue = "q"}, {.pending = 3});
  story.run({.queue = "q"}, {.pending = 3});
  EXPECT_EQ(story.beat(node, 5), "0 0 0 1 1");
}

// Section 5.5: the ask must fit the maximum of every ancestor.
// Proves: 5.5.maximum
TEST(FairAssignment, Section55NothingIsGivenAboveAnAncestorsMaximum) {
  FairStory story(
      "<queue name='p'><maxResources>2048 mb, 8 vcores</maxResources>"
      "<queue name='x'/><queue name='y'/></queue>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({.queue = "p.x"}, {.pending = 5});
  story.run({.queue = "p.y"}, {.pending = 5});
  EXPECT_EQ(story.beat(node, 5), "0 1");
  EXPECT_THAT(story.why(ApplicationId(0u)),
              testing::HasSubstr("queue_room: it asks for (memory: 1024, vCores: 1), and queue "
                                 "root.p uses (memory: 2048, vCores: 2) of at most"));
}

// Proves: G6.parents-do-not-bind
TEST(FairAssignment, Hadoop20AncestorsDoNotBind) {
  FairStory story(
      "<queue name='p'><maxResources>2048 mb, 8 vcores</maxResources>"
      "<queue name='x'/><queue name='y'/></queue>",
      {{"semantics", "hadoop-2.0"}});
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({.queue = "p.x"}, {.pending = 5});
  EXPECT_EQ(story.beat(node, 5), "0 0 0 0 0");
}

// Section 5.5: lowering a maximum takes nothing away, but the queue gets no more.
// Proves: 5.5.lowered-maximum
TEST(FairAssignment, Section55LoweringAMaximumTakesNothingAway) {
  FairStory story("<queue name='a'/>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({.queue = "a"}, {.pending = 9});
  EXPECT_EQ(story.beat(node, 3), "0 0 0");
  ASSERT_TRUE(
      story.reconfigure("<queue name='a'><maxResources>2048 mb, 8 vcores</maxResources>"
                        "</queue>"));
  EXPECT_EQ(story.beat(node), "");
  EXPECT_EQ(story.queue("root.a").used, small * 3);
}

TEST(FairAssignment, AContainerAboveMaxContainerAllocationIsNeverGiven) {
  FairStory story(
      "<queue name='a'><maxContainerAllocation>1024 mb, 1 vcores</maxContainerAllocation>"
      "</queue>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  const ApplicationId large = story.run({.queue = "a"}, {.demand = {1'000, 2'048}});
  story.run({.queue = "a"}, {});
  EXPECT_EQ(story.beat(node, 2), "1");
  EXPECT_THAT(story.why(large), testing::HasSubstr("lets one container have (memory: 1024, "));
}

// Four vcores hold four containers, whatever memory is left and whatever the policy counts.
// Proves: 5.5.room
TEST(FairAssignment, AContainerMustFitInMemoryAndVcoresUnderEveryPolicy) {
  for (const char* policy : {"<queue name='a'><schedulingPolicy>fair</schedulingPolicy></queue>",
                             "<queue name='a'><schedulingPolicy>fifo</schedulingPolicy></queue>",
                             "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"}) {
    FairStory story(policy);
    const NodeId node = story.nodes(1, {4'000, 16'384})[0];
    story.run({.queue = "a"}, {.pending = 20});
    EXPECT_EQ(story.beat(node, 20), "0 0 0 0") << policy;
  }
}

// ---- reservations ----

// The node has 4 GiB, of which 3 are in use. The second application uses nothing of its share, and
// its ask of 2 GiB is twice the increment: it reserves the node, so the first gets nothing more,
// and takes it when it is free.
// Proves: 5.5.reservation-first, 5.5.reserve-if-starved
TEST(FairAssignment, Section55AStarvedApplicationReservesANode) {
  FairStory story;
  const NodeId node = story.nodes(1, {8'000, 4'096})[0];
  story.run({.queue = "a"}, {.pending = 9});
  EXPECT_EQ(story.beat(node, 3), "0 0 0");
  const ApplicationId large = story.run({.queue = "b"}, {.demand = {1'000, 2'048}});
  EXPECT_EQ(story.beat(node, 2), "");
  ASSERT_EQ(story.scheduler().view(story.harness().cluster()).reservations.size(), 1u);
  EXPECT_THAT(story.why(large), testing::HasSubstr("reservation: node 0 is kept for it until "
                                                   "(memory: 2048, vCores: 1) are free there; "
                                                   "(memory: 1024, vCores: 5) are"));
  EXPECT_TRUE(story.scheduler().heartbeat_interest().any);
  story.harness().end(story.placements()[0].container);
  EXPECT_EQ(story.beat(node), "1");
  EXPECT_TRUE(story.scheduler().view(story.harness().cluster()).reservations.empty());
}

// 1536 MiB are less than two increments.
// Proves: 5.5.reserve-if-large
TEST(FairAssignment, Section55ASmallAskReservesNothing) {
  FairStory story;
  const NodeId node = story.nodes(1, {8'000, 4'096})[0];
  story.run({.queue = "a"}, {.pending = 9});
  EXPECT_EQ(story.beat(node, 3), "0 0 0");
  story.run({.queue = "b"}, {.demand = {1'000, 1'536}});
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_TRUE(story.scheduler().view(story.harness().cluster()).reservations.empty());
}

// The application has its whole fair share of 4 GiB, so it is not starved.
// Proves: 5.5.reserve-if-starved
TEST(FairAssignment, Section55AnApplicationAtItsShareReservesNothing) {
  FairStory story;
  const NodeId node = story.nodes(1, {8'000, 4'096})[0];
  story.run({}, {.demand = {1'000, 4'096}, .pending = 2});
  EXPECT_EQ(story.beat(node, 2), "0");
  EXPECT_TRUE(story.scheduler().view(story.harness().cluster()).reservations.empty());
}

// The cluster has 8704 MiB, so each queue's share is 4352. The first application uses 5120, so its
// ask of 4 GiB reserves nothing, though its leaf is gone through for the smaller ask that would
// fit.
// Proves: 5.5.reserve-if-starved
TEST(FairAssignment, Section55AnApplicationAboveItsShareReservesNothing) {
  FairStory story("<queue name='a'/><queue name='b'/>");
  const NodeId large = story.nodes(1, {8'000, 8'192})[0];
  const NodeId tiny = story.nodes(1, {1'000, 512})[0];
  story.run({.queue = "b"},
            {.demand = {1'000, 512}, .relax_locality = false, .nodes = {{tiny, 1}}});
  const ApplicationId rich = story.run({.queue = "a"}, {.pending = 5});
  EXPECT_EQ(story.beat(large, 5), "1 1 1 1 1");
  story.harness().ask(rich, {.demand = {1'000, 4'096}, .priority = 1});
  story.harness().ask(rich, {.priority = 2});
  EXPECT_EQ(story.beat(large), "");
  EXPECT_TRUE(story.scheduler().view(story.harness().cluster()).reservations.empty());
}

// Of 20 nodes one application may reserve ceil(20 × 0.05) = 1.
// Proves: 5.5.reserve-few
TEST(FairAssignment, Section55AnApplicationReservesAPartOfTheNodes) {
  FairStory story("", {{"assign_multiple", "true"}, {"dynamic_max_assign", "false"}});
  const auto nodes = story.nodes(20, {8'000, 2'048});
  story.run({.queue = "a"}, {.pending = 20});
  for (const NodeId node : nodes) story.beat(node);
  // Ten nodes are full; of the others each has room.
  const ApplicationId large = story.run({.queue = "b"}, {.demand = {1'000, 2'048}, .pending = 20});
  story.run({.queue = "a"}, {.demand = {1'000, 512}, .pending = 20});
  for (const NodeId node : nodes) story.beat(node);
  EXPECT_EQ(story.scheduler().view(story.harness().cluster()).reservations.size(), 1u);
  EXPECT_EQ(story.scheduler().view(story.harness().cluster()).reservations[0].application, large);
}

TEST(FairAssignment, AReservationGoesWithItsApplication) {
  FairStory story;
  const NodeId node = story.nodes(1, {8'000, 4'096})[0];
  story.run({.queue = "a"}, {.pending = 9});
  EXPECT_EQ(story.beat(node, 3), "0 0 0");
  const ApplicationId large = story.run({.queue = "b"}, {.demand = {1'000, 2'048}});
  story.beat(node);
  story.harness().finish(large);
  EXPECT_EQ(story.beat(node), "0");
}

TEST(FairAssignment, AReservationIsGivenUpWhenItsAskIsSatisfiedElsewhere) {
  FairStory story;
  const auto nodes = story.nodes(2, {8'000, 4'096});
  story.run({.queue = "a"}, {.pending = 9});
  EXPECT_EQ(story.beat(nodes[0], 3), "0 0 0");
  story.run({.queue = "b"}, {.demand = {1'000, 2'048}});
  EXPECT_EQ(story.beat(nodes[0]), "");
  EXPECT_EQ(story.beat(nodes[1]), "1");
  EXPECT_EQ(story.beat(nodes[0]), "0");
}

TEST(FairAssignment, AReservationGoesWithItsNode) {
  FairStory story;
  const auto nodes = story.nodes(2, {8'000, 4'096});
  story.run({.queue = "a"}, {.pending = 9});
  story.beat(nodes[0], 3);
  story.run({.queue = "b"}, {.demand = {1'000, 2'048}});
  story.beat(nodes[0]);
  story.harness().remove_node(nodes[0]);
  story.harness().decide();
  EXPECT_TRUE(story.scheduler().view(story.harness().cluster()).reservations.empty());
}

// ---- gangs, refusals ----

// b reserves the first node, of which one unit's room is free; the gang may have the other two
// nodes, eight units.
TEST(FairAssignment, AGangIsPlacedWholeAroundReservedNodes) {
  FairStory story;
  const auto nodes = story.nodes(3, {4'000, 4'096});
  story.run({.queue = "a"}, {.pending = 3});
  story.beat(nodes[0], 3);
  story.run({.queue = "b"},
            {.demand = {1'000, 4'096}, .relax_locality = false, .nodes = {{nodes[0], 1}}});
  story.beat(nodes[0]);
  ASSERT_EQ(story.scheduler().view(story.harness().cluster()).reservations.size(), 1u);
  const ApplicationId gang = story.run({.queue = "c"}, {.pending = 9, .kind = StageKind::gang});
  EXPECT_EQ(story.beat(nodes[1]), "");
  story.harness().set_pending(story.last_ask(), 8);
  EXPECT_EQ(story.beat(nodes[1]), "2 2");
  EXPECT_EQ(story.harness().cluster().applications[gang].used, small * 8);
}

TEST(FairAssignment, AGangMustFitItsQueuesMaximumWhole) {
  FairStory story("<queue name='a'><maxResources>3072 mb, 8 vcores</maxResources></queue>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({.queue = "a"}, {.pending = 4, .kind = StageKind::gang});
  EXPECT_EQ(story.beat(node), "");
  story.harness().set_pending(story.last_ask(), 3);
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_EQ(story.queue("root.a").used, small * 3);
}

TEST(FairAssignment, WhatWasRefusedIsTakenBack) {
  FairStory story("", {{"assign_multiple", "true"}, {"dynamic_max_assign", "false"}});
  const NodeId node = story.nodes(1, {4'000, 4'096})[0];
  story.run({}, {.pending = 3});
  story.harness().refuse_next(2);
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_EQ(story.queue("root").used, small);
  EXPECT_EQ(story.beat(node), "0 0");
  EXPECT_EQ(story.queue("root").used, small * 3);
}

TEST(FairAssignment, WantsNoHeartbeatWhenNothingWaits) {
  FairStory story;
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  EXPECT_FALSE(story.scheduler().heartbeat_interest().any);
  story.run({}, {.demand = {2'000, 512}});
  EXPECT_TRUE(story.scheduler().heartbeat_interest().any);
  EXPECT_EQ(story.scheduler().heartbeat_interest().minimum, Resources(2'000, 512));
  story.beat(node);
  EXPECT_FALSE(story.scheduler().heartbeat_interest().any);
}

}  // namespace
}  // namespace tracebed
