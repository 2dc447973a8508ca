// Hadoop 1's Capacity Scheduler in its three generations: formulas worked by hand, and a small
// cluster.
#include <gtest/gtest.h>

#include "schedulers/hadoop1/capacity/reclaim.h"
#include "schedulers/hadoop1/capacity/slot_queues.h"
#include "schedulers/hadoop1/capacity/user_limits.h"
#include "schedulers/hadoop1/slot_story.h"

namespace tracebed {
namespace {

// Properties of queues, by "QUEUE.KEY", and of the scheduler, by ".KEY".
std::string file(const std::vector<std::pair<std::string, std::string>>& properties) {
  std::string text = "<configuration>";
  for (const auto& [key, value] : properties) {
    const std::string name = key.front() == '.' ? "mapred.capacity-scheduler" + key
                                                : "mapred.capacity-scheduler.queue." + key;
    text += "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }
  return text + "</configuration>";
}

SettingValues settings(const char* generation, SettingValues more = {}) {
  more.try_emplace("generation", generation);
  more.try_emplace("map_slots", "10");
  more.try_emplace("reduce_slots", "2");
  return more;
}

// ---- arithmetic ----

// Proves: 10.reclaim
TEST(SlotCapacityArithmetic, CapacityIsCutToWholeSlots) {
  EXPECT_EQ(slots_of_percent(33.3F, 10), 3);
  EXPECT_EQ(slots_of_percent(39.9F, 10), 3);
  EXPECT_EQ(slots_of_percent(100, 7), 7);
  EXPECT_EQ(slots_of_percent(9, 11), 0);
}

// Proves: 10.user-limit
TEST(SlotCapacityArithmetic, UserLimitOf020IsTheEvenPartOrThePercentage) {
  EXPECT_EQ(user_limit_of_020({.capacity = 10, .occupied = 4}, 1, 3, 25), 4);   // ceil(10/3)
  EXPECT_EQ(user_limit_of_020({.capacity = 10, .occupied = 4}, 1, 5, 25), 3);   // ceil(2.5)
  EXPECT_EQ(user_limit_of_020({.capacity = 10, .occupied = 10}, 1, 2, 25), 6);  // ceil(11/2)
  EXPECT_EQ(user_limit_of_020({.capacity = 10, .occupied = 10}, 4, 2, 25), 7);  // ceil(14/2)
  EXPECT_EQ(user_limit_of_020({.capacity = 10, .occupied = 4}, 1, 3, 100), 10);
}

// Proves: 10.factor
TEST(SlotCapacityArithmetic, UserLimitOf1xIsAtMostTheCapacityTimesTheFactor) {
  EXPECT_EQ(user_limit_of_1x({.capacity = 10, .occupied = 4}, 1, 2, 25, 1), 5);
  EXPECT_EQ(user_limit_of_1x({.capacity = 10, .occupied = 19}, 1, 1, 100, 1), 10) << "not 20";
  EXPECT_EQ(user_limit_of_1x({.capacity = 10, .occupied = 19}, 1, 1, 100, 1.5F), 15);
  EXPECT_EQ(user_limit_of_1x({.capacity = 10, .occupied = 4}, 1, 1, 100, 0.55F), 5);
  EXPECT_EQ(user_limit_of_1x({.capacity = 0, .occupied = 0}, 3, 1, 100, 1), 3)
      << "the capacity is at least a task";
}

TEST(SlotCapacityArithmetic, AQueueStaysBelowItsMaximum) {
  EXPECT_TRUE(fits_below_maximum(std::nullopt, 99, 1));
  EXPECT_TRUE(fits_below_maximum(4, 3, 1));
  EXPECT_FALSE(fits_below_maximum(4, 3, 2));
  EXPECT_TRUE(fits_below_maximum(0, 3, 2)) << "a maximum of no slot is none, as in the original";
}

// Proves: 10.reclaim
TEST(Reclaiming, IsAskedForAndKilledThreeHeartbeatsBeforeTheDeadline) {
  ReclaimRequests requests;
  const auto at = [](std::int64_t second) { return TraceTime(seconds(second)); };
  const auto check = [&](std::int64_t second, std::int64_t running, std::int64_t pending) {
    return requests.check(
        {.capacity = 6, .running = running, .pending = pending, .limit = seconds(300)}, at(second),
        at(second + 5), seconds(3), true);
  };
  EXPECT_EQ(check(5, 2, 3), 0);
  EXPECT_EQ(requests.asked(), 3) << "min(6 − 2, 3)";
  EXPECT_EQ(requests.first_kill(), at(296));  // 5 + 300 − 3 × 3
  EXPECT_EQ(check(10, 2, 9), 0);
  EXPECT_EQ(requests.asked(), 4) << "one more: its own request with its own time";
  requests.got_one();
  EXPECT_EQ(check(290, 3, 9), 0) << "296 is not before 295";
  EXPECT_EQ(check(295, 3, 9), 2) << "what is left of the first";
  EXPECT_EQ(requests.first_kill(), at(301));
  EXPECT_EQ(check(300, 5, 9), 1) << "and of the second";
  EXPECT_FALSE(requests.is_waiting());
  EXPECT_EQ(requests.asked(), 4) << "it is not asked for again until its time is up";
  EXPECT_EQ(check(305, 6, 9), 0);
  EXPECT_EQ(requests.asked(), 1);
}

// Proves: 10.reclaim
TEST(Reclaiming, TakesFromEachQueueByItsExcess) {
  const std::int64_t excess[] = {1, 3, 0};
  EXPECT_EQ(divide_kills(excess, 4), (std::vector<std::int64_t>{1, 3, 0}));
  EXPECT_EQ(divide_kills(excess, 2), (std::vector<std::int64_t>{1, 2, 0})) << "0.5 and 1.5, up";
  EXPECT_EQ(divide_kills(excess, 1), (std::vector<std::int64_t>{0, 1, 0}));
}

// ---- 0.20.0 ----

// Proves: 10.reclaim
TEST(SlotCapacity0200, AQueueBelowItsCapacityGetsItBackByTheDeadline) {
  SlotStory story("slot_capacity", settings("0.20.0"),
                  file({{"default.guaranteed-capacity", "60"},
                        {"default.reclaim-time-limit", "60"},
                        {"other.guaranteed-capacity", "40"}}));
  const NodeId node = story.nodes(1).front();
  story.run({.queue = "other"}, 6);
  story.run({.queue = "other"}, 9);
  EXPECT_EQ(story.beat(node, 10), "0 0 0 0 0 0 1 1 1 1");
  story.run({.user = "bob"}, 3);
  EXPECT_EQ(story.figure("default", "Capacity (map)"), "6");
  // Asked for at 5 s, for 65 s: killed at the last check before 65 − 3 × 3 = 56 s.
  story.harness().advance(milliseconds(54'900));
  EXPECT_EQ(story.harness().taken_back(), "");
  story.harness().advance(milliseconds(200));
  EXPECT_EQ(story.harness().taken_back(), "kill 9, kill 8, kill 7") << "the newest job's newest";
  EXPECT_EQ(story.beat(node, 4), "2 2 2") << "of the queue that uses less";
}

TEST(SlotCapacity0200, QueuesGoByRunningOverCapacity) {
  SlotStory story("slot_capacity", settings("0.20.0"),
                  file({{"default.guaranteed-capacity", "50"},
                        {"idle.guaranteed-capacity", "20"},
                        {"busy.guaranteed-capacity", "30"}}));
  const NodeId node = story.nodes(1).front();
  story.run({.queue = "busy"}, 20);
  story.run({}, 20);
  EXPECT_EQ(story.beat(node, 10), "0 1 1 0 1 1 0 1 0 1") << "0/3 0/5, 1/3 0/5, 1/3 1/5, 1/3 2/5 …";
}

// ---- 0.20.2 ----

// Proves: 10.user-limit
TEST(SlotCapacity0202, UsersShareAQueueAndASecondPassLetsNoSlotIdle) {
  SlotStory story(
      "slot_capacity", settings("0.20.2"),
      file({{"default.capacity", "100"}, {"default.minimum-user-limit-percent", "25"}}));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 20);
  story.run({.user = "bob"}, 3);
  EXPECT_EQ(story.beat(node, 10), "0 0 0 0 0 1 1 1 0 0")
      << "alice has her half, bob all that he wants, and the rest would idle";
}

// Proves: 10.high-memory
TEST(SlotCapacity0202, AJobWithLargeTasksTakesSeveralSlots) {
  SlotStory story("slot_capacity", settings("0.20.2", {{"map_slots", "4"},
                                                       {"map_slot_mib", "1024"},
                                                       {"reduce_slot_mib", "1024"},
                                                       {"map_task_max_mib", "8192"},
                                                       {"reduce_task_max_mib", "8192"}}));
  const NodeId node = story.nodes(1).front();
  const ApplicationId large = story.submit();
  story.maps_of(large, {.demand = Resources(1'000, 2'500), .pending = 2});
  story.run({}, 4);
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_EQ(story.figure("default", "Used Capacity (map)"), "3");
  EXPECT_EQ(story.beat(node), "")
      << "one slot is free, the next task takes three; nobody passes it";
  story.end(0);
  EXPECT_EQ(story.beat(node, 3), "0 1") << "and then nobody is before the small ones";
  story.end(1);
  EXPECT_EQ(story.beat(node, 5), "1 1 1");
  const auto refused = story.scheduler().container_size(large, Resources(1'000, 9'000));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message,
            "a task asks for 9000 MiB, but no task may have more than 8192 MiB");
}

TEST(SlotCapacity0202, GivesTheKindThatHasMoreFreeSlots) {
  SlotStory story("slot_capacity", settings("0.20.2", {{"map_slots", "2"}, {"reduce_slots", "3"}}));
  const NodeId node = story.nodes(1).front();
  story.run({}, 9, 9);
  EXPECT_EQ(story.beat(node, 5), "0r 0 0r 0 0r");
}

// ---- 1.x ----

// Proves: 10.factor
TEST(SlotCapacity1x, ThereIsNoSecondPass) {
  const auto story_with = [](const char* factor) {
    return SlotStory("slot_capacity", settings("1.x"),
                     file({{"default.capacity", "50"},
                           {"default.user-limit-factor", factor},
                           {"other.capacity", "50"}}));
  };
  SlotStory strict = story_with("1");
  const NodeId node = strict.nodes(1).front();
  const ApplicationId job = strict.run({}, 20);
  EXPECT_EQ(strict.beat(node), "0 0 0 0 0") << "its user has the queue's capacity";
  EXPECT_EQ(strict.why(job),
            "user_limit: its user has as many map slots of queue default as it may");
  SlotStory wide = story_with("1.6");
  const NodeId other = wide.nodes(1).front();
  wide.run({}, 20);
  EXPECT_EQ(wide.beat(other), "0 0 0 0 0 0 0 0");
}

TEST(SlotCapacity1x, QueuesHaveMaximaAndGoByUse) {
  SlotStory story("slot_capacity", settings("1.x"),
                  file({{"a.capacity", "20"},
                        {"a.maximum-capacity", "30"},
                        {"a.user-limit-factor", "9"},
                        {"b.capacity", "80"}}));
  const NodeId node = story.nodes(1).front();
  story.run({.queue = "a"}, 20);
  story.run({.queue = "b"}, 5);
  EXPECT_EQ(story.beat(node), "0 1 1 1 1 0 1 0") << "0/2 0/8, 1/2 0/8 …, 3 of a at most";
  EXPECT_EQ(story.why(ApplicationId(0u)), "queue_room: queue a takes 3 of at most 3 map slots");
}

TEST(SlotCapacity1x, KeepsANodeForATaskThatTakesMoreSlotsThanAreFree) {
  SlotStory story("slot_capacity", settings("1.x", {{"map_slots", "4"},
                                                    {"map_slot_mib", "1024"},
                                                    {"reduce_slot_mib", "1024"},
                                                    {"map_task_max_mib", "8192"},
                                                    {"reduce_task_max_mib", "8192"}}));
  const auto nodes = story.nodes(3);
  story.run({}, 6);
  EXPECT_EQ(story.beat(nodes[0]), "0 0 0 0");
  EXPECT_EQ(story.beat(nodes[1]), "0 0");
  const ApplicationId large = story.submit();
  story.maps_of(large, {.demand = Resources(1'000, 3'000), .pending = 1});
  story.run({}, 4);
  EXPECT_EQ(story.beat(nodes[1]), "") << "kept for the large one";
  EXPECT_EQ(story.figure("default", "Used Capacity (map)"), "9");  // 6 and 3
  story.end(4);
  EXPECT_EQ(story.beat(nodes[1]), "1") << "it takes the three that are free";
  EXPECT_EQ(story.beat(nodes[2]), "2 2 2 2") << "5 and 3 of 12 are taken";
}

TEST(SlotCapacity1x, MapsFarFromTheirInputWaitForOffers) {
  SlotStory story("slot_capacity", settings("1.x"));
  const auto near = story.nodes(2, 0);
  const auto far = story.nodes(2, 1);
  const ApplicationId job = story.submit();
  story.maps_of(job,
                {.pending = 8, .nodes = {{near[0], 4}, {near[1], 4}}, .racks = {{RackId(0u), 8}}});
  // min(8, 4 nodes) × 2/4 = 2 offers are let pass.
  EXPECT_EQ(story.beat(far[0], 2), "");
  EXPECT_EQ(story.beat(far[0]), "0") << "and ends the maps of this heartbeat";
  EXPECT_EQ(story.beat(near[0]), "0 0 0 0 0 0 0");
}

TEST(SlotCapacity1x, ANodeWithoutRoomIsNoOffer) {
  SlotStory story("slot_capacity", settings("1.x"));
  const auto near = story.nodes(2, 0);
  const auto far = story.nodes(2, 1);
  const NodeId small = story.harness().add_node(Resources(500, 512), RackId(1u));
  const ApplicationId job = story.submit();
  story.maps_of(job, {.demand = Resources(1'000, 1'024),
                      .pending = 8,
                      .nodes = {{near[0], 4}, {near[1], 4}},
                      .racks = {{RackId(0u), 8}}});
  // min(8, 5 nodes) × 2/5 = 2 offers are let pass.
  EXPECT_EQ(story.beat(small, 9), "");
  EXPECT_EQ(story.beat(far[0], 2), "");
  EXPECT_EQ(story.beat(small, 9), "");
  EXPECT_EQ(story.beat(far[0]), "0");
}

TEST(SlotCapacity1x, HoldsBackAndRefusesJobsByTheSystemsMaximum) {
  SlotStory story("slot_capacity", settings("1.x"),
                  file({{"default.capacity", "100"},
                        {".maximum-system-jobs", "2"},
                        {"default.minimum-user-limit-percent", "50"},
                        {".default-init-accept-jobs-factor", "2"}}));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 1);
  const ApplicationId second = story.run({.user = "alice"}, 1);
  story.run({.user = "bob"}, 1);
  EXPECT_EQ(story.beat(node), "0 2");
  EXPECT_EQ(story.why(second),
            "running_limit: of queue default at most 2 jobs run at a time, of one user 1");
  const ApplicationId third = story.submit({.user = "alice"});
  EXPECT_EQ(story.harness().rejection(third),
            "queue default has its maximum of 2 jobs of the user already");
  EXPECT_EQ(story.harness().rejection(story.submit({.queue = "absent"})),
            "queue absent does not exist");
  story.end(0);
  story.harness().finish(ApplicationId(0u));
  story.harness().decide();
  EXPECT_EQ(story.beat(node), "1");
}

TEST(SlotCapacity1x, RefreshesItsQueues) {
  SlotStory story("slot_capacity", settings("1.x"),
                  file({{"default.capacity", "50"}, {"a.capacity", "50"}}));
  const NodeId node = story.nodes(1).front();
  story.run({}, 20);
  EXPECT_TRUE(story.reconfigure(file({{"default.capacity", "70"}, {"a.capacity", "30"}})));
  EXPECT_EQ(story.beat(node), "0 0 0 0 0 0 0");
  const Status refused = story.reconfigure(file({{"default.capacity", "100"}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "queue a is gone, and no queue may be");
}

// ---- the file ----

TEST(SlotQueuesFile, SharesTheRestAmongQueuesWithoutACapacity) {
  const auto read = read_slot_queues(parse_xml(file({{"default.capacity", "40"}}), "capacity.xml"),
                                     {"default", "a", "b"}, SlotCapacityGeneration::shares_memory);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->queues[1].capacity, 30);
  EXPECT_EQ(read->queues[2].capacity, 30);
}

TEST(SlotQueuesFile, CountsJobsByTheSystemsMaximum) {
  const auto read = read_slot_queues(parse_xml(file({{"a.capacity", "33"},
                                                     {"a.minimum-user-limit-percent", "25"},
                                                     {"b.capacity", "67"}}),
                                               "capacity.xml"),
                                     {}, SlotCapacityGeneration::has_maxima);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->queues[0].running_max, 1650);         // 5000 × 33 percent
  EXPECT_EQ(read->queues[0].running_of_user_max, 413);  // 412.5, up
  EXPECT_EQ(read->queues[0].accepted_of_user_max, 4130);
}

TEST(SlotQueuesFile, IsRefusedWithFileAndProperty) {
  struct Case {
    std::vector<std::pair<std::string, std::string>> properties;
    SlotCapacityGeneration generation;
    std::string expected;
  };
  using Generation = SlotCapacityGeneration;
  const std::string prefix = "mapred.capacity-scheduler.queue.";
  const std::vector<Case> cases{
      {{{"a.capacity", "101"}},
       Generation::has_maxima,
       "capacity.xml:1: " + prefix + "a.capacity: expected a number from 0 to 100, got \"101\""},
      {{{"a.capacity", "50"}, {"b.user-limit-factor", "1"}},
       Generation::has_maxima,
       "capacity.xml:1: " + prefix + "b.capacity: expected a capacity in percent, got none"},
      {{{"a.capacity", "50"}, {"b.capacity", "49"}},
       Generation::has_maxima,
       "capacity.xml:1: expected capacities of queues that add up to 100, got 99.000000"},
      {{{"a.capacity", "100"}, {"a.maximum-capacity", "99"}},
       Generation::has_maxima,
       "capacity.xml:1: " + prefix +
           "a.maximum-capacity: expected at least the queue's capacity, got \"99\""},
      {{{"a.capacity", "60"}},
       Generation::shares_memory,
       "capacity.xml:1: expected a queue named default, got none"},
      {{{"default.guaranteed-capacity", "60"}, {"a.guaranteed-capacity", "60"}},
       Generation::reclaims,
       "capacity.xml:1: expected capacities of queues that add up to at most 100, got 120.000000"},
      {{{"default.guaranteed-capacity", "60"}, {"default.reclaim-time-limit", "0"}},
       Generation::reclaims,
       "capacity.xml:1: " + prefix +
           "default.reclaim-time-limit: expected a whole number from 1 to 2147483647, got \"0\""},
      {{{"default.minimum-user-limit-percent", "0"}},
       Generation::shares_memory,
       "capacity.xml:1: " + prefix +
           "default.minimum-user-limit-percent: expected a whole number from 1 to 100, got \"0\""},
  };
  for (const Case& one : cases) {
    const auto read =
        read_slot_queues(parse_xml(file(one.properties), "capacity.xml"), {}, one.generation);
    ASSERT_FALSE(read.has_value()) << one.expected;
    EXPECT_EQ(read.error().message, one.expected);
  }
}

TEST(SlotQueuesFile, TellsWhatItPassesOver) {
  const auto read = read_slot_queues(
      parse_xml(
          file({{"default.capacity", "100"}, {"default.maximum-initialized-active-tasks", "9"}}),
          "capacity.xml"),
      {}, SlotCapacityGeneration::has_maxima);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->unread,
            std::vector<std::string>{"capacity.xml:1: mapred.capacity-scheduler.queue.default."
                                     "maximum-initialized-active-tasks"});
}

}  // namespace
}  // namespace tracebed
