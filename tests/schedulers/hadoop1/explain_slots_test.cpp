// `explain` on the files of Hadoop 1. Figures are worked by hand.
#include "schedulers/hadoop1/explain/explain_slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "schedulers/explained_figures.h"
#include "support/hadoop_file.h"

namespace tracebed {
namespace {

using test::formula;
using test::value;
using testing::HasSubstr;

const PerKind<std::int64_t> slots{.map = 40, .reduce = 20};

XmlElement queues_file(std::vector<std::pair<std::string, std::string>> lines) {
  for (auto& [name, value] : lines) name.insert(0, "mapred.capacity-scheduler.");
  return parse_xml(test::hadoop_file(lines), "queues.xml");
}

std::vector<ExplainedQueue> explained(const XmlElement& root, SlotCapacityGeneration generation) {
  const auto file = read_slot_queues(root, {}, generation);
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  return file ? explain_slot_queues(*file, generation, slots) : std::vector<ExplainedQueue>();
}

// 75 % of 40 and 20 slots are 30 and 15; a user of four gets ceil(30 / 4) = 8 of 30, and at most
// int(30 × 0.5) = 15. 5000 jobs × 75 % = 3750, of a user 3750 × 25 % = 937.5, up.
TEST(ExplainSlotQueues, ShowsWhatLimitsAQueueOfOneX) {
  const auto queues = explained(queues_file({{"queue.default.capacity", "25"},
                                             {"queue.prod.capacity", "75"},
                                             {"queue.prod.maximum-capacity", "90"},
                                             {"queue.prod.minimum-user-limit-percent", "25"},
                                             {"queue.prod.user-limit-factor", "0.5"}}),
                                SlotCapacityGeneration::has_maxima);
  ASSERT_EQ(queues.size(), 2u);
  EXPECT_EQ(value(queues[0], "Maximum Capacity"), "unlimited");
  EXPECT_EQ(value(queues[0], "Limit of each of 1 User (map)"), "10");
  const ExplainedQueue& prod = queues[1];
  EXPECT_EQ(prod.path, "prod");
  EXPECT_EQ(value(prod, "Capacity"), "75.0%");
  EXPECT_EQ(value(prod, "Capacity (map)"), "30");
  EXPECT_THAT(formula(prod, "Capacity (map)"), HasSubstr("75.0 × 40 / 100"));
  EXPECT_EQ(value(prod, "Capacity (reduce)"), "15");
  EXPECT_EQ(value(prod, "Maximum Capacity (map)"), "36");
  EXPECT_EQ(value(prod, "Maximum Capacity (reduce)"), "18");
  EXPECT_EQ(value(prod, "Limit of each of 1 User (map)"), "15");
  EXPECT_EQ(value(prod, "Limit of each of 4 Users (map)"), "8");
  EXPECT_EQ(formula(prod, "Limit of each of 4 Users (map)"),
            "max(ceil(capacity / users), ceil(percent × capacity / 100)): max(ceil(30 / 4), "
            "ceil(25 × 30 / 100)), at most int(capacity × factor): int(30 × 0.5); the capacity "
            "grows with what runs once it is reached");
  EXPECT_EQ(value(prod, "Limit of each of 4 Users (reduce)"), "4");
  EXPECT_EQ(value(prod, "Max Running Jobs"), "3750");
  EXPECT_EQ(value(prod, "Max Running Jobs Per User"), "938");
  EXPECT_EQ(value(prod, "Max Accepted Jobs"), "37500");
  EXPECT_EQ(value(prod, "Max Accepted Jobs Per User"), "9380");
}

// 30 % are stated; the two others have 35 % each: int(35 × 40 / 100) = 14 and 7 slots.
TEST(ExplainSlotQueues, ShowsWhatIsTakenBackWhenInTheFirstRelease) {
  const auto queues = explained(queues_file({{"queue.a.guaranteed-capacity", "30"},
                                             {"queue.a.reclaim-time-limit", "60"},
                                             {"queue.b.minimum-user-limit-percent", "50"},
                                             {"queue.default.supports-priority", "true"}}),
                                SlotCapacityGeneration::reclaims);
  ASSERT_EQ(queues.size(), 3u);
  EXPECT_EQ(value(queues[0], "Reclaim Time Limit"), "60 s");
  EXPECT_EQ(value(queues[1], "Capacity"), "35.0%");
  EXPECT_EQ(value(queues[1], "Capacity (map)"), "14");
  EXPECT_EQ(value(queues[1], "Capacity (reduce)"), "7");
  EXPECT_EQ(value(queues[1], "Limit of each of 1 User (reduce)"), "7");
  EXPECT_EQ(value(queues[1], "Limit of each of 2 Users (reduce)"), "4");
  EXPECT_EQ(value(queues[1], "Reclaim Time Limit"), "300 s");
  EXPECT_EQ(value(queues[2], "Supports Priority"), "true");
}

const char* const pools_text =
    "<allocations><pool name='a'><minMaps>25</minMaps><weight>1</weight></pool>"
    "<pool name='b'><weight>2</weight><maxMaps>8</maxMaps><maxRunningJobs>3</maxRunningJobs>"
    "<schedulingMode>fifo</schedulingMode></pool>"
    "<user name='ann'><maxRunningJobs>4</maxRunningJobs></user>"
    "<userMaxJobsDefault>9</userMaxJobsDefault><poolMaxJobsDefault>7</poolMaxJobsDefault>"
    "<fairSharePreemptionTimeout>600</fairSharePreemptionTimeout></allocations>";

// Of 40 map slots a has its minimum of 25, b its maximum of 8, and default the other 7. Of 20
// reduce slots a has 5, b 10 and default 5 by their weights of 1, 2 and 1.
TEST(ExplainPools, DividesTheSlotsByRatioInOneX) {
  const auto allocations =
      read_pool_allocations(parse_xml(pools_text, "pools.xml"), SlotFairGeneration::ratios);
  ASSERT_TRUE(allocations);
  const auto pools = explain_pools(*allocations, SlotFairGeneration::ratios, slots);
  ASSERT_EQ(pools.size(), 4u);
  EXPECT_EQ(pools[0].path, "all pools");
  EXPECT_EQ(value(pools[0], "Max Running Jobs Per User"), "9");
  EXPECT_EQ(value(pools[0], "Max Running Jobs of ann"), "4");
  EXPECT_EQ(value(pools[0], "Fair Share Preemption Timeout"), "600 s");
  EXPECT_EQ(pools[1].path, "a");
  EXPECT_EQ(value(pools[1], "Fair Share (map)"), "25.0");
  EXPECT_EQ(value(pools[1], "Max Share (map)"), "unlimited");
  EXPECT_EQ(value(pools[1], "Max Running Jobs"), "7");
  EXPECT_EQ(formula(pools[1], "Max Running Jobs"), "poolMaxJobsDefault");
  EXPECT_EQ(value(pools[2], "Fair Share (map)"), "8.0");
  EXPECT_THAT(formula(pools[2], "Fair Share (map)"),
              HasSubstr("the 40 slots: min(8, max(0, 2.0 × r))"));
  EXPECT_EQ(value(pools[2], "Max Running Jobs"), "3");
  EXPECT_EQ(value(pools[2], "Scheduling Mode"), "fifo");
  EXPECT_EQ(pools[3].path, "default");
  EXPECT_EQ(value(pools[3], "Fair Share (map)"), "7.0");
  EXPECT_EQ(value(pools[1], "Fair Share (reduce)"), "5.0");
  EXPECT_EQ(value(pools[2], "Fair Share (reduce)"), "10.0");
  EXPECT_EQ(value(pools[3], "Fair Share (reduce)"), "5.0");
  EXPECT_EQ(value(pools[3], "Min Share Preemption Timeout"), "never");
}

// Of 40 map slots a has its minimum of 25; b and default divide the other 15 by 2 and 1. There are
// no maxima.
TEST(ExplainPools, DividesTheSlotsByWeightInZeroTwenty) {
  const auto allocations =
      read_pool_allocations(parse_xml(pools_text, "pools.xml"), SlotFairGeneration::deficits);
  ASSERT_TRUE(allocations);
  const auto pools = explain_pools(*allocations, SlotFairGeneration::deficits, slots);
  ASSERT_EQ(pools.size(), 4u);
  EXPECT_EQ(value(pools[1], "Fair Share (map)"), "25.0");
  EXPECT_EQ(value(pools[2], "Fair Share (map)"), "10.0");
  EXPECT_EQ(value(pools[3], "Fair Share (map)"), "5.0");
  EXPECT_THAT(formula(pools[2], "Fair Share (map)"), HasSubstr("max(0, 40 × 2.0 / 4.0)"));
  EXPECT_EQ(value(pools[3], "Max Running Jobs"), "unlimited");
}

TEST(ExplainSlots, TellsAFileByItsWords) {
  const auto parsed = [](const std::string& text) { return parse_xml(text, "x.xml"); };
  EXPECT_TRUE(is_pools_file(parsed(pools_text)));
  EXPECT_FALSE(
      is_pools_file(parsed("<allocations><pool name='a'><weight>2</weight></pool>"
                           "</allocations>")))
      << "YARN takes that, too";
  EXPECT_FALSE(
      is_pools_file(parsed("<allocations><queue name='a'><maxRunningJobs>2</maxRunningJobs>"
                           "</queue></allocations>")))
      << "queues are YARN's; one word of Hadoop 1's does not make them pools";
  EXPECT_TRUE(
      is_pools_file(parsed("<allocations><pool name='a'><minMaps>2</minMaps>"
                           "<maxRunningJobs>2</maxRunningJobs><maxRunningApps>2"
                           "</maxRunningApps></pool></allocations>")));
  EXPECT_FALSE(
      is_slot_queues_file(parsed("<configuration><property><name>"
                                 "yarn.scheduler.capacity.root.queues</name>"
                                 "<value>a</value></property></configuration>")));
  const auto of = [](const char* key) {
    return generation_of_queues(queues_file({{key, "1"}, {"queue.a.capacity", "1"}}));
  };
  EXPECT_TRUE(is_slot_queues_file(queues_file({{"queue.a.capacity", "1"}})));
  EXPECT_TRUE(is_slot_queues_file(parsed("<queues><queue><name>a</name></queue></queues>")));
  EXPECT_EQ(of("queue.a.guaranteed-capacity"), SlotCapacityGeneration::reclaims);
  EXPECT_EQ(of("queue.a.maximum-capacity"), SlotCapacityGeneration::has_maxima);
  EXPECT_EQ(of("queue.a.supports-priority"), std::nullopt);
}

}  // namespace
}  // namespace tracebed
