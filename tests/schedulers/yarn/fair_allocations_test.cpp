// The Fair Scheduler's allocation file as a tree of queues, and what is refused.
#include "schedulers/yarn/fair/fair_allocations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"

namespace tracebed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const Resources whole_cluster(100'000, 102'400);

// The text of <allocations>, which begins in line 1.
Result<FairAllocations> read(const std::string& text) {
  return read_fair_allocations(parse_xml("<allocations>" + text + "</allocations>", "fair.xml"),
                               ResourceDimensions({"gpu"}));
}

FairAllocations loaded(const std::string& text) {
  auto allocations = read(text);
  EXPECT_TRUE(allocations.has_value()) << (allocations ? "" : allocations.error().message);
  return allocations ? std::move(*allocations) : FairAllocations();
}

std::string error_of(const std::string& text) {
  const auto allocations = read(text);
  return allocations ? "" : allocations.error().message;
}

const FairQueue& queue(const FairAllocations& allocations, const std::string& path) {
  static const FairQueue none;
  const FairQueue* found = allocations.find(path);
  EXPECT_NE(found, nullptr) << path;
  return found == nullptr ? none : *found;
}

// ---- the tree ----

TEST(FairAllocationsFile, QueuesAreATreeBelowTheRoot) {
  const auto allocations = loaded(
      "<queue name='a'><queue name='x'/><pool name='y'/></queue>\n"
      "<queue name='b' type='parent'/>");
  std::vector<std::string> paths;
  for (const FairQueue& q : allocations.queues) paths.push_back(q.path);
  EXPECT_THAT(paths, ElementsAre("root", "root.a", "root.a.x", "root.a.y", "root.b"));
  EXPECT_THAT(queue(allocations, "root").children, ElementsAre(1, 4));
  EXPECT_TRUE(queue(allocations, "root.a").is_parent);
  EXPECT_FALSE(queue(allocations, "root.a.x").is_parent);
  EXPECT_TRUE(queue(allocations, "root.b").is_parent);
  EXPECT_EQ(queue(allocations, "root.a.y").parent, 1u);
}

TEST(FairAllocationsFile, TheRootMayBeWritten) {
  const auto allocations =
      loaded("<queue name='root'><aclSubmitApps> </aclSubmitApps><queue name='a'/></queue>");
  EXPECT_EQ(allocations.queues.size(), 2u);
  EXPECT_FALSE(queue(allocations, "root").submitters.allows("ann", {}));
}

// Proves: 5.2.defaults
TEST(FairAllocationsFile, HasTheDefaultsOfHadoop) {
  const auto allocations = loaded("<queue name='a'/>");
  const FairQueue& a = queue(allocations, "root.a");
  EXPECT_EQ(a.weight, 1);
  EXPECT_EQ(a.minimum.on(whole_cluster), Resources());
  EXPECT_EQ(a.maximum.on(whole_cluster).memory_mib(), AllocationAmount::unlimited_amount);
  EXPECT_EQ(a.maximum_running, std::nullopt);
  EXPECT_EQ(a.application_master_share, 0.5F);
  EXPECT_EQ(a.policy, SharePolicy::fair);
  EXPECT_EQ(a.minimum_share_timeout_s, std::nullopt);
  EXPECT_EQ(a.fair_share_timeout_s, std::nullopt);
  EXPECT_EQ(a.fair_share_threshold, 0.5F);
  EXPECT_TRUE(a.allows_preemption_from);
  EXPECT_FALSE(a.submitters.allows("ann", {}));
  EXPECT_TRUE(queue(allocations, "root").submitters.allows("ann", {}));
  EXPECT_THAT(allocations.placement, IsEmpty());
}

// Proves: 5.2.own
TEST(FairAllocationsFile, AQueueStatesItsOwn) {
  const auto allocations = loaded(
      "<queue name='a'><weight>2.5</weight><minResources>1024 mb, 1 vcores</minResources>"
      "<maxResources>4096 mb, 4 vcores</maxResources><maxRunningApps>7</maxRunningApps>"
      "<maxAMShare>-1</maxAMShare><schedulingPolicy>FIFO</schedulingPolicy>"
      "<minSharePreemptionTimeout>2</minSharePreemptionTimeout>"
      "<fairSharePreemptionTimeout>3</fairSharePreemptionTimeout>"
      "<fairSharePreemptionThreshold>0.8</fairSharePreemptionThreshold>"
      "<allowPreemptionFrom>false</allowPreemptionFrom>"
      "<aclSubmitApps>ann,bob dev</aclSubmitApps><aclAdministerApps>eve</aclAdministerApps>"
      "<maxContainerAllocation>1024 mb, 1 vcores</maxContainerAllocation></queue>");
  const FairQueue& a = queue(allocations, "root.a");
  EXPECT_EQ(a.weight, 2.5F);
  EXPECT_EQ(a.minimum.on(whole_cluster), Resources(1'000, 1'024));
  EXPECT_EQ(a.maximum.on(whole_cluster).memory_mib(), 4'096);
  EXPECT_EQ(a.maximum_running, 7);
  EXPECT_EQ(a.application_master_share, -1);
  EXPECT_EQ(a.policy, SharePolicy::fifo);
  EXPECT_EQ(a.minimum_share_timeout_s, 2);
  EXPECT_EQ(a.fair_share_timeout_s, 3);
  EXPECT_EQ(a.fair_share_threshold, 0.8F);
  EXPECT_FALSE(a.allows_preemption_from);
  EXPECT_TRUE(a.submitters.allows("bob", {}));
  EXPECT_TRUE(a.administrators.allows("eve", {}));
  EXPECT_EQ(a.maximum_container->on(whole_cluster).memory_mib(), 1'024);
}

// Proves: 5.2.top-level
TEST(FairAllocationsFile, DefaultsOfAllQueuesGiveWayToAQueuesOwn) {
  const auto allocations = loaded(
      "<defaultQueueSchedulingMode>drf</defaultQueueSchedulingMode>"
      "<queueMaxAppsDefault>5</queueMaxAppsDefault>"
      "<queueMaxAMShareDefault>0.25</queueMaxAMShareDefault>"
      "<queueMaxResourcesDefault>50%</queueMaxResourcesDefault>"
      "<defaultMinSharePreemptionTimeout>11</defaultMinSharePreemptionTimeout>"
      "<defaultFairSharePreemptionTimeout>12</defaultFairSharePreemptionTimeout>"
      "<fairSharePreemptionTimeout>99</fairSharePreemptionTimeout>"
      "<defaultFairSharePreemptionThreshold>0.7</defaultFairSharePreemptionThreshold>"
      "<userMaxAppsDefault>3</userMaxAppsDefault>"
      "<user name='ann'><maxRunningApps>9</maxRunningApps></user>"
      "<queue name='a'/><queue name='b'><maxRunningApps>6</maxRunningApps>"
      "<schedulingPolicy>drf</schedulingPolicy></queue>");
  const FairQueue& a = queue(allocations, "root.a");
  EXPECT_EQ(a.policy, SharePolicy::drf);
  EXPECT_EQ(a.maximum_running, 5);
  EXPECT_EQ(a.application_master_share, 0.25F);
  EXPECT_EQ(a.maximum.on(whole_cluster), [] {
    Resources half(50'000, 51'200);
    return half;
  }());
  EXPECT_EQ(a.minimum_share_timeout_s, 11);
  EXPECT_EQ(a.fair_share_timeout_s, 12);
  EXPECT_EQ(a.fair_share_threshold, 0.7F);
  EXPECT_EQ(queue(allocations, "root.b").maximum_running, 6);
  EXPECT_EQ(allocations.maximum_running_of_user, 3);
  EXPECT_EQ(allocations.maximum_running_of_users.at("ann"), 9);
  const FairQueue& root = queue(allocations, "root");
  EXPECT_EQ(root.maximum_running, std::nullopt) << "a limit for each queue is none for all";
  EXPECT_EQ(root.maximum.on(whole_cluster).memory_mib(), AllocationAmount::unlimited_amount);
}

// Proves: 5.2.inherited, 5.2.children-maximum
TEST(FairAllocationsFile, ChildrenInherit) {
  const auto allocations = loaded(
      "<queue name='a'><minSharePreemptionTimeout>2</minSharePreemptionTimeout>"
      "<fairSharePreemptionThreshold>0.9</fairSharePreemptionThreshold>"
      "<allowPreemptionFrom>false</allowPreemptionFrom>"
      "<maxChildResources>2048 mb, 2 vcores</maxChildResources>"
      "<maxContainerAllocation>256 mb, 1 vcores</maxContainerAllocation>"
      "<aclSubmitApps>ann</aclSubmitApps>"
      "<queue name='x'><queue name='deep'/></queue>"
      "<queue name='y'><maxResources>512 mb, 1 vcores</maxResources>"
      "<allowPreemptionFrom>true</allowPreemptionFrom></queue></queue>");
  const FairQueue& x = queue(allocations, "root.a.x");
  EXPECT_EQ(x.minimum_share_timeout_s, 2);
  EXPECT_EQ(x.fair_share_threshold, 0.9F);
  EXPECT_FALSE(x.allows_preemption_from);
  EXPECT_EQ(x.maximum.on(whole_cluster).memory_mib(), 2'048);
  EXPECT_EQ(x.maximum_container->on(whole_cluster).memory_mib(), 256);
  EXPECT_EQ(queue(allocations, "root.a.x.deep").maximum.on(whole_cluster).memory_mib(), 2'048);
  EXPECT_EQ(queue(allocations, "root.a.y").maximum.on(whole_cluster).memory_mib(), 512);
  EXPECT_TRUE(queue(allocations, "root.a.y").allows_preemption_from);
  EXPECT_FALSE(x.submitters.allows("ann", {})) << "asked for at each ancestor instead";
}

// Hadoop logs it and raises the maximum.
TEST(FairAllocationsFile, AMaximumBelowTheMinimumIsListed) {
  const auto allocations = loaded(
      "\n<queue name='a'><minResources>2048 mb, 2 vcores</minResources>"
      "\n<maxResources>4096 mb, 1 vcores</maxResources></queue>"
      "\n<queue name='b'><minResources>20%</minResources>\n<maxResources>20%</maxResources></queue>"
      "\n<queue name='c'><minResources>memory-mb=9</minResources>"
      "<maxResources>20%</maxResources></queue>"
      "\n<queue "
      "name='d'>\n<maxResources>20%</maxResources><minResources>21%</minResources></queue>");
  EXPECT_THAT(
      allocations.review.sentences(),
      ElementsAre("fair.xml:3: <maxResources>: the maximum of root.a is below its minResources, "
                  "which count instead",
                  "fair.xml:8: <maxResources>: the maximum of root.d is below its minResources, "
                  "which count instead"));
}

TEST(FairAllocationsFile, WhatMeansNothingIsListed) {
  const auto allocations = loaded(
      "\n<user name='ann'><maxRunningJobs>9</maxRunningJobs></user>"
      "\n<queue name='a'><colour>red</colour></queue>\n<colour>red</colour>");
  EXPECT_THAT(allocations.review.sentences(),
              ElementsAre("fair.xml:2: <maxRunningJobs>: is unknown here and is ignored",
                          "fair.xml:4: <colour>: is unknown here and is ignored",
                          "fair.xml:3: <colour>: is unknown here and is ignored"));
}

// ---- amounts ----

Resources amount_of(const std::string& text,
                    AllocationAmount::Missing missing = AllocationAmount::Missing::nothing) {
  const auto amount = AllocationAmount::parse(text, missing, ResourceDimensions({"gpu"}));
  EXPECT_TRUE(amount.has_value()) << text;
  return amount ? amount->on(whole_cluster) : Resources();
}

// Proves: 5.2.amounts, 5.2.resource-types
TEST(AllocationAmounts, AreWrittenInFourWays) {
  EXPECT_EQ(amount_of("2048 mb, 4 vcores"), Resources(4'000, 2'048));
  EXPECT_EQ(amount_of(" 4vcores,2048.9mb "), Resources(4'000, 2'048)) << "cut";
  EXPECT_EQ(amount_of("50% memory, 25.5% cpu"), Resources(25'000, 51'200)) << "25.5 vcores";
  EXPECT_EQ(amount_of("10 %"), Resources(10'000, 10'240));
  EXPECT_EQ(amount_of("memory-mb=50%, vcores=10%"), Resources(10'000, 51'200));
  Resources with_gpu(4'000, 2'048);
  with_gpu[2] = 1;
  EXPECT_EQ(amount_of("memory-mb=2048, vcores=4, gpu=1"), with_gpu);
}

TEST(AllocationAmounts, WhatIsNotStatedIsNothingOrUnlimited) {
  EXPECT_EQ(amount_of("vcores=4"), Resources(4'000, 0));
  const Resources most = amount_of("vcores=4", AllocationAmount::Missing::unlimited);
  EXPECT_EQ(most.milli_vcores(), 4'000);
  EXPECT_EQ(most.memory_mib(), AllocationAmount::unlimited_amount);
}

TEST(AllocationAmounts, OthersAreRefused) {
  for (const char* text : {"",
                           "2048",
                           "2048 mb",
                           "-1 mb, 1 vcores",
                           "1 mb, 1 mb",
                           "1 mb, 1 vcores, 1 disks",
                           "50% memory, 5 cpu",
                           "50% memory, 5% memory",
                           "1 mb, 1 vcore",
                           "mb, 1 vcores",
                           "x% memory, 5% cpu",
                           "memory-mb=1, vcores=1%",
                           "disks=1",
                           "vcores",
                           "vcores=-1",
                           "vcores=1, vcores=1",
                           "=",
                           "%",
                           ",=",
                           "1 mb, 1 disks"}) {
    const auto amount = AllocationAmount::parse(text, AllocationAmount::Missing::nothing,
                                                ResourceDimensions({"gpu"}));
    EXPECT_FALSE(amount.has_value()) << text;
  }
}

// findResource and findPercentage of FairSchedulerConfiguration, in Hadoop 2 and 3.
// Proves: 5.2.amounts
TEST(AllocationAmounts, AreReadInAnyCaseAndWithoutCommas) {
  const Resources amounts(4'000, 2'048);
  for (const char* text :
       {"2048 MB, 4 vCores", "2048mb 4VCORES", "4 vCores,2048 Mb,", "2048mb,4vcores"}) {
    EXPECT_EQ(amount_of(text), amounts) << text;
  }
  EXPECT_EQ(amount_of("50% Memory, 10% CPU"), Resources(10'000, 51'200));
}

TEST(AllocationAmounts, APercentageAloneHoldsForAllResourcesWhateverItNames) {
  for (const char* text : {"50% memory", "50%cpu", "50 % of the cluster"}) {
    EXPECT_EQ(amount_of(text), Resources(50'000, 51'200)) << text;
  }
  EXPECT_THAT(loaded("<queue name='a'>\n<maxResources>50% memory</maxResources></queue>")
                  .review.sentences(),
              ElementsAre("fair.xml:2: <maxResources>: 50% memory without a comma holds for all "
                          "resources, as in Hadoop"));
}

// ---- placement ----

// Proves: 5.2.placement
TEST(PlacementRules, AreAListOfWhichTheFirstCounts) {
  using Kind = PlacementRule::Kind;
  const auto allocations = loaded(
      "<queuePlacementPolicy><rule name='specified' create='false'/>"
      "<rule name='nestedUserQueue' create='false'><rule name='primaryGroup' "
      "create='false'/></rule>"
      "<rule name='default' queue='root.misc'/></queuePlacementPolicy>");
  ASSERT_EQ(allocations.placement.size(), 3u);
  EXPECT_EQ(allocations.placement[0].kind, Kind::specified);
  EXPECT_FALSE(allocations.placement[0].creates);
  EXPECT_EQ(allocations.placement[1].parent.at(0).kind, Kind::primary_group);
  EXPECT_EQ(allocations.placement[2].kind, Kind::default_queue);
  EXPECT_EQ(allocations.placement[2].queue, "root.misc");
  EXPECT_TRUE(allocations.placement[2].creates);
}

std::string policy_error(const std::string& rules) {
  return error_of("<queuePlacementPolicy>" + rules + "</queuePlacementPolicy>");
}

TEST(PlacementRules, EndWithOneThatDecides) {
  EXPECT_EQ(policy_error("<rule name='specified'/><rule name='reject'/>"), "");
  EXPECT_EQ(policy_error("<rule name='user'/>"), "");
  EXPECT_EQ(policy_error("<rule name='user' create='false'/><rule name='default'/>"), "");
  EXPECT_EQ(policy_error("<rule name='nestedUserQueue'><rule name='primaryGroup'/></rule>"), "");
  for (const char* rules :
       {"", "<rule name='specified'/>", "<rule name='user' create='false'/>",
        "<rule name='nestedUserQueue'><rule name='specified'/></rule>",
        "<rule name='nestedUserQueue' create='false'><rule name='primaryGroup'/></rule>"}) {
    EXPECT_THAT(policy_error(rules), HasSubstr("a last rule that decides")) << rules;
  }
  EXPECT_THAT(policy_error("<rule name='reject'/><rule name='default'/>"),
              HasSubstr("no rule after one that decides"));
}

// QueuePlacementRule.NestedUserQueue.isTerminal of Hadoop 2: what it contains does not count.
TEST(PlacementRules, OfHadoop2GoOnAfterANestedOne) {
  const auto read_rules = [](const std::string& rules, NestedRules nested) {
    const auto read =
        read_placement_rules(parse_xml("<policy>" + rules + "</policy>", "fair.xml"), nested);
    return read ? std::string() : read.error().message;
  };
  const std::string nested =
      "<rule name='nestedUserQueue'><rule name='default' queue='users'/>"
      "</rule>";
  const std::string followed = nested + "<rule name='default'/>";
  EXPECT_EQ(read_rules(followed, NestedRules::pass), "");
  EXPECT_THAT(read_rules(followed, NestedRules::decide),
              HasSubstr("unless semantics = \"hadoop-2.0\""));
  EXPECT_EQ(read_rules(nested, NestedRules::decide), "");
  EXPECT_THAT(read_rules(nested, NestedRules::pass), HasSubstr("a last rule that decides"));
  for (const NestedRules each : {NestedRules::decide, NestedRules::pass}) {
    EXPECT_THAT(read_rules("<rule name='reject'/><rule name='default'/>", each),
                HasSubstr("no rule after one that decides"));
    EXPECT_EQ(read_rules("<rule name='user' create='FALSE'/><rule name='default'/>", each), "");
  }
}

TEST(PlacementRules, OthersAreRefused) {
  EXPECT_THAT(policy_error("<rule name='user' create='no'/>"), HasSubstr("create=\"true\" or"));
  for (const char* rules : {"<rule name='random'/>", "<rule/>", "<role name='reject'/>"}) {
    EXPECT_THAT(policy_error(rules), HasSubstr("a rule named specified, user")) << rules;
  }
  for (const char* rules :
       {"<rule name='nestedUserQueue'/>",
        "<rule name='nestedUserQueue'><rule name='user'/><rule name='user'/></rule>",
        "<rule name='nestedUserQueue'><rule name='nestedUserQueue'><rule name='user'/></rule>"
        "</rule>"}) {
    EXPECT_THAT(policy_error(rules), HasSubstr("exactly one rule in nestedUserQueue")) << rules;
  }
}

// ---- what is refused ----

// Proves: 5.2.default-policy, 5.2.policy-below-fair
TEST(BadFairAllocations, AreRefusedWithLineElementRuleAndValue) {
  struct Bad {
    const char* text;
    const char* begin;
    const char* part;
  };
  const Bad table[] = {
      {"\n<queue name='a'><weight>-1</weight></queue>", "fair.xml:2: <weight>: expected ",
       "got \"-1\""},
      {"<queue name='a'><weight>x</weight></queue>", "fair.xml:1: <weight>", "not negative"},
      {"<queue name='a'><minResources>5</minResources></queue>", "fair.xml:1: <minResources>",
       "2048 mb, 4 vcores"},
      {"<queue name='a'><maxRunningApps>1.5</maxRunningApps></queue>",
       "fair.xml:1: <maxRunningApps>", "a whole number of at least 0, got \"1.5\""},
      {"<queue name='a'><schedulingPolicy>random</schedulingPolicy></queue>",
       "fair.xml:1: <schedulingPolicy>", "fair, fifo or drf, got \"random\""},
      {"<defaultQueueSchedulingPolicy>fifo</defaultQueueSchedulingPolicy>",
       "fair.xml:1: <defaultQueueSchedulingPolicy>", "fair or drf for all queues"},
      {"<queue name='a'><schedulingPolicy>fifo</schedulingPolicy><queue name='x'/></queue>",
       "fair.xml:1: <queue>", "fifo on leaves only, not on root.a"},
      {"<queue name='a'><schedulingPolicy>drf</schedulingPolicy></queue>", "fair.xml:1: <queue>",
       "no drf below a queue with fair, but root.a is"},
      {"<queue name='a'/>\n<queue name='a'/>", "fair.xml:2: <queue>", "each queue once"},
      {"<queue name='a.b'/>", "fair.xml:1: <queue>", "a name without dots"},
      {"<queue name=' '/>", "fair.xml:1: <queue>", "a name without dots, not \"\""},
      {"<queue/>", "fair.xml:1: <queue>", "a name"},
      {"<queue name='root'/><queue name='a'/>", "fair.xml:1: <queue>", "no other queues beside"},
      {"<user><maxRunningApps>1</maxRunningApps></user>", "fair.xml:1: <user>", "a name"},
      {"<user name=''/>", "fair.xml:1: <user>", "a name"},
      {"<queue name='a'><allowPreemptionFrom>no</allowPreemptionFrom></queue>",
       "fair.xml:1: <allowPreemptionFrom>", "true or false"},
      {"<queue name='a'><maxAMShare>-2</maxAMShare></queue>", "fair.xml:1: <maxAMShare>", "or -1"},
  };
  for (const Bad& bad : table) {
    EXPECT_THAT(error_of(bad.text), AllOf(StartsWith(bad.begin), HasSubstr(bad.part)));
  }
  const auto other =
      read_fair_allocations(parse_xml("<configuration/>", "fair.xml"), ResourceDimensions());
  EXPECT_EQ(other.error().message, "fair.xml:1: expected <allocations>, got <configuration>");
}

// ---- Hadoop 2.0 ----

// The global settings of the analysis of Hadoop 2.0, section 6.3.5, with the values given there.
// Proves: G11.keys
TEST(FairAllocationsFile, TheOlderKeysAreRead) {
  const auto allocations = loaded(
      "<queueMaxAppsDefault>0</queueMaxAppsDefault><userMaxAppsDefault>100</userMaxAppsDefault>"
      "<defaultQueueSchedulingMode>fair</defaultQueueSchedulingMode>"
      "<defaultMinSharePreemptionTimeout>600</defaultMinSharePreemptionTimeout>"
      "<fairSharePreemptionTimeout>600</fairSharePreemptionTimeout>"
      "<pool name='a'><schedulingMode>fifo</schedulingMode></pool><queue name='b'/>");
  EXPECT_THAT(allocations.review.sentences(), IsEmpty());
  EXPECT_EQ(allocations.maximum_running_of_queue, 0);
  EXPECT_EQ(allocations.maximum_running_of_user, 100);
  EXPECT_EQ(allocations.policy, SharePolicy::fair);
  EXPECT_EQ(queue(allocations, "root.b").minimum_share_timeout_s, 600);
  EXPECT_EQ(queue(allocations, "root.b").fair_share_timeout_s, 600);
  EXPECT_EQ(queue(allocations, "root.a").policy, SharePolicy::fifo);
}

// Proves: G6.no-inheritance
TEST(FairAllocationsFile, WithoutInheritanceOnlyTheDefaultsOfAllQueuesHold) {
  const XmlElement root = parse_xml(
      "<allocations><defaultMinSharePreemptionTimeout>9</defaultMinSharePreemptionTimeout>"
      "<queue name='a'><minSharePreemptionTimeout>2</minSharePreemptionTimeout>"
      "<fairSharePreemptionThreshold>0.9</fairSharePreemptionThreshold>"
      "<allowPreemptionFrom>false</allowPreemptionFrom>"
      "<maxContainerAllocation>256 mb, 1 vcores</maxContainerAllocation>"
      "<queue name='x'/></queue></allocations>",
      "fair.xml");
  const auto x_of = [&](bool inherits) {
    const auto allocations =
        read_fair_allocations(root, ResourceDimensions(), {.inherits = inherits});
    return queue(*allocations, "root.a.x");
  };
  EXPECT_EQ(x_of(true).minimum_share_timeout_s, 2);
  EXPECT_EQ(x_of(false).minimum_share_timeout_s, 9);
  EXPECT_EQ(x_of(false).fair_share_threshold, 0.5F);
  EXPECT_TRUE(x_of(false).allows_preemption_from);
  EXPECT_FALSE(x_of(false).maximum_container.has_value());
}

}  // namespace
}  // namespace tracebed
