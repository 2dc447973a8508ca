// What the Fair Scheduler does as time passes: shares and demands at updates, weights that change
// with age, limits of masters; and its settings.
#include <gmock/gmock.h>

#include "schedulers/yarn/fair_story.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

// ---- updates ----

// Node and first ask come at 0, when there is an update anyway. The second application asks at
// 0.2 s, which the update at 0.5 s sees.
TEST(FairUpdates, AnAskIsServedOnceAnUpdateHasSeenIt) {
  FairStory story;
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.run({}, {.pending = 2});
  EXPECT_EQ(story.beat(node), "0");
  story.harness().advance(milliseconds(200));
  const ApplicationId late = story.run({.queue = "b"}, {.pending = 2});
  EXPECT_THAT(story.why(late),
              HasSubstr("its_turn: the scheduler looks for new demands every 500 ms, and has not"));
  EXPECT_EQ(story.harness().wake_at(), TraceTime(milliseconds(500)));
  story.harness().advance(milliseconds(299));
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_EQ(story.beat(node), "");
  story.harness().advance(milliseconds(1));
  EXPECT_EQ(story.beat(node, 2), "1 1");
}

TEST(FairUpdates, WithoutAnIntervalAnAskIsServedAtOnce) {
  FairStory story("", {{"update_interval_ms", "0"}});
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  story.harness().advance(milliseconds(200));
  story.run({});
  EXPECT_EQ(story.beat(node), "0");
}

// The update that the node brings at 0.2 s is followed by one at 0.7 s.
TEST(FairUpdates, ANodeThatComesBringsAnUpdateAndMovesTheNextOnes) {
  FairStory story;
  story.nodes(1, {8'000, 8'192});
  story.harness().advance(milliseconds(100));
  story.run({.queue = "a"});
  story.harness().advance(milliseconds(100));
  const NodeId second = story.nodes(1, {8'000, 8'192})[0];
  EXPECT_EQ(story.beat(second), "0");
  story.harness().advance(milliseconds(100));
  story.run({.queue = "b"});
  story.harness().advance(milliseconds(399));
  EXPECT_EQ(story.beat(second), "");
  story.harness().advance(milliseconds(1));
  EXPECT_EQ(story.beat(second), "1");
}

TEST(FairUpdates, NothingToUpdateWakesNobody) {
  FairStory story("<queue name='a'/>");
  story.nodes(1, {8'000, 8'192});
  EXPECT_EQ(story.harness().wake_at(), never);
}

// ---- shares ----

// Section 5.3: a queue without runnable applications gets no instantaneous share, but a steady one.
// 9 GiB among three equal queues: 3072 each; among the two that run: 4608.
TEST(FairSharesInARun, Section53OnlyQueuesThatRunShareInstantaneously) {
  FairStory story("<queue name='a'/><queue name='b'/><queue name='c'/>");
  story.nodes(1, {9'000, 9'216});
  story.run({.queue = "a"});
  story.run({.queue = "b"});
  EXPECT_EQ(story.figure("root.a", "Instantaneous Fair Share"), "memory: 4608");
  EXPECT_EQ(story.figure("root.c", "Instantaneous Fair Share"), "memory: 0");
  EXPECT_EQ(story.figure("root.c", "Steady Fair Share"), "memory: 3072");
  EXPECT_EQ(story.queue("root.c").entitled, Resources(0, 3'072));
}

// 12 GiB: a has twice the weight of b; below a, x and y share its 8 GiB.
TEST(FairSharesInARun, Section53SharesGoDownTheTree) {
  FairStory story(
      "<queue name='a'><weight>2</weight><queue name='x'/><queue name='y'/></queue>"
      "<queue name='b'/>");
  story.nodes(1, {12'000, 12'288});
  story.run({.queue = "a.x"});
  story.run({.queue = "a.y"});
  story.run({.queue = "b"});
  EXPECT_EQ(story.figure("root.a", "Instantaneous Fair Share"), "memory: 8192");
  EXPECT_EQ(story.figure("root.a.x", "Instantaneous Fair Share"), "memory: 4096");
  EXPECT_EQ(story.figure("root.b", "Instantaneous Fair Share"), "memory: 4096");
}

// Section 5.3: the demand of queues counts waiting applications too, and stops at the maximum.
TEST(FairSharesInARun, Section53DemandCountsWaitingApplicationsUpToTheMaximum) {
  FairStory story(
      "<queue name='a'><maxRunningApps>1</maxRunningApps></queue>"
      "<queue name='b'><maxResources>2048 mb, 2 vcores</maxResources></queue>");
  story.nodes(1, {9'000, 9'216});
  story.run({.queue = "a"}, {.pending = 2});
  story.run({.queue = "a"}, {.pending = 3});
  story.run({.queue = "b"}, {.pending = 4});
  EXPECT_EQ(story.figure("root.a", "Demand Resources"), "memory: 5120, vCores: 5");
  EXPECT_EQ(story.figure("root.b", "Demand Resources"), "memory: 2048, vCores: 2");
  EXPECT_EQ(story.figure("root", "Demand Resources"), "memory: 7168, vCores: 7");
}

// hadoop-2.0: a demands 1 GiB, so b's share is what it demands, too, of the 9 GiB.
TEST(FairSharesInARun, Hadoop20SharesStopAtTheDemand) {
  FairStory story("<queue name='a'/><queue name='b'/>", {{"semantics", "hadoop-2.0"}});
  story.nodes(1, {9'000, 9'216});
  story.run({.queue = "a"}, {.pending = 1});
  story.run({.queue = "b"}, {.pending = 20});
  EXPECT_EQ(story.figure("root.a", "Instantaneous Fair Share"), "memory: 1024");
  EXPECT_EQ(story.figure("root.b", "Instantaneous Fair Share"), "memory: 8192");
}

// DRF over three resources: 4 GPUs, of which each queue gets two; and half of the others.
TEST(FairSharesInARun, Section53DrfSharesEveryResource) {
  FairStory story(
      "<queue name='root'><schedulingPolicy>drf</schedulingPolicy>"
      "<queue name='a'><schedulingPolicy>drf</schedulingPolicy></queue>"
      "<queue name='b'><schedulingPolicy>drf</schedulingPolicy></queue></queue>");
  Resources capacity(8'000, 8'192);
  capacity[2] = 4;
  const NodeId node = story.nodes(1, capacity)[0];
  Resources with_gpu(1'000, 1'024);
  with_gpu[2] = 1;
  story.run({.queue = "a"}, {.demand = with_gpu, .pending = 9});
  story.run({.queue = "b"}, {.demand = {2'000, 1'024}, .pending = 9});
  // With one container each, both have a dominant share of 1/4, a of GPUs and b of cores, and one
  // of 1/8 next; of the third a has 1/8 and b nothing, so b is first.
  EXPECT_EQ(story.beat(node, 4), "0 1 1 0");
  EXPECT_EQ(story.queue("root.a").entitled[2], 2);
  EXPECT_EQ(story.queue("root.a").entitled[0], 4'000);
}

// ---- weights ----

// Size-based: log2(1 + 1023) = 10 against log2(1 + 15) = 4 in MiB. With a container of 1023 MiB
// each in use, the first's quotient is smaller.
TEST(FairWeights, Section53SizeBasedWeightIsTheLogarithmOfTheDemand) {
  FairStory story("", {{"size_based_weight", "true"}});
  story.nodes(1, {8'000, 8'192});
  const ApplicationId large = story.run({.queue = "a"}, {.demand = {1'000, 1'023}});
  const SchedulerView view = story.scheduler().view(story.harness().cluster());
  const auto weight = [&](ApplicationId id) {
    for (const ExplainedFigure& figure : view.applications[id.index()].figures) {
      if (figure.name == "weight") return figure.value;
    }
    return std::string();
  };
  EXPECT_EQ(weight(large), "10.0");
}

TEST(FairWeights, Hadoop20TakesThePlainLogarithm) {
  FairStory story("", {{"size_based_weight", "true"}, {"semantics", "hadoop-2.0"}});
  story.nodes(1, {8'000, 8'192});
  story.run({.queue = "a"}, {.demand = {1'000, 1'024}});
  const auto figures =
      story.scheduler().view(story.harness().cluster()).applications.front().figures;
  EXPECT_TRUE(std::any_of(figures.begin(), figures.end(), [](const ExplainedFigure& figure) {
    return figure.name == "weight" && figure.value == "10.0";
  }));
}

// The second application is submitted when the first is five minutes old and has one container.
// With `new` it weighs three times as much, so three of its containers go with one; in a tie the
// first is first. With `old` it is the other way round.
TEST(FairWeights, TheAdjusterBoostsNewOrOldApplications) {
  for (const auto& [adjuster, order] :
       {std::pair{"new", "1 1 1 0 1 1"}, std::pair{"old", "1 0 0 0 1 0"},
        std::pair{"none", "1 0 1 0 1 0"}}) {
    FairStory story("", {{"weight_adjuster", adjuster}});
    const NodeId node = story.nodes(1, {16'000, 16'384})[0];
    story.run({.queue = "a"}, {.pending = 9});
    EXPECT_EQ(story.beat(node), "0");
    story.harness().advance(std::chrono::minutes(5) + seconds(1));
    story.run({.queue = "a"}, {.pending = 9});
    story.harness().advance(seconds(1));
    EXPECT_EQ(story.beat(node, 6), order) << adjuster;
  }
}

// Section 9 of yarn_generations: queues that rank the same go by name, in hadoop-2.0 by their
// earliest application.
TEST(FairTies, QueuesGoByNameOrBySubmission) {
  for (const auto& [semantics, order] :
       {std::pair{"hadoop-3", "1 0"}, std::pair{"hadoop-2.0", "0 1"}}) {
    FairStory story("", {{"semantics", semantics}});
    const NodeId node = story.nodes(1, {8'000, 8'192})[0];
    story.run({.queue = "z"});
    story.harness().advance(seconds(1));
    story.run({.queue = "a"});
    story.harness().advance(seconds(1));
    EXPECT_EQ(story.beat(node, 2), order) << semantics;
  }
}

// ---- masters ----

// Two queues share 10 GiB: 5 GiB each, of which masters may use half: 2560 MiB, so two of 1 GiB.
// Vcores are not divided by fair: half of what is free, at first of 10.
TEST(FairMasters, Section55MastersUseAPartOfTheFairShare) {
  FairStory story("<queue name='a'/><queue name='b'/>");
  const NodeId node = story.nodes(1, {10'000, 10'240})[0];
  const AskFigures master{.is_master = true};
  story.run({.queue = "b"}, {});
  for (int i = 0; i < 3; ++i) story.run({.queue = "a", .master = {1'000, 1'024}}, master);
  EXPECT_EQ(story.beat(node, 5), "1 0 2");
  EXPECT_EQ(story.figure("root.a", "AM Used Resources"), "memory: 2048, vCores: 2");
  EXPECT_EQ(story.figure("root.a", "AM Max Resources"), "memory: 2560, vCores: 4");
  EXPECT_EQ(story.why(ApplicationId(3u)),
            "master_limit: its master asks for (memory: 1024, vCores: 1), and the masters of queue "
            "root.a use (memory: 2048, vCores: 2) of at most (memory: 2560, vCores: 4), 50.0% of "
            "its fair share (memory: 5120)\n");
  story.harness().finish(ApplicationId(1u));
  story.harness().decide();
  EXPECT_EQ(story.beat(node), "3");
}

TEST(FairMasters, WithoutLimitAllStart) {
  FairStory story("<queue name='a'><maxAMShare>-1</maxAMShare></queue>");
  const NodeId node = story.nodes(1, {4'000, 4'096})[0];
  for (int i = 0; i < 4; ++i) {
    story.run({.queue = "a", .master = {1'000, 1'024}}, {.is_master = true});
  }
  EXPECT_EQ(story.beat(node, 4), "0 1 2 3");
}

// FSAppAttempt counts only masters that have a container.
TEST(FairMasters, UnmanagedMastersCountForNothing) {
  FairStory story("<queue name='a'><maxAMShare>0.1</maxAMShare></queue>");
  const NodeId node = story.nodes(1, {4'000, 4'096})[0];
  for (int i = 0; i < 4; ++i) story.run({.queue = "a"}, {});
  EXPECT_EQ(story.beat(node, 4), "0 1 2 3");
  EXPECT_EQ(story.figure("root.a", "AM Used Resources"), "memory: 0");
}

// One vcore × 0.1 is rounded up to one.
TEST(FairMasters, Section55TheLimitIsRoundedUp) {
  FairStory story("<queue name='a'><maxAMShare>0.1</maxAMShare></queue>");
  const NodeId node = story.nodes(1, {1'000, 10'240})[0];
  story.run({.queue = "a", .master = {1'000, 1'024}}, {.is_master = true});
  EXPECT_EQ(story.beat(node), "0");
}

TEST(FairMasters, AMasterThatEndsMakesRoom) {
  FairStory story("<queue name='a'/>");
  const NodeId node = story.nodes(1, {4'000, 2'048})[0];
  story.run({.queue = "a", .master = {1'000, 1'024}}, {.is_master = true});
  story.run({.queue = "a", .master = {1'000, 1'024}}, {.is_master = true});
  EXPECT_EQ(story.beat(node, 2), "0");
  story.harness().end(story.placements()[0].container, ContainerEnd::failed);
  EXPECT_EQ(story.beat(node), "1");
}

TEST(FairMasters, AMasterThatEndsBeforeItsTasksMakesRoomToo) {
  FairStory story("<queue name='a'/>");
  const NodeId node = story.nodes(1, {4'000, 2'048})[0];
  const ApplicationId first =
      story.run({.queue = "a", .master = {1'000, 1'024}}, {.priority = 0, .is_master = true});
  story.harness().ask(first, {.priority = 1});
  EXPECT_EQ(story.beat(node, 2), "0 0");
  EXPECT_EQ(story.figure("root.a", "AM Used Resources"), "memory: 1024, vCores: 1");
  story.harness().end(story.placements()[0].container, ContainerEnd::failed);
  story.harness().decide();
  EXPECT_EQ(story.figure("root.a", "AM Used Resources"), "memory: 0");
}

TEST(FairMasters, ARefusedMasterIsNotCounted) {
  FairStory story("<queue name='a'/>");
  const NodeId node = story.nodes(1, {4'000, 4'096})[0];
  story.run({.queue = "a", .master = {1'000, 1'024}}, {.is_master = true});
  story.harness().refuse_next(1);
  EXPECT_EQ(story.beat(node), "");
  EXPECT_EQ(story.figure("root.a", "AM Used Resources"), "memory: 0");
  EXPECT_EQ(story.beat(node), "0");
}

// ---- headroom ----

// Section 5.5. Of 8 GiB, a and b have 4 each; a uses 3. Its headroom in memory is the 1 GiB of its
// share that is left; of vcores, which fair does not divide, all that are free: 8 − 3.
TEST(FairHeadroom, Section55IsWhatTheShareTheMaximumAndTheClusterLeave) {
  FairStory story("<queue name='a'/><queue name='b'/>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  const ApplicationId a = story.run({.queue = "a"}, {.pending = 3});
  EXPECT_EQ(story.beat(node, 3), "0 0 0");
  const ApplicationId b = story.run({.queue = "b"}, {.pending = 3});
  const auto headroom = [&](ApplicationId id) {
    return story.scheduler().headroom(story.harness().cluster(), id);
  };
  EXPECT_EQ(headroom(a), Resources(5'000, 1'024));
  EXPECT_EQ(headroom(b), Resources(5'000, 4'096));
  EXPECT_EQ(headroom(ApplicationId(9u)), Resources());
}

TEST(FairHeadroom, Section55DrfDividesVcoresToo) {
  FairStory story(
      "<queue name='root'><schedulingPolicy>drf</schedulingPolicy>"
      "<queue name='a'><schedulingPolicy>drf</schedulingPolicy>"
      "<maxResources>3072 mb, 8 vcores</maxResources></queue>"
      "<queue name='b'><schedulingPolicy>drf</schedulingPolicy></queue></queue>");
  const NodeId node = story.nodes(1, {8'000, 8'192})[0];
  const ApplicationId a = story.run({.queue = "a"}, {.pending = 2});
  story.run({.queue = "b"}, {});
  EXPECT_EQ(story.beat(node, 2), "0 1");
  EXPECT_EQ(story.scheduler().headroom(story.harness().cluster(), a), Resources(3'000, 2'048));
}

// ---- settings ----

TEST(FairSettingsText, SaysWhatIsWrong) {
  for (const auto& [setting, value, expected] :
       {std::tuple{"groups", "alice", "setting groups: expected USER=GROUP+GROUP"},
        std::tuple{"groups", "alice=", "setting groups: expected USER=GROUP+GROUP"},
        std::tuple{"assign_multiple", "yes",
                   "setting assign_multiple: expected one of false, true"},
        std::tuple{"reservable_nodes", "2", "setting reservable_nodes: expected a number from 0"},
        std::tuple{"semantics", "hadoop-1", "expected one of hadoop-3, hadoop-2.0"},
        std::tuple{"sizebasedweight", "true", "has no setting \"sizebasedweight\""}}) {
    const auto settings = read_fair_settings({{setting, value}});
    ASSERT_FALSE(settings.has_value()) << setting;
    EXPECT_THAT(settings.error().message, HasSubstr(expected));
  }
}

TEST(FairSettingsText, SemanticsSetWhatIsNotSetByItself) {
  const FairSettings today = read_fair_settings({}).value();
  EXPECT_TRUE(today.ancestors_bind && today.removes_queues && today.size_weight_adds_one);
  EXPECT_FALSE(today.demand_caps_shares || today.queue_ties_by_submission);
  const FairSettings old =
      read_fair_settings({{"semantics", "hadoop-2.0"}, {"share_ceiling", "maximum"}}).value();
  EXPECT_FALSE(old.ancestors_bind || old.removes_queues || old.size_weight_adds_one);
  EXPECT_TRUE(old.queue_ties_by_submission);
  EXPECT_FALSE(old.demand_caps_shares);
}

}  // namespace
}  // namespace tracebed
