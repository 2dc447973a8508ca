// What the Fair Scheduler does as time passes: when demands and shares are taken down, limits
// of masters; and its settings.
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

// ---- masters ----

// Two queues share 10 GiB: 5 GiB each, of which masters may use half: 2560 MiB, so two of 1 GiB.
// Vcores are not divided by fair: half of what is free, at first of 10.
// Proves: 5.5.master-share, 5.5.master-share-stand-in
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
// Proves: 5.5.master-share
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
// Proves: 5.5.headroom, 5.5.headroom-of-vcores
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

// Proves: 5.5.headroom
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

TEST(FairSettingsText, NeverHasAMinimumAllocationAboveTheMaximum) {
  EXPECT_FALSE(read_fair_settings({{"maximum_allocation_mib", "512"}}));
  EXPECT_FALSE(read_fair_settings({{"maximum_allocation_milli_vcores", "999"}}));
  EXPECT_TRUE(read_fair_settings({{"maximum_allocation_mib", "1024"}}));
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

// Proves: 5.1.defaults
TEST(FairSettingsText, HasTheDefaultsOfHadoop) {
  const FairSettings settings = read_fair_settings({}).value();
  EXPECT_TRUE(settings.user_as_default_queue);
  EXPECT_TRUE(settings.allow_undeclared_pools);
  EXPECT_FALSE(settings.size_based_weight);
  EXPECT_FALSE(settings.assign_multiple);
  EXPECT_TRUE(settings.dynamic_max_assign);
  EXPECT_EQ(settings.max_assign, -1);
  EXPECT_EQ(settings.locality_threshold_node, -1);
  EXPECT_EQ(settings.locality_threshold_rack, -1);
  EXPECT_FALSE(settings.continuous_scheduling);
  EXPECT_EQ(settings.continuous_scheduling_sleep, milliseconds(5));
  EXPECT_EQ(settings.locality_delay_node, milliseconds(-1));
  EXPECT_EQ(settings.locality_delay_rack, milliseconds(-1));
  EXPECT_EQ(settings.update_interval, milliseconds(500));
  EXPECT_EQ(settings.reservable_nodes, 0.05);
  EXPECT_EQ(settings.reservation_increments, 2.0);
  EXPECT_EQ(settings.increment_allocation, Resources(1'000, 1'024));
}

// Proves: G6.no-inheritance, G6.parents-do-not-bind, G7.demand-caps, G8.plain-logarithm
// Proves: G9.ties, G5.queues-stay
TEST(FairSettingsText, EachDifferenceOfTheGenerationsIsASwitchOfItsOwn) {
  using Flag = bool FairSettings::*;
  const std::vector<std::tuple<const char*, const char*, Flag>> switches = {
      {"ancestor_limits", "ignore", &FairSettings::ancestors_bind},
      {"inheritance", "acls", &FairSettings::queues_inherit},
      {"share_ceiling", "demand", &FairSettings::demand_caps_shares},
      {"size_weight", "plain", &FairSettings::size_weight_adds_one},
      {"queue_ties", "submission", &FairSettings::queue_ties_by_submission},
      {"queue_removal", "never", &FairSettings::removes_queues}};
  const FairSettings today = read_fair_settings({}).value();
  const FairSettings old = read_fair_settings({{"semantics", "hadoop-2.0"}}).value();
  for (const auto& [setting, value, flag] : switches) {
    const FairSettings one = read_fair_settings({{setting, value}}).value();
    for (const auto& [other, unused, other_flag] : switches) {
      EXPECT_EQ(one.*other_flag == old.*other_flag, std::string(other) == setting)
          << setting << " and " << other;
    }
    EXPECT_NE(today.*flag, old.*flag) << setting;
  }
}

// Masters may have half of 4 GiB. Those that wait stand back while the running one's tasks go on,
// and in the order of their turns once there is room again.
TEST(FairMasters, ThoseThatMustWaitLetOthersGoFirst) {
  FairStory story("<queue name='a'/>");
  const NodeId node = story.nodes(1, {9'000, 4'096})[0];
  const AskFigures master{.priority = -1, .is_master = true};
  for (int i = 0; i < 2; ++i)
    story.run({.queue = "a", .master = {1'000, 2'048}},
              {.demand = {1'000, 2'048}, .is_master = true});
  const ApplicationId small = story.run({.queue = "a", .master = {1'000, 512}}, {});
  EXPECT_EQ(story.beat(node, 2), "0") << "2048 of 2048 are used";
  story.harness().ask(ApplicationId(0u), {.demand = {1'000, 512}, .pending = 3, .priority = 5});
  story.harness().advance(seconds(1));
  EXPECT_EQ(story.beat(node, 2), "0 0");
  EXPECT_THAT(story.why(small), HasSubstr("master_limit"));
  story.harness().end(story.placements()[0].container);
  EXPECT_EQ(story.beat(node), "1") << "the second's master has the first turn now";
}

}  // namespace
}  // namespace tracebed
