// capacity-scheduler.xml as a tree of queues, and what is refused.
#include "schedulers/yarn/capacity/capacity_configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Form = ConfiguredCapacity::Form;
using Lines = std::vector<std::pair<std::string, std::string>>;

// Properties without their prefix; the n-th stands in line n.
HadoopProperties properties_of(const Lines& lines) {
  HadoopProperties properties;
  int line = 0;
  for (const auto& [name, value] : lines) {
    properties.set("yarn.scheduler.capacity." + name, value, "cs.xml:" + std::to_string(++line));
  }
  return properties;
}

LoadedCapacityConfiguration load(const Lines& lines) {
  const auto loaded = read_capacity_configuration(properties_of(lines), ResourceDimensions());
  EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().message);
  return loaded ? *loaded : LoadedCapacityConfiguration();
}

std::string error_of(const Lines& lines) {
  const auto loaded = read_capacity_configuration(properties_of(lines), ResourceDimensions());
  return loaded ? "" : loaded.error().message;
}

// Two leaves below the root, a with `a` percent, b with the rest, and more lines.
Lines two_queues(const std::string& a, const std::string& b, const Lines& more = {}) {
  Lines lines = {{"root.queues", "a,b"}, {"root.a.capacity", a}, {"root.b.capacity", b}};
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

const CapacityQueue& queue(const LoadedCapacityConfiguration& loaded, const std::string& name) {
  static const CapacityQueue none;
  const CapacityQueue* found = loaded.configuration.find(name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? none : *found;
}

// ---- the tree ----

TEST(CapacityConfiguration, IsATreeWithParentsFirst) {
  const auto loaded = load({{"root.queues", "a, b"},
                            {"root.a.capacity", "30"},
                            {"root.a.queues", "x,y"},
                            {"root.a.x.capacity", "50"},
                            {"root.a.y.capacity", "50"},
                            {"root.b.capacity", "70"},
                            {"root.b.maximum-capacity", "80"}});
  std::vector<std::string> paths;
  for (const CapacityQueue& q : loaded.configuration.queues) paths.push_back(q.path);
  EXPECT_THAT(paths, ElementsAre("root", "root.a", "root.a.x", "root.a.y", "root.b"));
  EXPECT_THAT(queue(loaded, "root").children, ElementsAre(1, 4));
  EXPECT_EQ(queue(loaded, "root.a.y").parent, 1u);
  EXPECT_FALSE(queue(loaded, "root.a").is_leaf());
  EXPECT_EQ(queue(loaded, "root.a").partitions.at("").capacity.value, 30);
  EXPECT_EQ(queue(loaded, "root.a").partitions.at("").maximum.value, 100);
  EXPECT_EQ(queue(loaded, "root.b").partitions.at("").maximum.value, 80);
  EXPECT_THAT(loaded.review.sentences(), IsEmpty());
}

TEST(CapacityConfiguration, LeavesMayBeCalledByTheirLastNameWhereOnlyOneHasIt) {
  const auto loaded = load({{"root.queues", "a,b"},
                            {"root.a.capacity", "50"},
                            {"root.b.capacity", "50"},
                            {"root.a.queues", "x,y"},
                            {"root.b.queues", "x,z"},
                            {"root.a.x.capacity", "100"},
                            {"root.a.y.capacity", "0"},
                            {"root.b.x.capacity", "0"},
                            {"root.b.z.capacity", "100"}});
  EXPECT_EQ(queue(loaded, "z").path, "root.b.z");
  EXPECT_EQ(loaded.configuration.find("x"), nullptr) << "two leaves have the name";
  EXPECT_EQ(loaded.configuration.find("a"), nullptr) << "a parent";
  EXPECT_EQ(loaded.configuration.find("none"), nullptr);
}

// Proves: 1.memory-calculator, 3.2.assignments, 3.4.rack-delay, 3.3.maximum-of-system
TEST(CapacityConfiguration, HasTheDefaultsOfHadoop) {
  const auto loaded = load({{"root.queues", "a"}, {"root.a.capacity", "100"}});
  const CapacityConfiguration& c = loaded.configuration;
  EXPECT_EQ(c.calculator.kind(), ResourceCalculator::Kind::memory);
  EXPECT_EQ(c.maximum_system_applications, 10'000);
  EXPECT_EQ(c.global_queue_maximum_applications, std::nullopt);
  EXPECT_EQ(c.node_locality_delay, 40);
  EXPECT_EQ(c.rack_locality_additional_delay, -1);
  EXPECT_TRUE(c.has_rack_locality_full_reset);
  EXPECT_TRUE(c.assigns_multiple);
  EXPECT_EQ(c.assignments_per_heartbeat, 100);
  EXPECT_EQ(c.offswitch_assignments_per_heartbeat, 1);
  EXPECT_TRUE(c.reservations_look_at_all_nodes);
  const CapacityQueue& a = queue(loaded, "a");
  EXPECT_EQ(a.user_limit_percent, 100);
  EXPECT_EQ(a.user_limit_factor, 1);
  EXPECT_EQ(a.partitions.at("").application_master_share, 0.1F);
  EXPECT_EQ(a.maximum_applications, std::nullopt);
  EXPECT_EQ(a.maximum_parallel_applications, std::nullopt);
  EXPECT_EQ(a.application_order, CapacityQueue::ApplicationOrder::fifo);
  EXPECT_EQ(a.maximum_application_lifetime_s, -1);
}

// Proves: A6.2.2.am-share
TEST(CapacityConfiguration, DefaultsOfAllQueuesGiveWayToAQueuesOwn) {
  const auto loaded = load(two_queues("40", "60",
                                      {{"minimum-user-limit-percent", "25"},
                                       {"root.a.minimum-user-limit-percent", "50"},
                                       {"user-limit-factor", "2"},
                                       {"root.a.user-limit-factor", "-1"},
                                       {"maximum-am-resource-percent", "0.5"},
                                       {"root.a.maximum-am-resource-percent", "0.2"},
                                       {"max-parallel-apps", "7"},
                                       {"root.a.max-parallel-apps", "3"}}));
  EXPECT_EQ(queue(loaded, "a").user_limit_percent, 50);
  EXPECT_EQ(queue(loaded, "b").user_limit_percent, 25);
  EXPECT_EQ(queue(loaded, "a").user_limit_factor, -1);
  EXPECT_EQ(queue(loaded, "b").user_limit_factor, 2);
  EXPECT_EQ(queue(loaded, "a").partitions.at("").application_master_share, 0.2F);
  EXPECT_EQ(queue(loaded, "b").partitions.at("").application_master_share, 0.5F);
  EXPECT_EQ(queue(loaded, "a").maximum_parallel_applications, 3);
  EXPECT_EQ(queue(loaded, "b").maximum_parallel_applications, 7);
}

// Proves: 3.3.user-percent-above
TEST(CapacityConfiguration, AUserLimitMayBeAboveAHundredPercent) {
  Lines lines = two_queues("40", "60", {{"minimum-user-limit-percent", "125.5"}});
  lines.emplace_back("root.a.user-settings.ann.weight", "1");
  EXPECT_EQ(queue(load(lines), "a").user_limit_percent, 125.5F);
  lines.back().second = "1.5";
  EXPECT_THAT(error_of(lines), HasSubstr("minimum-user-limit-percent, which is 1, got 1.5"));
}

// Proves: 4.disabled
TEST(CapacityConfiguration, ChildrenInherit) {
  const auto loaded = load({{"root.queues", "a"},
                            {"root.a.capacity", "100"},
                            {"root.a.queues", "x,y"},
                            {"root.a.x.capacity", "50"},
                            {"root.a.y.capacity", "50"},
                            {"root.a.state", "STOPPED"},
                            {"root.ordering-policy", "priority-utilization"},
                            {"root.a.disable_preemption", "true"},
                            {"root.a.x.disable_preemption", "false"},
                            {"root.a.maximum-application-lifetime", "60"},
                            {"root.a.accessible-node-labels", "gpu"},
                            {"root.a.user-settings.ann.weight", "0.5"},
                            {"root.a.x.user-settings.bob.weight", "0.25"},
                            {"root.a.x.ordering-policy", "fair"}});
  EXPECT_EQ(queue(loaded, "x").state, CapacityQueueState::stopped);
  EXPECT_EQ(queue(loaded, "root.a").queue_order, CapacityQueue::QueueOrder::priority_utilization);
  EXPECT_FALSE(queue(loaded, "x").is_preemption_disabled);
  EXPECT_TRUE(queue(loaded, "y").is_preemption_disabled);
  EXPECT_EQ(queue(loaded, "y").maximum_application_lifetime_s, 60);
  EXPECT_THAT(queue(loaded, "y").accessible_labels, ElementsAre("gpu"));
  EXPECT_THAT(queue(loaded, "x").user_weights,
              ElementsAre(std::pair("ann", 0.5F), std::pair("bob", 0.25F)));
  EXPECT_THAT(queue(loaded, "y").user_weights, ElementsAre(std::pair("ann", 0.5F)));
  EXPECT_EQ(queue(loaded, "x").application_order, CapacityQueue::ApplicationOrder::fair);
}

// Proves: 3.1.amounts, 3.1.weights
TEST(CapacityConfiguration, CapacitiesHaveThreeForms) {
  const auto weights = load(two_queues("1w", "3.5w"));
  EXPECT_EQ(queue(weights, "b").partitions.at("").capacity,
            (ConfiguredCapacity{Form::weight, 3.5F, {}}));
  const auto amounts = load(two_queues("[memory=4096,vcores=8]", "[memory=2Gi, vcores=2]",
                                       {{"root.b.maximum-capacity", "[memory-mb=8192,vcores=4]"}}));
  EXPECT_EQ(queue(amounts, "a").partitions.at("").capacity.amount, Resources(8'000, 4'096));
  EXPECT_EQ(queue(amounts, "b").partitions.at("").capacity.amount, Resources(2'000, 2'048));
  EXPECT_EQ(queue(amounts, "b").partitions.at("").maximum.amount, Resources(4'000, 8'192));
}

TEST(CapacityConfiguration, LabelsHaveFiguresOfTheirOwn) {
  const auto loaded = load(two_queues("40", "60",
                                      {{"root.a.accessible-node-labels", "gpu"},
                                       {"root.a.accessible-node-labels.gpu.capacity", "100"},
                                       {"root.a.accessible-node-labels.gpu."
                                        "maximum-am-resource-percent",
                                        "0.3"},
                                       {"root.a.default-node-label-expression", "gpu"}}));
  EXPECT_THAT(error_of(two_queues("40", "60",
                                  {{"root.a.accessible-node-labels.gpu.capacity", "100"},
                                   {"root.a.accessible-node-labels.gpu.maximum-capacity", "90"}})),
              HasSubstr("maximum-capacity"));
  EXPECT_EQ(queue(loaded, "a").default_label, "gpu");
  const PartitionCapacity& gpu = queue(loaded, "a").partitions.at("gpu");
  EXPECT_EQ(gpu.capacity.value, 100);
  EXPECT_EQ(gpu.application_master_share, 0.3F);
  EXPECT_EQ(queue(loaded, "a").partitions.at("").application_master_share, 0.1F);
}

TEST(CapacityConfiguration, SaysHowContainersAreTakenBack) {
  HadoopProperties properties = properties_of(two_queues("40", "60"));
  const std::string monitor = "yarn.resourcemanager.monitor.capacity.preemption.";
  properties.set("yarn.resourcemanager.scheduler.monitor.enable", "true", "cs.xml:8");
  properties.set(monitor + "natural_termination_factor", "0.7", "cs.xml:9");
  properties.set(monitor + "intra-queue-preemption.preemption-order-policy", "PRIORITY_FIRST",
                 "cs.xml:10");
  properties.set(monitor + "colour", "red", "cs.xml:11");
  const auto loaded = read_capacity_configuration(properties, ResourceDimensions());
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  EXPECT_TRUE(loaded->configuration.preemption.is_enabled);
  EXPECT_EQ(loaded->configuration.preemption.natural_termination, 0.7);
  EXPECT_FALSE(loaded->configuration.preemption.spares_users_below_limit);
  EXPECT_EQ(loaded->configuration.preemption.wait_before_kill, seconds(15));
  EXPECT_THAT(loaded->review.remarks, ElementsAre(HasSubstr(monitor + "colour: is unknown here")));
  properties.set(monitor + "total_preemption_per_round", "2", "cs.xml:12");
  EXPECT_THAT(read_capacity_configuration(properties, ResourceDimensions()).error().message,
              HasSubstr("cs.xml:12: " + monitor + "total_preemption_per_round: expected a number"));
}

TEST(CapacityConfiguration, WhatMeansNothingIsListed) {
  const auto loaded =
      load(two_queues("40", "60", {{"root.a.colour", "red"}, {"schedule-asynchronously", "x"}}));
  EXPECT_THAT(loaded.review.sentences(),
              ElementsAre("cs.xml:4: yarn.scheduler.capacity.root.a.colour: is unknown here and is "
                          "ignored",
                          "cs.xml:5: yarn.scheduler.capacity.schedule-asynchronously: is unknown "
                          "here and is ignored"));
}

TEST(CapacityConfiguration, OnlyTheSchedulersOwnPropertiesAreListed) {
  HadoopProperties properties = properties_of(two_queues("40", "60"));
  properties.set("yarn.resourcemanager.hostname", "rm", "yarn-site.xml:1");
  const auto loaded = read_capacity_configuration(properties, ResourceDimensions());
  EXPECT_THAT(loaded->review.sentences(), IsEmpty());
}

TEST(CapacityConfiguration, AMaximumOfMinusOneIsNone) {
  const auto loaded = load(two_queues("40", "60", {{"root.a.maximum-capacity", "-1"}}));
  EXPECT_EQ(queue(loaded, "a").partitions.at("").maximum, ConfiguredCapacity::of_percent(100));
}

TEST(CapacityConfiguration, AWeightOfAUserMayUseUpWhatTheUserLimitLeaves) {
  const Lines weight = {{"root.a.minimum-user-limit-percent", "50"},
                        {"root.a.user-settings.ann.weight", "2"}};
  EXPECT_EQ(queue(load(two_queues("40", "60", weight)), "a").user_weights.at("ann"), 2);
}

// ---- who may ----

TEST(CapacityConfiguration, AbsentListsAllowEverybodyAtTheRootAndNobodyBelow) {
  const auto loaded =
      load(two_queues("40", "60", {{"root.a.acl_submit_applications", "ann,bob dev"}}));
  const std::vector<std::string> developers = {"staff", "dev"};
  EXPECT_TRUE(queue(loaded, "root").submitters.allows("eve", {}));
  EXPECT_FALSE(queue(loaded, "b").submitters.allows("ann", {}));
  EXPECT_TRUE(queue(loaded, "a").submitters.allows("bob", {}));
  EXPECT_FALSE(queue(loaded, "a").submitters.allows("eve", {}));
  EXPECT_TRUE(queue(loaded, "a").submitters.allows("eve", developers));
}

TEST(CapacityConfiguration, ABlankListAtTheRootIsNobody) {
  const auto loaded = load(two_queues("40", "60", {{"root.acl_submit_applications", " "}}));
  EXPECT_FALSE(queue(loaded, "root").submitters.allows("ann", {}));
}

TEST(QueueAcl, AListOfGroupsBeginsWithABlank) {
  const QueueAcl acl(" dev,ops");
  const std::vector<std::string> ops = {"ops"};
  EXPECT_FALSE(acl.allows("dev", {}));
  EXPECT_TRUE(acl.allows("ann", ops));
  EXPECT_TRUE(QueueAcl("*").is_everybody());
  EXPECT_TRUE(QueueAcl("*").allows("ann", {}));
}

// ---- sums ----

// Proves: 3.1.sum
TEST(CapacitySums, AreAHundredGiveOrTakeFiveHundredths) {
  EXPECT_EQ(error_of(two_queues("40", "60.04")), "");
  EXPECT_EQ(error_of(two_queues("40", "59.96")), "");
  EXPECT_EQ(error_of(two_queues("40", "60.1")),
            "cs.xml:1: yarn.scheduler.capacity.root.queues: expected the capacities of these "
            "queues to add up to 100, got a sum of 100.1");
  EXPECT_THAT(error_of(two_queues("40", "50")), HasSubstr("got a sum of 90"));
}

// Below root.a with `above` percent, two queues with `each` percent.
Lines nested(const std::string& above, const std::string& each, const Lines& more = {}) {
  Lines lines = {{"root.queues", "a,b"},      {"root.a.capacity", above},
                 {"root.b.capacity", "100"},  {"root.a.queues", "x,y"},
                 {"root.a.x.capacity", each}, {"root.a.y.capacity", each}};
  if (above != "0") lines[2].second = std::to_string(100 - std::stoi(above));
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

// Proves: 3.1.zero-parent
TEST(CapacitySums, AreZeroExactlyBelowZero) {
  EXPECT_EQ(error_of(nested("0", "0")), "");
  EXPECT_EQ(error_of(nested("40", "50")), "");
  EXPECT_THAT(error_of(nested("40", "0")), HasSubstr("to add up to 100, as root.a has some"));
  EXPECT_THAT(error_of(nested("0", "50")), HasSubstr("to be 0, as root.a has none"));
}

// Proves: 3.1.zero-sum-allowed
TEST(CapacitySums, MayBeZeroOrNotWhereTheParentAllowsIt) {
  const Lines allowed = {{"root.a.allow-zero-capacity-sum", "true"}};
  EXPECT_EQ(error_of(nested("40", "0", allowed)), "");
  EXPECT_EQ(error_of(nested("0", "50", allowed)), "");
  EXPECT_THAT(error_of(nested("40", "20", allowed)), HasSubstr("got a sum of 40"));
}

TEST(CapacitySums, OfAmountsAreAtMostTheParents) {
  const auto with = [](const std::string& x) {
    return Lines{{"root.queues", "a"},
                 {"root.a.capacity", "[memory=4096,vcores=4]"},
                 {"root.a.queues", "x,y"},
                 {"root.a.x.capacity", x},
                 {"root.a.y.capacity", "[memory=2048,vcores=2]"}};
  };
  EXPECT_EQ(error_of(with("[memory=2048,vcores=2]")), "");
  EXPECT_EQ(error_of(with("[memory=2048,vcores=9]")), "")
      << "the memory calculator looks at memory";
  EXPECT_THAT(error_of(with("[memory=2049,vcores=2]")),
              HasSubstr("no more than those of root.a, got 4097 MiB and 4 vcores"));
  Lines dominant = with("[memory=2048,vcores=9]");
  dominant.emplace_back("resource-calculator",
                        "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
  EXPECT_THAT(error_of(dominant), HasSubstr("11 vcores"));
}

TEST(CapacitySums, AreHeldForEachLabel) {
  const auto with = [](const std::string& a) {
    return two_queues("40", "60",
                      {{"root.a.accessible-node-labels.gpu.capacity", a},
                       {"root.b.accessible-node-labels.gpu.capacity", "30"}});
  };
  EXPECT_EQ(error_of(with("70")), "");
  EXPECT_THAT(error_of(with("60")), HasSubstr("the capacities for the label gpu"));
}

// ---- what is refused ----

struct Bad {
  Lines lines;
  const char* begin;  // of the message
  const char* part;
};

TEST(BadCapacityConfiguration, IsRefusedWithLinePropertyRuleAndValue) {
  const std::string p = "yarn.scheduler.capacity.";
  const Bad table[] = {
      {{}, "yarn.scheduler.capacity.root.queues: ", "the names of the root's queues"},
      {{{"root.queues", "a,a"}, {"root.a.capacity", "50"}}, "cs.xml:1: ", "each queue once"},
      {{{"root.queues", "a.b"}}, "cs.xml:1: ", "names without dots"},
      {two_queues("-1", "101"), "cs.xml:2: ", "a percentage from 0 to 100"},
      {two_queues("1x", "60"), "cs.xml:2: ", "got \"1x\""},
      {two_queues("[memory=1,disks=2]", "60"), "cs.xml:2: ", "[memory=1,disks=2]"},
      {two_queues("[vcores=1G]", "60"), "cs.xml:2: ", "[vcores=1G]"},
      {two_queues("[memory=1Xi]", "60"), "cs.xml:2: ", "[memory=1Xi]"},
      {two_queues("10001w", "1w"), "cs.xml:2: ", "a weight from 0 to 10000"},
      {two_queues("1w", "60"), "cs.xml:3: ", "all children of a queue have percentages"},
      {two_queues("[memory=1]", "60"), "cs.xml:3: ", "all amounts"},
      {two_queues("40", "60", {{"root.capacity", "90"}}), "cs.xml:4: ", "100 for the root"},
      {two_queues("40", "60", {{"root.a.maximum-capacity", "39"}}),
       "cs.xml:4: ", "a maximum of at least the queue's capacity"},
      {two_queues("40", "60", {{"root.a.maximum-capacity", "2w"}}), "cs.xml:4: ", "no weight"},
      {two_queues("[memory=9]", "[memory=1]", {{"root.a.maximum-capacity", "[memory=8]"}}),
       "cs.xml:2: ", "at most the queue's maximum-capacity"},
      {nested("40", "[memory=1]"), "cs.xml:5: ", "amounts both here and in root.a"},
      {two_queues("40", "60", {{"root.a.state", "CLOSED"}}),
       "cs.xml:4: ", "RUNNING, STOPPED or DRAINING, got \"CLOSED\""},
      {two_queues("40", "60", {{"root.a.ordering-policy", "random"}}),
       "cs.xml:4: ", "fifo or fair, got \"random\""},
      {two_queues("40", "60", {{"root.ordering-policy", "fifo"}}),
       "cs.xml:4: ", "utilization or priority-utilization"},
      {two_queues("40", "60", {{"root.a.user-limit-factor", "-0.5"}}),
       "cs.xml:4: ", "-1 or a factor of 0 or more"},
      {two_queues("40", "60", {{"root.a.minimum-user-limit-percent", "-1"}}),
       "cs.xml:4: ", "from 0 to"},
      {two_queues("40", "60", {{"maximum-applications", "0"}}), "cs.xml:4: ", "from 1 to"},
      {two_queues("40", "60", {{"resource-calculator", "Mine"}}), "cs.xml:4: ", "got \"Mine\""},
      {two_queues("40", "60", {{"root.a.user-settings.ann.weight", "1.5"}}),
       "cs.xml:4: ", "at most 100 / minimum-user-limit-percent, which is 1, got 1.5"},
      {two_queues("40", "60",
                  {{"root.a.maximum-application-lifetime", "60"},
                   {"root.a.default-application-lifetime", "61"}}),
       "cs.xml:5: ", "at most the maximum lifetime of 60 s, got 61"},
      {two_queues("40", "60",
                  {{"root.a.accessible-node-labels", "ssd"},
                   {"root.a.default-node-label-expression", "gpu"}}),
       "cs.xml:5: ", "one of the queue's accessible labels, got gpu"},
      {nested(
           "40", "50",
           {{"root.a.accessible-node-labels", "gpu"}, {"root.a.x.accessible-node-labels", "ssd"}}),
       "cs.xml:8: ", "labels that root.a may use, got ssd"},
  };
  for (const Bad& bad : table) {
    EXPECT_THAT(error_of(bad.lines),
                AllOf(StartsWith(bad.begin), HasSubstr(bad.part), HasSubstr("expected")));
  }
}

// Proves: G3.negative-maximum
TEST(CapacityConfiguration, ANegativeMaximumOfApplicationsIsThatOfTheSystem) {
  const auto loaded = load(two_queues("40", "60", {{"root.a.maximum-applications", "-1"}}));
  EXPECT_EQ(queue(loaded, "a").maximum_applications, std::nullopt);
}

// Proves: 3.3.maximum-allocation-of-queue, 3.3.maximum-allocation-form
TEST(CapacityConfiguration, AMaximumAllocationIsStatedInTwoFormsAndInherited) {
  const auto loaded = load({{"root.queues", "a,b"},
                            {"root.maximum-allocation-mb", "8192"},
                            {"root.a.capacity", "50"},
                            {"root.a.queues", "x,y"},
                            {"root.a.maximum-allocation-vcores", "4"},
                            {"root.a.x.capacity", "50"},
                            {"root.a.x.maximum-allocation", "memory-mb=2Gi"},
                            {"root.a.x.maximum-allocation-vcores", "1"},
                            {"root.a.y.capacity", "50"},
                            {"root.b.capacity", "50"},
                            {"root.b.maximum-allocation", "[memory=4096,vcores=2]"}});
  EXPECT_EQ(queue(loaded, "root").maximum_allocation, Resources(0, 8192));
  EXPECT_EQ(queue(loaded, "root.a").maximum_allocation, Resources(4'000, 8192));
  EXPECT_EQ(queue(loaded, "root.a.x").maximum_allocation, Resources(4'000, 2048));
  EXPECT_EQ(queue(loaded, "root.a.y").maximum_allocation, Resources(4'000, 8192));
  EXPECT_EQ(queue(loaded, "root.b").maximum_allocation, Resources(2'000, 4096));
  EXPECT_THAT(loaded.review.sentences(),
              ElementsAre(HasSubstr("root.a.x.maximum-allocation-vcores: is ignored: its queue is "
                                    "not there, or another property takes precedence")))
      << "the whole form counts alone";
  EXPECT_THAT(error_of(two_queues("50", "50", {{"root.a.maximum-allocation", "lots"}})),
              StartsWith("cs.xml:4: yarn.scheduler.capacity.root.a.maximum-allocation: expected "
                         "amounts as in memory-mb=4096,vcores=8, got \"lots\""));
}

}  // namespace
}  // namespace tracebed
