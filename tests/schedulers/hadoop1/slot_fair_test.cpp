// Hadoop 1's Fair Scheduler on a small cluster, in both generations.
#include <gtest/gtest.h>

#include "schedulers/hadoop1/fair/pool_allocations.h"
#include "schedulers/hadoop1/fair/slot_fair_settings.h"
#include "schedulers/hadoop1/slot_story.h"
#include "support/scheduler_parameters.h"

namespace tracebed {
namespace {

SettingValues fair_settings(const char* generation, SettingValues more = {}) {
  more.try_emplace("generation", generation);
  more.try_emplace("map_slots", "4");
  more.try_emplace("reduce_slots", "2");
  return more;
}

std::string file(const std::string& content) {
  return "<allocations>" + content + "</allocations>";
}

// ---- 0.20 ----

// Proves: 9.deficit
TEST(SlotFair020, TheOneThatIsOwedMostGetsTheNextSlot) {
  SlotStory story("slot_fair", fair_settings("0.20"));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 9);
  EXPECT_EQ(story.beat(node, 4), "0 0 0 0") << "a task a heartbeat";
  story.run({.user = "bob"}, 9);
  story.harness().advance(seconds(2));
  EXPECT_EQ(story.beat(node), "");
  EXPECT_EQ(story.figure(ApplicationId(0u), "Deficit (map)"), "-4000");  // (2 − 4) × 2000
  EXPECT_EQ(story.figure(ApplicationId(1u), "Deficit (map)"), "4000");
  story.end(0);
  story.end(1);
  story.end(2);
  EXPECT_EQ(story.beat(node, 3), "1 1 1") << "bob has more now, but was marked for preemption";
}

// Proves: 9.deficit
TEST(SlotFair020, DeficitsGrowByTheFiguresOfTheLastUpdate) {
  SlotStory story("slot_fair", fair_settings("0.20"));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 9);
  story.run({.user = "bob"}, 9);
  EXPECT_EQ(story.beat(node, 4), "0 0 0 0");
  story.harness().advance(milliseconds(600));
  story.end(0);
  story.harness().advance(milliseconds(400));
  // Its end at 0.6 s counts from the update at 1 s on: (2 − 4) × 1000.
  EXPECT_EQ(story.figure(ApplicationId(0u), "Deficit (map)"), "-2000");
  story.harness().advance(milliseconds(500));
  story.beat(node);
  EXPECT_EQ(story.figure(ApplicationId(0u), "Deficit (map)"), "-2500");  // and (2 − 3) × 500
}

// Proves: 9.pool-minimum
TEST(SlotFair020, ThoseBelowTheirMinimumComeFirst) {
  SlotStory story("slot_fair", fair_settings("0.20"),
                  file("<pool name=\"bob\"><minMaps>2</minMaps></pool>"));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 9);
  story.run({.user = "bob"}, 9);
  EXPECT_EQ(story.figure("bob", "Min Share (map)"), "2");
  EXPECT_EQ(story.beat(node, 4), "1 1 0 0") << "then both are marked for preemption as much";
}

TEST(SlotFair020, AMapComesBeforeAReduceAndReducesWaitForMaps) {
  SlotStory story("slot_fair", fair_settings("0.20"));
  const NodeId node = story.nodes(1).front();
  story.run({}, 3, 2);
  EXPECT_EQ(story.beat(node, 3), "0 0 0");
  EXPECT_EQ(story.beat(node), "") << "no map has succeeded";
  story.end(0);
  story.harness().advance(milliseconds(500));
  EXPECT_EQ(story.beat(node), "0r");
  SlotStory both("slot_fair", fair_settings("0.20", {{"assignmultiple", "true"}}));
  const NodeId other = both.nodes(1).front();
  both.run({}, 0, 2);  // nothing to wait for
  both.run({}, 4);
  EXPECT_EQ(both.beat(other), "1 0r");
}

TEST(SlotFair020, HoldsUsersAndPoolsToTheirRunningJobs) {
  SlotStory story("slot_fair", fair_settings("0.20"),
                  file("<pool name=\"alice\"><maxRunningJobs>1</maxRunningJobs></pool>"
                       "<userMaxJobsDefault>2</userMaxJobsDefault>"
                       "<user name=\"carol\"><maxRunningJobs>0</maxRunningJobs></user>"));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 1);
  const ApplicationId second = story.run({.user = "alice"}, 2);
  const ApplicationId carols = story.run({.user = "carol"}, 2);
  EXPECT_EQ(story.beat(node, 3), "0");
  EXPECT_EQ(story.why(second).substr(0, 14), "running_limit:") << story.why(second);
  EXPECT_EQ(story.why(carols).substr(0, 14), "running_limit:");
  story.end(0);
  story.harness().finish(ApplicationId(0u));
  story.harness().decide();
  EXPECT_EQ(story.beat(node, 3), "1 1");
}

TEST(SlotFair020, PrioritiesAndSizesWeigh) {
  SlotStory story("slot_fair", fair_settings("0.20", {{"sizebasedweight", "true"},
                                                      {"poolnameproperty", "pool.name"}}));
  story.nodes(1);
  story.run({}, 3);                                                            // log2(4) = 2
  story.run({.priority = 1}, 15);                                              // 2 × log2(16) = 8
  story.run({.priority = -9}, 255);                                            // 1/4 × 8 = 2
  EXPECT_EQ(story.figure(ApplicationId(0u), "Fair Share (map)"), "0.666667");  // 4 × 2/12
  EXPECT_EQ(story.figure(ApplicationId(1u), "Fair Share (map)"), "2.66667");
  EXPECT_EQ(story.figure(ApplicationId(2u), "Fair Share (map)"), "0.666667");
}

TEST(SlotFair020, NewJobsWeighMoreForFiveMinutes) {
  SlotStory story(
      "slot_fair",
      fair_settings("0.20", {{"weightadjuster", "org.apache.hadoop.mapred.NewJobWeightBooster"},
                             {"poolnameproperty", "pool.name"}}));
  story.nodes(1);
  story.run({}, 9);
  story.harness().advance(seconds(100));
  story.run({}, 9);
  EXPECT_EQ(story.figure(ApplicationId(1u), "Fair Share (map)"), "2.0");
  story.harness().advance(seconds(250));
  EXPECT_EQ(story.figure(ApplicationId(1u), "Fair Share (map)"), "3.0") << "3 : 1";
  story.harness().advance(seconds(100));
  EXPECT_EQ(story.figure(ApplicationId(1u), "Fair Share (map)"), "2.0");
}

// ---- 1.x ----

// Proves: 9.ratio
TEST(SlotFair1x, GivesInTurnByRunningOverWeight) {
  SlotStory story("slot_fair", fair_settings("1.x", {{"map_slots", "6"}}),
                  file("<pool name=\"bob\"><weight>2</weight></pool>"));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 9);
  story.run({.user = "bob"}, 9);
  EXPECT_EQ(story.beat(node), "0 1 1 0 1 1") << "equal: by name; 1/1 against 0/2, 1/2, 2/2";
}

TEST(SlotFair1x, MapsAndReducesTakeTurns) {
  SlotStory story("slot_fair", fair_settings("1.x"));
  const NodeId node = story.nodes(1).front();
  story.run({}, 9, 9);
  EXPECT_EQ(story.beat(node), "0 0r 0 0r 0 0");
  SlotStory one("slot_fair", fair_settings("1.x", {{"assignmultiple", "false"}}));
  const NodeId other = one.nodes(1).front();
  one.run({}, 9, 9);
  EXPECT_EQ(one.beat(other), "0");
  EXPECT_EQ(one.beat(other), "0r");
  SlotStory capped("slot_fair", fair_settings("1.x", {{"assignmultiple_maps", "1"}}));
  const NodeId third = capped.nodes(1).front();
  capped.run({}, 9, 9);
  EXPECT_EQ(capped.beat(third), "0 0r 0r");
}

TEST(SlotFair1x, PoolsHaveMaximaAndMayBeFifo) {
  SlotStory story("slot_fair", fair_settings("1.x", {{"map_slots", "6"}}),
                  file("<pool name=\"alice\"><maxMaps>3</maxMaps>"
                       "<schedulingMode>fifo</schedulingMode></pool>"));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 2);
  story.run({.user = "alice", .priority = 1}, 2);
  const ApplicationId last = story.run({.user = "alice"}, 9);
  EXPECT_EQ(story.beat(node), "1 1 0");
  EXPECT_EQ(story.why(last), "queue_room: pool alice runs its maximum of 3 map tasks");
}

TEST(SlotFair1x, MayRefusePoolsThatAreNotDeclared) {
  SlotStory story("slot_fair", fair_settings("1.x", {{"undeclared_pools", "false"}}),
                  file("<pool name=\"alice\"/>"));
  story.nodes(1);
  story.submit({.user = "alice"});
  const ApplicationId bobs = story.submit({.user = "bob"});
  EXPECT_EQ(story.harness().rejection(bobs), "pool bob is not in the pools file");
}

const char* const bob_has_a_minimum =
    "<pool name=\"bob\"><minMaps>2</minMaps>"
    "<minSharePreemptionTimeout>10</minSharePreemptionTimeout></pool>";

// Proves: 9.larger-not-sum
TEST(SlotFair1x, StarvingPoolsTakeTheNewestTasksAtTheNextLook) {
  SlotStory story("slot_fair", fair_settings("1.x", {{"preemption", "true"}}),
                  file(bob_has_a_minimum));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 9);
  EXPECT_EQ(story.beat(node), "0 0 0 0");
  story.run({.user = "bob"}, 9);
  story.harness().advance(milliseconds(14'900));
  EXPECT_EQ(story.harness().taken_back(), "");
  story.harness().advance(milliseconds(200));
  EXPECT_EQ(story.harness().taken_back(), "kill 3, kill 2");
  EXPECT_EQ(story.beat(node), "1 1");
  story.harness().advance(seconds(60));
  EXPECT_EQ(story.harness().taken_back(), "") << "nobody starves";
}

// mapred.fairscheduler.preemption.only.log: at each look, every 15 s, the two maps that bob should
// have been given are counted, and nothing is taken; which ones it would be is shown. Without
// preemption the switch means nothing.
// Proves: 9.only-log
TEST(SlotFair1x, MayOnlyLogWhatItShouldTake) {
  SlotStory story("slot_fair",
                  fair_settings("1.x", {{"preemption", "true"}, {"preemption_only_log", "true"}}),
                  file(bob_has_a_minimum));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 9);
  EXPECT_EQ(story.beat(node), "0 0 0 0");
  story.run({.user = "bob"}, 9);
  const auto shown = [&] {
    return story.figure("bob", "Should Preempt (map)") + " " +
           story.figure("bob", "Should Have Preempted (map)");
  };
  story.harness().advance(milliseconds(14'900));
  EXPECT_EQ(shown(), "0 0");
  story.harness().advance(milliseconds(200));
  EXPECT_EQ(story.harness().taken_back(), "");
  EXPECT_EQ(shown(), "2 2");
  const auto would = story.scheduler().view(story.harness().cluster()).preemptions;
  ASSERT_EQ(would.size(), 2u);
  EXPECT_EQ(would[0].container, story.container(2));
  EXPECT_EQ(would[1].container, story.container(3));
  EXPECT_FALSE(would[0].is_asked_for);
  story.harness().advance(seconds(15));
  EXPECT_EQ(shown(), "2 4") << "again at the next look";
  EXPECT_EQ(story.figure("alice", "Should Have Preempted (map)"), "0");
  EXPECT_EQ(story.figure("bob", "Should Have Preempted (reduce)"), "0");
  story.end(0);
  story.end(1);
  EXPECT_EQ(story.beat(node), "1 1");
  story.harness().advance(seconds(60));
  EXPECT_EQ(shown(), "0 4") << "bob has his minimum";
  EXPECT_EQ(story.harness().taken_back(), "");

  SlotStory off("slot_fair", fair_settings("1.x", {{"preemption_only_log", "true"}}),
                file(bob_has_a_minimum));
  off.nodes(1);
  off.run({.user = "bob"}, 9);
  off.harness().advance(seconds(60));
  EXPECT_EQ(off.figure("bob", "Should Preempt (map)"), "none");
}

TEST(SlotFair1x, MayAskForWhatItTakesAndWithdraws) {
  SlotStory story(
      "slot_fair",
      fair_settings("1.x", {{"preemption", "true"}, {"preemption_delivery", "contract"}}),
      file(bob_has_a_minimum));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 4);
  EXPECT_EQ(story.beat(node), "0 0 0 0");
  story.run({.user = "bob"}, 9);
  story.harness().advance(seconds(16));
  EXPECT_EQ(story.harness().taken_back(), "ask 3, ask 2");
  const auto shown = story.scheduler().view(story.harness().cluster()).preemptions;
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_EQ(shown[1].container, story.container(3));
  EXPECT_TRUE(shown[1].is_asked_for);
  EXPECT_EQ(shown[1].deadline, trace_time(30'000'000));
  story.end(0);
  story.end(1);
  EXPECT_EQ(story.beat(node), "1 1") << "alice's end by themselves";
  story.harness().advance(seconds(20));
  EXPECT_EQ(story.harness().taken_back(), "withdraw 2, withdraw 3");
}

// Proves: 9.delay
TEST(SlotFair1x, JobsWaitForPlacesByTime) {
  SlotStory story("slot_fair", fair_settings("1.x", {{"locality_delay_ms", "1000"}}));
  const auto near = story.nodes(2, 0);
  const auto far = story.nodes(1, 1);
  const ApplicationId job = story.submit();
  story.maps_of(job, {.pending = 12, .nodes = {{near[0], 12}}, .racks = {{RackId(0u), 12}}});
  EXPECT_EQ(story.beat(far[0]), "");
  story.harness().advance(milliseconds(900));
  EXPECT_EQ(story.beat(near[1]), "") << "not yet in the rack";
  story.harness().advance(milliseconds(100));
  EXPECT_EQ(story.beat(far[0]), "") << "1 s: in the rack, but not here";
  story.harness().advance(milliseconds(1'000));
  EXPECT_EQ(story.beat(far[0]), "0 0 0 0") << "2 s: anywhere, and from then on at once";
}

// To the job it is as a node without slots: it has not been skipped there.
TEST(SlotFair1x, ANodeWithoutRoomSkipsNobody) {
  SlotStory story("slot_fair", fair_settings("1.x", {{"locality_delay_ms", "1000"}}));
  const auto near = story.nodes(2, 0);
  const auto far = story.nodes(1, 1);
  const NodeId small = story.harness().add_node(Resources(500, 512), RackId(1u));
  const ApplicationId job = story.submit();
  story.maps_of(job, {.demand = Resources(1'000, 1'024),
                      .pending = 12,
                      .nodes = {{near[0], 12}},
                      .racks = {{RackId(0u), 12}}});
  EXPECT_EQ(story.beat(small), "");
  story.harness().advance(seconds(2));
  EXPECT_EQ(story.beat(far[0]), "") << "it has waited for nothing so far";
  story.harness().advance(seconds(1));
  EXPECT_EQ(story.beat(small), "") << "but from then on";
  story.harness().advance(seconds(5));
  EXPECT_EQ(story.beat(far[0]), "") << "1 s: in the rack";
  EXPECT_EQ(story.beat(near[1]), "0 0 0") << "ceil(4 × 12/16)";
}

// Proves: 9.delay
TEST(SlotFair1x, AStarvingPoolDoesNotWaitForPlaces) {
  SlotStory story("slot_fair", fair_settings("1.x", {{"locality_delay_ms", "100000"}}),
                  file(bob_has_a_minimum));
  const auto near = story.nodes(1, 0);
  const auto far = story.nodes(1, 1);
  const ApplicationId job = story.submit({.user = "bob"});
  story.maps_of(job, {.pending = 8, .nodes = {{near[0], 8}}, .racks = {{RackId(0u), 8}}});
  story.harness().advance(seconds(10));
  EXPECT_EQ(story.beat(far[0]), "");
  EXPECT_EQ(story.figure(job, "Allowed Locality Level"), "node");
  story.harness().advance(seconds(1));
  EXPECT_EQ(story.beat(far[0]), "0 0 0 0");
  EXPECT_EQ(story.figure(job, "Allowed Locality Level"), "off_switch") << "the level it takes";
}

TEST(SlotFair1x, AJobWithoutPlacesIsShownToRunAnywhere) {
  SlotStory story("slot_fair", fair_settings("1.x", {{"locality_delay_ms", "100000"}}));
  const NodeId node = story.nodes(1).front();
  const ApplicationId job = story.submit();
  story.maps_of(job, {.pending = 8});
  EXPECT_EQ(story.figure(job, "Allowed Locality Level"), "off_switch");
  EXPECT_EQ(story.beat(node), "0 0 0 0");
}

TEST(SlotFair1x, TakesAnotherPoolsFileWhileItRuns) {
  SlotStory story("slot_fair", fair_settings("1.x"), file(""));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 9);
  story.run({.user = "bob"}, 9);
  EXPECT_TRUE(story.reconfigure(file("<pool name=\"alice\"><maxMaps>1</maxMaps></pool>")));
  EXPECT_EQ(story.beat(node), "0 1 1 1");
  const Status refused = story.reconfigure(file("<pool name=\"alice\"><weight>x</weight></pool>"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "file.xml:1: <weight>: expected a number of at least 0, got \"x\"");
  story.set("map_slots", "9");
  EXPECT_FALSE(story.reconfigure(file("")));
}

// ---- the files ----

TEST(PoolsFile, IsReadByGeneration) {
  const XmlElement root = parse_xml(
      "<allocations><pool name=\"a\"><minMaps>1</minMaps><minReduces>2</minReduces>"
      "<maxMaps>3</maxMaps><weight>1.5</weight><maxRunningJobs>4</maxRunningJobs>"
      "<minSharePreemptionTimeout>5</minSharePreemptionTimeout></pool>"
      "<poolMaxJobsDefault>6</poolMaxJobsDefault>"
      "<fairSharePreemptionTimeout>7</fairSharePreemptionTimeout></allocations>",
      "fair.xml");
  const auto late = read_pool_allocations(root, SlotFairGeneration::ratios);
  ASSERT_TRUE(late.has_value());
  const PoolRules& pool = late->of("a");
  EXPECT_EQ(pool.minimum, (PerKind<std::int64_t>{1, 2}));
  EXPECT_EQ(pool.maximum.map, 3);
  EXPECT_EQ(pool.maximum.reduce, std::nullopt);
  EXPECT_EQ(pool.weight, 1.5);
  EXPECT_EQ(pool.maximum_running, 4);
  EXPECT_EQ(pool.minimum_timeout, seconds(5));
  EXPECT_EQ(late->maximum_running_of_pool, 6);
  EXPECT_EQ(late->fair_share_timeout, seconds(7));
  EXPECT_TRUE(late->unread.empty());
  const auto early = read_pool_allocations(root, SlotFairGeneration::deficits);
  ASSERT_TRUE(early.has_value());
  EXPECT_EQ(early->unread.size(), 4u) << "maxMaps and the three time-outs and defaults";
}

TEST(PoolsFile, IsRefusedWithFileAndElement) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"<queues/>", "fair.xml:1: expected <allocations>, got <queues>"},
      {"<allocations><pool><minMaps>1</minMaps></pool></allocations>",
       "fair.xml:1: <pool>: expected a name, got \"\""},
      {"<allocations><pool name=\"a\"><minMaps>-1</minMaps></pool></allocations>",
       "fair.xml:1: <minMaps>: expected a whole number of at least 0, got \"-1\""},
      {"<allocations><pool name=\"a\"/><pool name=\"a\"/></allocations>",
       "fair.xml:1: <pool>: expected each pool once, not \"a\" again, got \"\""},
      {"<allocations><pool name=\"a\"><minMaps>2</minMaps><maxMaps>1</maxMaps></pool>"
       "</allocations>",
       "fair.xml:1: <pool>: expected a maximum of at least the minimum of pool \"a\", got \"\""},
      {"<allocations><defaultPoolSchedulingMode>drf</defaultPoolSchedulingMode></allocations>",
       "fair.xml:1: <defaultPoolSchedulingMode>: expected fair or fifo, got \"drf\""},
  };
  for (const auto& [text, expected] : cases) {
    const auto read =
        read_pool_allocations(parse_xml(text, "fair.xml"), SlotFairGeneration::ratios);
    ASSERT_FALSE(read.has_value()) << expected;
    EXPECT_EQ(read.error().message, expected);
  }
}

TEST(SlotFairSettingsText, OnlyLogIsReadFromTheFile) {
  SchedulerParameters parameters;
  parameters.documents["mapred_site"] =
      test::hadoop_configuration({{"mapred.fairscheduler.preemption", "true"},
                                  {"mapred.fairscheduler.preemption.only.log", "true"}});
  const auto read = read_slot_fair_settings(parameters);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE(read->preempts);
  EXPECT_TRUE(read->only_logs_preemption);
  EXPECT_TRUE(
      unread_in_mapred_site(parameters.documents["mapred_site"], slot_fair_properties()).empty());
}

TEST(SlotFairSettingsText, OfAnotherGenerationAreRefused) {
  SchedulerParameters parameters;
  parameters.settings = {{"generation", "0.20"}, {"preemption", "true"}};
  const auto read = read_slot_fair_settings(parameters);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().message,
            "scheduler slot_fair, setting preemption: expected generation 1.x, since 0.20 has no "
            "such setting, got \"true\"");
}

// min(15 s, 1.5 heartbeats) unless the delays are stated.
TEST(SlotFairSettingsText, DelaysComeFromTheHeartbeat) {
  Duration of_nodes{};
  const auto delays = [&](SettingValues values) {
    SchedulerParameters parameters;
    parameters.heartbeat = of_nodes;
    parameters.settings = std::move(values);
    const MapDelays read = read_slot_fair_settings(parameters).value().delays;
    return std::pair(read.node.count() / 1000, read.rack.count() / 1000);
  };
  EXPECT_EQ(delays({}), std::pair(4'500L, 4'500L)) << "nobody says what it is";
  EXPECT_EQ(delays({{"heartbeat_ms", "60000"}}), std::pair(15'000L, 15'000L));
  EXPECT_EQ(delays({{"locality_delay_ms", "100"}}), std::pair(100L, 100L));
  EXPECT_EQ(delays({{"locality_delay_ms", "100"}, {"locality_delay_of_rack_ms", "7"}}),
            std::pair(100L, 7L));
  EXPECT_EQ(delays({{"locality_delay_of_node_ms", "100"}}), std::pair(4'500L, 4'500L))
      << "as in the original, one alone counts for nothing";
  of_nodes = seconds(1);
  EXPECT_EQ(delays({}), std::pair(1'500L, 1'500L));
  EXPECT_EQ(delays({{"heartbeat_ms", "2000"}}), std::pair(3'000L, 3'000L));
}

}  // namespace
}  // namespace tracebed
