// What the Fair Scheduler takes back, how, and who is given it.
#include "schedulers/yarn/fair_preemption_story.h"

namespace tracebed {
namespace {

// One node full of queue a, and two containers of it wanted back for queue b at 10.5 s.
class Helped : public PreemptionStory {
 public:
  explicit Helped(SettingValues settings = {}, std::uint32_t pending = 8)
      : PreemptionStory(two_queues, std::move(settings)) {
    node = nodes(1, {8000, 8192})[0];
    rich = fill("a", node, 8);
    poor = run({.queue = "b"}, {.pending = pending});
    asked = after(seconds(10));
  }
  void end_owed() {
    const std::map<ContainerId, PreemptionTerms> preemptions = harness().preemptions();
    for (const auto& [id, terms] : preemptions) harness().end(id, ContainerEnd::preempted);
  }
  NodeId node;
  ApplicationId rich;
  ApplicationId poor;
  std::string asked;
};

// ---- delivery: contract ----

// Proves: 7.fair-strict
TEST(FairPreemption, AsksForContainersByNameUntilTheWaitBeforeAKill) {
  Helped story;
  ASSERT_EQ(story.asked, "ask 7, ask 6");
  const PreemptionTerms& terms = story.harness().preemptions().at(ContainerId(7u));
  EXPECT_EQ(terms.kind, PreemptionKind::strict);
  EXPECT_EQ(terms.purpose, PreemptionPurpose::balance);
  EXPECT_TRUE(terms.is_repeated);
  EXPECT_FALSE(terms.may_be_substituted);
  EXPECT_EQ(terms.deadline, trace_time(25'500'000));
  EXPECT_EQ(terms.reason, "application 1 of root.b has less than its share");
}

TEST(FairPreemption, HonouredInTimeKillsNothing) {
  Helped story;
  story.end_owed();
  EXPECT_EQ(story.beat(story.node, 4), "1 1");
  EXPECT_EQ(story.after(seconds(10)), "");
  EXPECT_TRUE(story.preemptions().empty());
}

TEST(FairPreemption, IgnoredKillsAtTheDeadline) {
  Helped story;
  EXPECT_EQ(story.after(milliseconds(14'900)), "");
  EXPECT_EQ(story.after(milliseconds(100)), "kill 6 (overdue), kill 7 (overdue)");
  EXPECT_EQ(story.beat(story.node, 4), "1 1");
}

TEST(FairPreemption, IsWithdrawnWhenWhoStarvedEnds) {
  Helped story;
  story.harness().finish(story.poor);
  EXPECT_EQ(story.after(seconds(60)), "withdraw 7, withdraw 6");
}

TEST(FairPreemption, IsWithdrawnWhenWhoStarvedWantsLess) {
  Helped story;
  story.harness().set_pending(story.last_ask(), 1);
  EXPECT_EQ(story.after(milliseconds(1)), "withdraw 6");
  story.harness().close(story.last_ask());
  EXPECT_EQ(story.after(seconds(60)), "withdraw 7");
}

TEST(FairPreemption, IsWithdrawnWhenWhoStarvedWasGivenAsMuchElsewhere) {
  Helped story;
  const NodeId other = story.nodes(1, {1000, 1024})[0];
  EXPECT_EQ(story.beat(other), "1");
  EXPECT_EQ(story.after(milliseconds(1)), "withdraw 6");
}

TEST(FairPreemption, IsWithdrawnWhenItsShareBecomesLess) {
  Helped story;
  ASSERT_TRUE(story.reconfigure("<queue name='a'/><queue name='b'><weight>0</weight></queue>"));
  story.beat(story.node);
  EXPECT_EQ(story.after(milliseconds(1)), "withdraw 7, withdraw 6");
}

TEST(FairPreemption, LooksAfreshBeforeAKillIfThereIsRoomElsewhere) {
  Helped story;
  story.after(seconds(14));
  // One container ends on its own; the node has not beaten since, so nobody was offered its room.
  story.harness().end(ContainerId(0u));
  EXPECT_EQ(story.after(seconds(1)), "withdraw 6, kill 7 (overdue)");
}

TEST(FairPreemption, WithdrawsNothingThatIsBeingKilled) {
  Helped story;
  story.harness().let_kills_linger();
  story.after(seconds(15));
  story.harness().finish(story.poor);
  EXPECT_EQ(story.after(seconds(1)), "");
  story.harness().end(ContainerId(6u));
  story.harness().end(ContainerId(7u));
  EXPECT_EQ(story.after(seconds(1)), "");
}

TEST(FairPreemption, IsWithdrawnWhenTheNodeIsDrained) {
  Helped story;
  story.nodes(1, {7000, 7168});
  story.harness().drain(story.node);
  EXPECT_EQ(story.after(milliseconds(1)), "withdraw 7, withdraw 6");
}

// ---- delivery: hadoop ----

// Proves: 6.kill, 7.fair-strict
TEST(FairPreemption, AsHadoopKillsWhetherItIsStillNeededOrNot) {
  Helped story(SettingValues{{"preemption.delivery", "hadoop"}});
  ASSERT_EQ(story.asked, "ask 7, ask 6");
  const PreemptionTerms& terms = story.harness().preemptions().at(ContainerId(7u));
  EXPECT_EQ(terms.kind, PreemptionKind::strict);
  EXPECT_EQ(terms.deadline, never);
  EXPECT_TRUE(terms.is_repeated);
  story.harness().finish(story.poor);
  EXPECT_EQ(story.after(milliseconds(14'900)), "");
  EXPECT_EQ(story.after(milliseconds(100)), "kill 6, kill 7");
}

TEST(FairPreemption, AsHadoopKillsNoneThatEnded) {
  Helped story(SettingValues{{"preemption.delivery", "hadoop"}});
  story.harness().end(ContainerId(7u));
  EXPECT_EQ(story.after(seconds(15)), "kill 6");
}

TEST(FairPreemption, TheWaitBeforeAKillIsASetting) {
  Helped story(
      SettingValues{{"preemption.delivery", "hadoop"}, {"preemption.wait_before_kill_ms", "250"}});
  EXPECT_EQ(story.after(milliseconds(249)), "");
  EXPECT_EQ(story.after(milliseconds(1)), "kill 6, kill 7");
}

// ---- delivery: kill ----

TEST(FairPreemption, WithoutAWordKillsAtOnce) {
  Helped story(SettingValues{{"preemption.delivery", "kill"}});
  EXPECT_EQ(story.asked, "kill 7, kill 6");
  EXPECT_EQ(story.beat(story.node, 4), "1 1");
}

TEST(FairPreemption, IsOffByDefault) {
  FairStory story(two_queues);
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.run({.queue = "a"}, {.pending = 8});
  story.harness().advance(milliseconds(500));
  story.beat(node, 8);
  story.run({.queue = "b"}, {.pending = 8});
  story.harness().advance(seconds(100));
  EXPECT_EQ(story.harness().taken_back(), "");
  EXPECT_EQ(story.harness().wake_at(), never);
}

// ---- when it is looked at again ----

// Proves: 6.again-later
TEST(FairPreemption, HelpsAgainOnlyWhenWhatWasFreedShouldHaveBeenGiven) {
  Helped story;
  story.after(seconds(15));
  EXPECT_EQ(story.beat(story.node, 2), "1 1");
  // It loses both again, to the other queue, at 25.5 s.
  for (const std::uint32_t id : {8u, 9u}) story.harness().end(ContainerId(id));
  story.harness().close(story.last_ask());
  story.harness().set_pending(AskId(0u), 2);
  story.after(milliseconds(500));
  EXPECT_EQ(story.beat(story.node, 2), "0 0");
  story.harness().ask(story.poor, {.pending = 2});
  // 15 s, four heartbeats of 1 s and 10 s after it was helped at 10.5 s.
  EXPECT_EQ(story.after(milliseconds(13'400)), "");
  EXPECT_EQ(story.after(milliseconds(100)), "ask 11, ask 10");
  EXPECT_EQ(story.harness().now(), trace_time(39'500'000));
}

// ---- who may lose ----

// Proves: 6.who-may-lose
TEST(FairPreemption, TakesNobodyBelowItsShare) {
  PreemptionStory story(two_queues +
                        "<defaultFairSharePreemptionThreshold>1"
                        "</defaultFairSharePreemptionThreshold>");
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.fill("a", node, 5);
  story.fill("b", node, 3, {1000, 1024});
  const ApplicationId poor = story.run({.queue = "b"}, {.pending = 5});
  // Queue a has 5 GiB of its 4, the applications of b 3 and none of their 2 each.
  story.after(seconds(20));
  EXPECT_EQ(story.harness().preemptions().size(), 2u);
  for (const auto& [id, terms] : story.harness().preemptions()) {
    const ContainerId last_of_a(4u);
    const ContainerId last_of_b(7u);
    EXPECT_TRUE(id == last_of_a || id == last_of_b) << id.value();
  }
  EXPECT_EQ(story.application_figure(poor, "Fair Share Starvation"), "memory: 2048");
}

// Proves: 6.who-may-lose
TEST(FairPreemption, TakesNothingFromQueuesThatDoNotAllowIt) {
  for (const std::string place : {"own", "above"}) {
    const std::string forbids = "<allowPreemptionFrom>false</allowPreemptionFrom>";
    PreemptionStory story(
        "<queue name='p'>" + (place == "above" ? forbids : std::string()) + "<queue name='a'>" +
        (place == "own" ? forbids : "<allowPreemptionFrom>true</allowPreemptionFrom>") +
        "</queue></queue><queue name='b'/>"
        "<defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout>");
    const NodeId node = story.nodes(1, {8000, 8192})[0];
    story.fill("p.a", node, 8);
    story.run({.queue = "b"}, {.pending = 8});
    EXPECT_EQ(story.after(seconds(60)), "") << place;
  }
}

TEST(FairPreemption, SpareMastersWhereTheyMayNotBeTaken) {
  for (const bool is_own : {false, true}) {
    SettingValues settings{{"preemption.masters", is_own ? "true" : "false"}};
    if (is_own) settings["preemption.masters_of_queues"] = "root.a=false";
    PreemptionStory story(two_queues, settings);
    const NodeId node = story.nodes(1, {1000, 4096})[0];
    const ApplicationId rich = story.submit({.queue = "a"});
    story.harness().ask(rich, {.demand = {1000, 4096}, .is_master = true});
    story.harness().advance(milliseconds(500));
    EXPECT_EQ(story.beat(node), "0");
    story.run({.queue = "b"}, {.demand = {1000, 1024}, .pending = 2});
    EXPECT_EQ(story.after(seconds(60)), "") << is_own;
  }
}

// ---- where ----

// Proves: 6.one-node
TEST(FairPreemption, TakesAllVictimsForOneContainerFromOneNode) {
  PreemptionStory story(two_queues);
  const std::vector<NodeId> nodes = story.nodes(2, {4000, 4096});
  story.fill("a", nodes[0], 4);
  story.fill("a", nodes[1], 4);
  story.run({.queue = "b"}, {.demand = {1000, 2048}});
  EXPECT_EQ(story.after(seconds(11)), "ask 3, ask 2");
}

// A node for each word, full of containers of 1024 MiB each, a master for every m.
class MastersOnNodes : public PreemptionStory {
 public:
  explicit MastersOnNodes(const std::vector<std::string>& words)
      : PreemptionStory(
            "<queue name='a'><weight>0</weight><maxAMShare>-1</maxAMShare></queue><queue name='b'/>"
            "<defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout>") {
    for (const std::string& word : words) {
      const auto size = static_cast<std::int64_t>(word.size());
      all.push_back(nodes(1, {1000 * size, 1024 * size})[0]);
      for (const char letter : word) {
        const ApplicationId id = submit({.queue = "a"});
        harness().ask(id, {.is_master = letter == 'm'});
        harness().advance(milliseconds(500));
        beat(all.back());
      }
    }
  }
  std::vector<NodeId> all;
};

struct MastersCase {
  std::vector<std::string> nodes;
  std::string asked;
};
// Proves: 6.one-node
TEST(FairPreemption, TakesTheFirstNodeWhereTheFewestMastersHaveToDie) {
  const std::vector<MastersCase> cases{
      {{"mm", "mt", "tt"}, "ask 5, ask 4"},
      {{"mm", "tm", "mt"}, "ask 2, ask 3"},  // masters last
      {{"mm", "mm"}, "ask 1, ask 0"},
      {{"mtt", "tt"}, "ask 2, ask 1"},
  };
  for (const MastersCase& the : cases) {
    MastersOnNodes story(the.nodes);
    story.run({.queue = "b"}, {.demand = {1000, 2048}});
    EXPECT_EQ(story.after(seconds(11)), the.asked);
  }
}

// Proves: 6.one-node
TEST(FairPreemption, LooksBeyondANamedNodeOnlyIfMastersWouldDieThereAndLocalityMayRelax) {
  const auto asked = [](const std::string& named, bool relaxes, bool is_rack) {
    MastersOnNodes story({named, "t"});
    AskFigures figures{.demand = {1000, 1024}, .relax_locality = relaxes};
    if (is_rack) figures.racks = {{RackId(0u), 1}};
    if (!is_rack) figures.nodes = {{story.all[0], 1}};
    story.run({.queue = "b"}, figures);
    return story.after(seconds(11));
  };
  EXPECT_EQ(asked("t", true, false), "ask 0");
  EXPECT_EQ(asked("m", true, false), "ask 1");
  EXPECT_EQ(asked("m", false, false), "ask 0");
  EXPECT_EQ(asked("m", false, true), "ask 1") << "which is in the rack too";
}

// Proves: 6.room-is-held
TEST(FairPreemption, KeepsWhatIsFreedForWhomItWasFreed) {
  PreemptionStory story(two_queues);
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.fill("a", node, 8);
  story.run({.queue = "b"}, {.demand = {1000, 2048}});
  ASSERT_EQ(story.after(seconds(10)), "ask 7, ask 6");
  story.harness().set_pending(AskId(0u), 4);  // the other queue wants more

  story.after(milliseconds(500));
  story.harness().end(ContainerId(6u));
  EXPECT_EQ(story.beat(node), "") << "one of the two GiB is free, and kept";
  story.harness().end(ContainerId(7u));
  EXPECT_EQ(story.beat(node), "1");
}

TEST(FairPreemption, LetsOthersHaveWhatIsFreeBeyondThat) {
  PreemptionStory story(two_queues +
                        "<defaultFairSharePreemptionThreshold>1"
                        "</defaultFairSharePreemptionThreshold>");
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.fill("a", node, 8);
  story.run({.queue = "b"}, {.demand = {1000, 3072}});
  ASSERT_EQ(story.after(seconds(10)), "ask 7, ask 6, ask 5");
  story.harness().set_pending(AskId(0u), 4);
  story.after(milliseconds(500));
  for (const std::uint32_t id : {3u, 7u}) story.harness().end(ContainerId(id));
  EXPECT_EQ(story.beat(node, 2), "0") << "one GiB is kept, one is anybody's";
}

TEST(FairPreemption, GivesRoomThatBecameFreeThereInTheVictimsPlace) {
  Helped story;
  for (const std::uint32_t id : {3u, 4u}) story.harness().end(ContainerId(id));
  EXPECT_EQ(story.beat(story.node, 3), "1 1");
  EXPECT_EQ(story.after(seconds(60)), "withdraw 7, withdraw 6");
}

// ---- gangs ----

TEST(FairPreemption, MakesRoomForAllUnitsOfAGangOrNone) {
  PreemptionStory story(two_queues +
                        "<defaultFairSharePreemptionThreshold>1"
                        "</defaultFairSharePreemptionThreshold>");
  const std::vector<NodeId> nodes = story.nodes(2, {4000, 4096});
  story.fill("a", nodes[0], 4);
  story.fill("a", nodes[1], 4);
  const ApplicationId gang =
      story.run({.queue = "b"}, {.demand = {1000, 2048}, .pending = 2, .kind = StageKind::gang});
  // 4096 MiB are its share: two units; each has its victims on one node, and none of the two
  // applications of a, with a share of 2048 each, loses more than that.
  ASSERT_EQ(story.after(seconds(10)), "ask 3, ask 2, ask 7, ask 6");
  for (const std::uint32_t id : {3u, 2u, 6u}) {
    story.harness().end(ContainerId(id));
    EXPECT_EQ(story.beat(nodes[0]), "");
  }
  story.harness().end(ContainerId(7u));
  EXPECT_EQ(story.beat(nodes[0]), "2 2");
  EXPECT_EQ(story.owner(story.placements().back()), gang);
  EXPECT_EQ(story.after(seconds(1)), "");
}

TEST(FairPreemption, DoesNothingForAGangBeyondItsShare) {
  PreemptionStory story(two_queues);
  const std::vector<NodeId> nodes = story.nodes(2, {4000, 4096});
  story.fill("a", nodes[0], 4);
  story.fill("a", nodes[1], 4);
  story.run({.queue = "b"}, {.demand = {1000, 2048}, .pending = 3, .kind = StageKind::gang});
  EXPECT_EQ(story.after(seconds(30)), "");
}

TEST(FairPreemption, LetsAWholeGangGoWhenOneOfItsNodesLeaves) {
  PreemptionStory story(two_queues);
  const std::vector<NodeId> nodes = story.nodes(2, {4000, 4096});
  story.fill("a", nodes[0], 4);
  story.fill("a", nodes[1], 4);
  story.run({.queue = "b"}, {.demand = {1000, 1024}, .pending = 4, .kind = StageKind::gang});
  ASSERT_EQ(story.after(seconds(10)), "ask 3, ask 2, ask 7, ask 6");
  story.harness().drain(nodes[0]);
  EXPECT_EQ(story.after(milliseconds(1)), "withdraw 3, withdraw 2, withdraw 7, withdraw 6");
}

// ---- what it tells ----

TEST(FairPreemption, TellsWhatIsWantedBackAndWhatWouldBeChosenNow) {
  Helped story;
  std::vector<PreemptionView> views = story.preemptions();
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].container, ContainerId(6u));
  EXPECT_EQ(views[0].application, story.rich);
  EXPECT_TRUE(views[0].is_asked_for);
  EXPECT_EQ(views[0].deadline, trace_time(25'500'000));
}

TEST(FairPreemption, TellsWhatWouldBeChosenNow) {
  PreemptionStory story(two_queues);
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.fill("a", node, 8);
  story.run({.queue = "b"}, {.pending = 8});
  EXPECT_TRUE(story.preemptions().empty());
  // A heartbeat between two updates: the time-out has passed, and nobody has looked yet.
  ASSERT_TRUE(
      story.reconfigure("<queue name='a'/><queue name='b'/>"
                        "<defaultFairSharePreemptionTimeout>1"
                        "</defaultFairSharePreemptionTimeout>"));
  story.set("update_interval_ms", "5000");
  ASSERT_TRUE(
      story.reconfigure("<queue name='a'/><queue name='b'/>"
                        "<defaultFairSharePreemptionTimeout>1"
                        "</defaultFairSharePreemptionTimeout>"));
  story.after(milliseconds(1'600));
  story.beat(node);
  const std::vector<PreemptionView> views = story.preemptions();
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[1].container, ContainerId(7u));
  EXPECT_FALSE(views[1].is_asked_for);
}

// ---- nodes that are drained ----

TEST(FairDrain, CountsANodeOnceThatIsDrainedAndLeaves) {
  PreemptionStory story(two_queues, {{"reservable_nodes", "0.5"}});
  const std::vector<NodeId> nodes = story.nodes(2, {8000, 8192});
  const ApplicationId runs = story.fill("a", nodes[0], 4);
  story.harness().drain(nodes[0]);
  story.harness().decide();
  EXPECT_EQ(story.figure("root", "Used Resources"), "memory: 4096, vCores: 4");
  EXPECT_EQ(story.figure("root", "Steady Fair Share"), "memory: 8192, vCores: 8");
  // Its containers take nothing from what others may have.
  EXPECT_EQ(story.scheduler().headroom(story.harness().cluster(), runs).milli_vcores(), 8000);
  story.harness().undrain(nodes[0]);
  story.harness().decide();
  EXPECT_EQ(story.figure("root", "Steady Fair Share"), "memory: 16384, vCores: 16");
  story.harness().end(ContainerId(0u));
  story.harness().decide();
  EXPECT_EQ(story.figure("root", "Used Resources"), "memory: 3072, vCores: 3");
  story.scheduler().verify();
}

}  // namespace
}  // namespace tracebed
