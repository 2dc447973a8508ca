// Slots, which kind of slot what takes, and Hadoop 1's first scheduler.
#include <gtest/gtest.h>

#include "schedulers/hadoop1/load_cap.h"
#include "schedulers/hadoop1/slot_fifo.h"
#include "schedulers/hadoop1/slot_story.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using Slots = PerKind<std::int64_t>;

// papers/ma2012 had 13 to 17 slots a node.
TEST(SlotRuleTest, DividesANodesSlotsIntoThoseForMapsAndForReduces) {
  const Resources sixteen_cores(16'000, 16'384);
  EXPECT_EQ(SlotRule().of(sixteen_cores), (Slots{12, 4}));
  EXPECT_EQ(SlotRule{.per_node = 13}.of(sixteen_cores), (Slots{10, 3}));  // 3.25
  EXPECT_EQ(SlotRule{.per_node = 14}.of(sixteen_cores), (Slots{10, 4}));  // 3.5
  EXPECT_EQ(SlotRule{.per_node = 17}.of(sixteen_cores), (Slots{13, 4}));  // 4.25
  EXPECT_EQ(SlotRule{.per_node = 2}.of(sixteen_cores), (Slots{1, 1}));
  EXPECT_EQ((SlotRule{.per_node = 5, .is_of_each = true}.of(sixteen_cores)), (Slots{5, 5}));
  EXPECT_EQ((SlotRule{.stated = {.map = 0, .reduce = 2}, .per_node = 8}.of(sixteen_cores)),
            (Slots{6, 2}));
  EXPECT_EQ(SlotRule().of(Resources(500, 1024)), (Slots{1, 1})) << "at least two";
}

TEST(SlotKinds, ReducesAreWhatAMapReduceJobAsksForWithPriorityTen) {
  SlotStory story("slot_fifo", {{"map_slots", "2"}, {"reduce_slots", "1"}});
  const NodeId node = story.nodes(1).front();
  story.run({}, 3, 2);
  EXPECT_EQ(story.beat(node), "0 0 0r");
  EXPECT_EQ(story.beat(node), "") << "all slots are taken, though there is room";
  EXPECT_EQ(story.why(ApplicationId(0u)), "room: 1 of 1 reduce slots are taken");
  story.end(2);
  EXPECT_EQ(story.beat(node), "0r");
}

TEST(SlotKinds, StagesOfOtherJobsTakeMapSlotsWhateverTheirPriority) {
  SlotStory story("slot_fifo", {{"map_slots", "2"}, {"reduce_slots", "2"}});
  const NodeId node = story.nodes(1).front();
  const ApplicationId dag = story.submit();
  // A stage ten steps from the end has the priority of reduces.
  const std::int32_t priority = map_reduce_priority(StageKind::reduce);
  story.harness().ask(dag, {.pending = 4, .priority = priority});
  EXPECT_EQ(story.harness().decide_at(node).size(), 2u) << "no reduce slot is for a tenth stage";
}

TEST(SlotKinds, AGangIsPlacedWholeAndTakesASlotForEachUnit) {
  SlotStory story("slot_fifo", {{"map_slots", "2"}, {"reduce_slots", "1"}});
  const NodeId node = story.nodes(1).front();
  const ApplicationId gang = story.submit();
  story.harness().ask(gang, {.pending = 3, .kind = StageKind::gang});
  const std::vector<Placement> placed = story.harness().decide_at(node);
  ASSERT_EQ(to_text(placed), "a0:n0x3") << "room binds it, though there are but two slots";
  story.run({}, 1);
  EXPECT_EQ(story.beat(node), "") << "all are taken";
  story.harness().end(placed.front().container);
  EXPECT_EQ(story.beat(node), "1");
}

TEST(SlotKinds, AMastersContainerTakesNoSlot) {
  SlotStory story("slot_fifo", {{"map_slots", "1"}, {"reduce_slots", "1"}});
  const NodeId node = story.nodes(1).front();
  const ApplicationId job = story.submit();
  story.harness().ask(job, {.pending = 1, .is_master = true});
  EXPECT_EQ(story.harness().decide_at(node).size(), 1u);
  story.maps_of(job, {.pending = 1});
  EXPECT_EQ(story.beat(node), "0");
}

TEST(SlotKinds, ATaskNeedsRoomBesideItsSlot) {
  SlotStory story("slot_fifo", {{"map_slots", "4"}, {"reduce_slots", "1"}});
  const NodeId node = story.harness().add_node(Resources(4'000, 2'048));
  const ApplicationId large = story.submit();
  story.maps_of(large, {.demand = Resources(1'000, 1'536), .pending = 2});
  story.run({}, 2);
  EXPECT_EQ(story.beat(node), "0") << "the second has no room; of the other job neither";
  EXPECT_EQ(story.why(large), "room: no node that has a free slot has room for the task");
}

// Of 4 map slots and 1 reduce slot: without load all; with half of the memory in use 2 and,
// rounded, 1 besides those that are taken; with three quarters 1 and 0.
TEST(SlotKinds, FollowTheMeasuredLoadIfToldTo) {
  SlotStory story("slot_fifo",
                  {{"map_slots", "4"}, {"reduce_slots", "1"}, {"slots_follow_load", "true"}});
  PolicyHarness& harness = story.harness();
  const NodeId node = story.nodes(1).front();
  const auto maps_given = [&](const Resources& used) {
    harness.heartbeat(node, used);
    return harness.decide().size();
  };
  const ApplicationId job = story.run({}, 20);
  EXPECT_EQ(maps_given({}), 4u);
  EXPECT_EQ(maps_given(Resources(10'000, 50'000)), 2u);
  EXPECT_EQ(story.why(job), "room: 6 of 6 map slots are taken");
  EXPECT_EQ(maps_given(Resources(10'000, 75'000)), 1u);
  EXPECT_EQ(maps_given(Resources(100'000, 0)), 0u) << "vcores are scarcer";
  EXPECT_EQ(maps_given(Resources(200'000, 0)), 0u) << "more is used than there is";
  EXPECT_EQ(story.why(job), "room: 7 of 7 map slots are taken");
  EXPECT_EQ(maps_given({}), 4u);
}

// A node that is busy has no slot for a task of four, but had them without load.
TEST(SlotKinds, AreNotTooFewForEverWhereALoadTakesThem) {
  SlotStory story("slot_fifo",
                  {{"map_slots", "4"}, {"reduce_slots", "1"}, {"slots_follow_load", "true"}});
  const NodeId node = story.nodes(1).front();
  const ApplicationId job = story.run({}, 1);
  story.harness().heartbeat(node, Resources(0, 100'000));
  EXPECT_EQ(to_text(story.harness().decide()), "");
  EXPECT_EQ(story.why(job), "room: 0 of 0 map slots are taken");
}

// All report at once, the first of them 50 %, the second 70 % and the third 10 % of load; there are
// two tasks.
TEST(TurnOrderTest, ServesGatheredNodesByLoad) {
  for (const auto& [order, expected] :
       {std::pair("arrival", "a0:n0 a0:n1"), std::pair("least_loaded", "a0:n2 a0:n0"),
        std::pair("most_loaded", "a0:n1 a0:n0")}) {
    SlotStory story("slot_fifo",
                    {{"map_slots", "1"}, {"reduce_slots", "1"}, {"node_order", order}});
    PolicyHarness& harness = story.harness();
    const auto nodes = story.nodes(3);
    story.run({}, 2);
    harness.heartbeat(nodes[0], Resources(50'000, 0));
    harness.heartbeat(nodes[1], Resources(0, 70'000));
    harness.heartbeat(nodes[2], Resources(10'000, 10'000));
    std::string placed = to_text(harness.decide());
    if (std::string_view(order) != "arrival") {
      EXPECT_EQ(placed, "") << order << ": heartbeats are gathered for two seconds";
      harness.advance(milliseconds(1'999));
      EXPECT_EQ(to_text(harness.decide()), "") << order;
      harness.advance(milliseconds(1));
      placed = to_text(harness.decide());
    }
    EXPECT_EQ(placed, expected) << order;
  }
}

// A heartbeat after which nothing else has happened, and of the same load, opens no window: it
// would wake the scheduler for ever. A new job, or another load, does.
TEST(TurnOrderTest, WaitsAgainOnlyForWhatMayChangeSomething) {
  SlotStory story("slot_fifo",
                  {{"map_slots", "1"}, {"reduce_slots", "1"}, {"node_order", "least_loaded"}});
  PolicyHarness& harness = story.harness();
  const NodeId node = story.nodes(1).front();
  story.run({}, 2);
  const auto given_after_two_seconds = [&](const Resources& used) {
    harness.heartbeat(node, used);
    harness.decide();
    if (harness.wake_at() == never) return std::string("no window");
    harness.advance(seconds(2));
    return to_text(harness.decide());
  };
  EXPECT_EQ(given_after_two_seconds({}), "a0:n0");
  EXPECT_EQ(given_after_two_seconds({}), "") << "it was given something, and has no slot left";
  EXPECT_EQ(given_after_two_seconds({}), "no window");
  EXPECT_EQ(given_after_two_seconds(Resources(10'000, 0)), "") << "another load";
  EXPECT_EQ(given_after_two_seconds(Resources(10'000, 0)), "no window");
  story.run({}, 1);
  EXPECT_EQ(given_after_two_seconds(Resources(10'000, 0)), "") << "another job";
}

TEST(TurnOrderTest, LeavesOutNodesThatWentMeanwhile) {
  SlotStory story("slot_fifo", {{"map_slots", "1"},
                                {"reduce_slots", "1"},
                                {"node_order", "least_loaded"},
                                {"node_order_ms", "500"}});
  PolicyHarness& harness = story.harness();
  const auto nodes = story.nodes(2);
  story.run({}, 2);
  for (const NodeId node : nodes) harness.heartbeat(node);
  harness.decide();
  harness.remove_node(nodes[0]);
  harness.advance(milliseconds(500));
  EXPECT_EQ(to_text(harness.decide()), "a0:n1");
}

TEST(SlotKinds, RefusedProposalsAreTakenBack) {
  SlotStory story("slot_fifo", {{"map_slots", "2"}, {"reduce_slots", "1"}});
  const NodeId node = story.nodes(1).front();
  story.run({}, 2);
  story.harness().refuse_next(2);
  EXPECT_EQ(story.beat(node), "");
  EXPECT_EQ(story.beat(node), "0 0") << "the slots are free again";
}

// Proves: 9.load-cap
TEST(LoadCap, IsTheEvenPartOfAllTasks) {
  EXPECT_EQ(load_cap(10, 4, 40, 0), 1);     // 4 × 10/40
  EXPECT_EQ(load_cap(11, 4, 40, 0), 2);     // 1.1, up
  EXPECT_EQ(load_cap(90, 4, 40, 0), 4);     // not more than there are
  EXPECT_EQ(load_cap(10, 4, 40, 0.25), 2);  // 4 × (0.25 + 0.25)
  EXPECT_EQ(load_cap(0, 4, 40, 0), 0);
  EXPECT_EQ(load_cap(5, 4, 0, 0), 0) << "no slots at all";
}

// Proves: 9.load-cap
TEST(LoadCap, HoldsANodeToItsEvenPart) {
  for (const std::string scheduler : {"slot_fifo", "slot_fair"}) {
    SlotStory story(scheduler, {{"map_slots", "4"}, {"reduce_slots", "1"}});
    const auto nodes = story.nodes(4);
    story.run({}, 8);  // half of 16
    EXPECT_EQ(story.beat(nodes[0]), "0 0") << scheduler;
    EXPECT_EQ(story.beat(nodes[0]), "") << scheduler;
    EXPECT_EQ(story.beat(nodes[1]), "0 0") << scheduler;
  }
}

TEST(SlotFifo, GoesByPriorityThenBySubmission) {
  SlotStory story("slot_fifo", {{"map_slots", "8"}, {"reduce_slots", "1"}});
  const NodeId node = story.nodes(1).front();
  story.run({}, 2);
  story.run({.priority = 1}, 2);
  story.run({}, 9);
  EXPECT_EQ(story.beat(node), "1 1 0 0 2 2 2 2");
}

TEST(SlotFifo, GivesSeveralMapsButOneReduceOnAHeartbeat) {
  SlotStory story("slot_fifo", {{"map_slots", "2"}, {"reduce_slots", "4"}});
  const NodeId node = story.nodes(1).front();
  story.run({}, 4, 4);
  EXPECT_EQ(story.beat(node), "0 0 0r");
  EXPECT_EQ(story.beat(node), "0r");
  SlotStory one("slot_fifo",
                {{"map_slots", "2"}, {"reduce_slots", "4"}, {"tasks_per_heartbeat", "one"}});
  const NodeId other = one.nodes(1).front();
  one.run({}, 4, 4);
  EXPECT_EQ(one.beat(other, 3), "0 0 0r");
  EXPECT_EQ(one.beat(other), "0r");
}

TEST(SlotFifo, AMapFarFromItsInputEndsTheHeartbeat) {
  SlotStory story("slot_fifo", {{"map_slots", "4"}, {"reduce_slots", "1"}});
  const auto near = story.nodes(1, 0);
  const auto far = story.nodes(1, 1);
  const ApplicationId job = story.submit();
  story.maps_of(job, {.pending = 6, .nodes = {{near[0], 6}}, .racks = {{RackId(0u), 6}}});
  EXPECT_EQ(story.beat(far[0]), "0");
  EXPECT_EQ(story.beat(near[0]), "0 0 0") << "3 = ceil(4 × 6/8)";
}

// 5 nodes of 2 slots; the padding of 100 tasks is min(2, 10).
TEST(SlotFifo, KeepsSomeSlotsForWhatFails) {
  SlotStory story("slot_fifo",
                  {{"map_slots", "2"}, {"reduce_slots", "1"}, {"pad_fraction", "0.1"}});
  const auto nodes = story.nodes(5);
  story.run({}, 100);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(story.beat(nodes[i]), "0 0");
  EXPECT_EQ(story.beat(nodes[4]), "0") << "8 that run and 2 reach 10";
  EXPECT_EQ(story.beat(nodes[4]), "0");
}

TEST(SlotFifo, ExclusivelyTheFirstJobIsServed) {
  SlotStory story("slot_fifo", {{"map_slots", "4"}, {"reduce_slots", "1"}, {"exclusive", "true"}});
  const NodeId node = story.nodes(1).front();
  story.run({}, 1);
  story.run({}, 3);
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_EQ(story.beat(node), "");
  story.end(0);
  story.harness().finish(ApplicationId(0u));
  EXPECT_EQ(story.beat(node), "1 1 1");
}

TEST(MapredSite, StatesWhatTheExperimentDoesNot) {
  SchedulerParameters parameters;
  parameters.documents["mapred_site"] = parse_xml(
      "<configuration>"
      "<property><name>mapred.tasktracker.map.tasks.maximum</name><value>7</value></property>"
      "<property><name>mapred.tasktracker.reduce.tasks.maximum</name><value>3</value></property>"
      "</configuration>",
      "mapred-site.xml");
  parameters.settings["reduce_slots"] = "5";
  const auto settings = read_slot_fifo_settings(parameters);
  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  EXPECT_EQ(settings->slots.stated, (Slots{7, 5}));
}

TEST(MapredSite, IsRefusedWithFileAndProperty) {
  SchedulerParameters parameters;
  parameters.documents["mapred_site"] = parse_xml(
      "<configuration>\n"
      "<property><name>mapred.tasktracker.map.tasks.maximum</name><value>two</value></property>"
      "</configuration>",
      "mapred-site.xml");
  const auto settings = read_slot_fifo_settings(parameters);
  ASSERT_FALSE(settings.has_value());
  EXPECT_EQ(settings.error().message,
            "mapred-site.xml:2: mapred.tasktracker.map.tasks.maximum: expected a whole number, got "
            "\"two\"");
}

std::vector<std::string> unread_by(std::string_view scheduler, std::string_view setting,
                                   const XmlElement& root, const SettingValues& settings) {
  return test::schedulers().find(scheduler)->unread({setting, root, settings, {}});
}

std::vector<std::string> unknown(const std::string& place) {
  return {unknown_sentence(place)};
}

// mapred-site.xml states much that is no matter of schedulers; of theirs, what is not read is told.
TEST(PassedOver, AreTheSchedulersOwnPropertiesAndElementsThatItDoesNotRead) {
  const XmlElement site = parse_xml(
      "<configuration>"
      "<property><name>mapred.reduce.tasks</name><value>7</value></property>"
      "<property><name>mapred.fairscheduler.preemption</name><value>true</value></property>"
      "<property><name>mapred.fairscheduler.eventlog.enabled</name><value>true</value></property>"
      "</configuration>",
      "mapred-site.xml");
  EXPECT_EQ(unread_by("slot_fair", "mapred_site", site, {}),
            unknown("mapred-site.xml:1: mapred.fairscheduler.eventlog.enabled"));
  EXPECT_EQ(unread_by("slot_fifo", "mapred_site", site, {}).size(), 2u);
  const XmlElement pools = parse_xml(
      "<allocations><pool name=\"a\"><maxMaps>1</maxMaps></pool></allocations>", "fair.xml");
  EXPECT_EQ(unread_by("slot_fair", "config", pools, {}), std::vector<std::string>{});
  EXPECT_EQ(unread_by("slot_fair", "config", pools, {{"generation", "0.20"}}),
            unknown("fair.xml:1: <maxMaps>"));
  const XmlElement queues = parse_xml(
      "<configuration><property>"
      "<name>mapred.capacity-scheduler.queue.default.capacity</name><value>100</value>"
      "</property><property>"
      "<name>mapred.capacity-scheduler.init-poll-interval</name><value>5000</value>"
      "</property></configuration>",
      "capacity.xml");
  EXPECT_EQ(unread_by("slot_capacity", "config", queues, {}),
            unknown("capacity.xml:1: mapred.capacity-scheduler.init-poll-interval"));
}

}  // namespace
}  // namespace tracebed
