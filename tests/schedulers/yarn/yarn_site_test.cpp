// yarn-site.xml as settings, and which amounts of the schedulers' files are absolute.
#include "schedulers/yarn/configuration/yarn_site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "schedulers/yarn/configuration/absolute_amounts.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string property_text(const std::string& name, const std::string& value) {
  return "<property><name>" + name + "</name><value>" + value + "</value></property>\n";
}

Result<YarnSite> read_site(const std::string& properties, std::string_view scheduler = "fifo") {
  const XmlElement root =
      parse_xml("<configuration>\n" + properties + "</configuration>", "yarn-site.xml");
  return read_yarn_site(root, *test::schedulers().find(scheduler), test::schedulers());
}

// Proves: 5.1.yarn-site
TEST(YarnSite, SaysWhatTheSchedulersOwnSettingsAre) {
  const auto site = read_site(property_text("yarn.scheduler.minimum-allocation-mb", " 512 ") +
                              property_text("yarn.scheduler.minimum-allocation-vcores", "2"));
  ASSERT_TRUE(site.has_value());
  ASSERT_EQ(site->settings.size(), 2u);
  EXPECT_EQ(site->settings.at("minimum_allocation_mib").value, "512");
  EXPECT_EQ(site->settings.at("minimum_allocation_mib").where,
            "yarn-site.xml:2: yarn.scheduler.minimum-allocation-mb");
  EXPECT_EQ(site->settings.at("minimum_allocation_milli_vcores").value, "2000");
  EXPECT_THAT(site->review.remarks, IsEmpty());
}

TEST(YarnSite, TellsWhatItDoesNotFollowAndWhatThatMeans) {
  const auto site = read_site(property_text("yarn.scheduler.colour", "red") +
                              property_text("yarn.scheduler.fair.assignmultiple", "true") +
                              property_text("yarn.nodemanager.resource.memory-mb", "4096") +
                              property_text("yarn.nodemanager.log-dirs", "/logs") +
                              property_text("yarn.scheduler.minimum-allocation-mb", ""));
  ASSERT_TRUE(site.has_value());
  EXPECT_THAT(site->settings, IsEmpty());
  EXPECT_THAT(site->review.remarks,
              ElementsAre("yarn-site.xml:4: yarn.nodemanager.resource.memory-mb: is ignored: "
                          "[cluster] sets the machines' resources",
                          "yarn-site.xml:2: yarn.scheduler.colour: is unknown here and is ignored",
                          "yarn-site.xml:3: yarn.scheduler.fair.assignmultiple: does not apply to "
                          "the scheduler fifo and is ignored"));
}

// Proves: 4.keys
TEST(YarnSite, TurnsCapacitysPreemptionOnAndSetsItUp) {
  const std::string monitor = "yarn.resourcemanager.monitor.capacity.preemption.";
  const auto capacity =
      read_site(property_text("yarn.resourcemanager.scheduler.monitor.enable", "TRUE") +
                    property_text(monitor + "max_wait_before_kill", "5000") +
                    property_text(monitor + "intra-queue-preemption.preemption-order-policy",
                                  "PRIORITY_FIRST") +
                    property_text(monitor + "colour", "red"),
                "capacity");
  ASSERT_TRUE(capacity.has_value());
  EXPECT_EQ(capacity->settings.at("preemption.enabled").value, "TRUE");
  EXPECT_EQ(capacity->settings.at("preemption.max_wait_before_kill").value, "5000");
  EXPECT_EQ(capacity->settings.at("preemption.max_wait_before_kill").property,
            monitor + "max_wait_before_kill");
  EXPECT_EQ(
      capacity->settings.at("preemption.intra-queue-preemption.preemption-order-policy").value,
      "PRIORITY_FIRST");
  EXPECT_THAT(capacity->review.remarks, ElementsAre(HasSubstr("colour: is unknown here")));
  const auto other =
      read_site(property_text("yarn.resourcemanager.scheduler.monitor.enable", "true"), "fair");
  EXPECT_THAT(other->review.remarks,
              ElementsAre(HasSubstr("does not apply to the scheduler fair")));
}

// Proves: 5.1.yarn-site
TEST(YarnSite, SetsUpFairsPreemption) {
  const std::string prefix = "yarn.scheduler.fair.";
  const auto fair =
      read_site(property_text(prefix + "preemption", "true") +
                    property_text(prefix + "preemption.cluster-utilization-threshold", "0.7") +
                    property_text(prefix + "am.preemption", "false") +
                    property_text(prefix + "am.preemption.root.a", "true") +
                    property_text(prefix + "am.preemption.root.b", "false") +
                    property_text(prefix + "waitTimeBeforeKill", "5000") +
                    property_text(prefix + "waitTimeBeforeNextStarvationCheck", "2000"),
                "fair");
  ASSERT_TRUE(fair.has_value());
  EXPECT_THAT(fair->review.remarks, IsEmpty());
  const auto value = [&](const char* name) { return fair->settings.at(name).value; };
  EXPECT_EQ(value("preemption.enabled"), "true");
  EXPECT_EQ(value("preemption.cluster_utilization_threshold"), "0.7");
  EXPECT_EQ(value("preemption.masters"), "false");
  EXPECT_EQ(value("preemption.masters_of_queues"), "root.a=true,root.b=false");
  EXPECT_EQ(value("preemption.wait_before_kill_ms"), "5000");
  EXPECT_EQ(value("preemption.wait_before_next_check_ms"), "2000");
  const auto other = read_site(property_text(prefix + "preemption", "true"), "capacity");
  EXPECT_EQ(other->settings.size(), 1u) << "acls, which are off";
  EXPECT_THAT(other->review.remarks,
              ElementsAre(HasSubstr("does not apply to the scheduler capacity")));
}

// Proves: A6.1.class
TEST(YarnSite, NoticesThatItIsOfAnotherScheduler) {
  const std::string key = "yarn.resourcemanager.scheduler.class";
  const std::string package = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.";
  const auto other = read_site(property_text(key, package + "fair.FairScheduler"));
  ASSERT_TRUE(other.has_value());
  ASSERT_EQ(other->review.remarks.size(), 1u);
  EXPECT_THAT(other->review.remarks[0], HasSubstr("but the experiment chose the scheduler fifo"));
  EXPECT_THAT(read_site(property_text(key, package + "fifo.FifoScheduler"))->review.remarks,
              IsEmpty());
}

TEST(YarnSite, RefusesAValueOfTheWrongKind) {
  const auto site = read_site(property_text("yarn.scheduler.minimum-allocation-mb", "1g"));
  ASSERT_FALSE(site.has_value());
  EXPECT_THAT(site.error().message, HasSubstr("yarn-site.xml:2: yarn.scheduler.minimum-allocation-"
                                              "mb: expected a whole number"));
  EXPECT_THAT(site.error().message, HasSubstr("got \"1g\""));
}

TEST(YarnSite, IsNoMatterOfSchedulersThatAreNotYarns) {
  EXPECT_TRUE(takes_yarn_site(*test::schedulers().find("fifo")));
  EXPECT_FALSE(takes_yarn_site(*test::schedulers().find("spread")));
}

TEST(AbsoluteAmounts, AreThoseWithoutAPercentage) {
  const XmlElement fair = parse_xml(
      "<allocations>\n<queue name='a'>\n<minResources>1024 mb, 1 vcores</minResources>\n"
      "<maxResources>50% memory, 25% cpu</maxResources>\n<queue name='b'>\n"
      "<maxResources>vcores=50%, memory-mb=4096</maxResources>\n</queue>\n"
      "<minResources>0 mb, 0 vcores</minResources></queue></allocations>",
      "fair.xml");
  EXPECT_THAT(absolute_amounts(fair),
              ElementsAre("fair.xml:3: <minResources>", "fair.xml:6: <maxResources>"));
  const std::string queue = "yarn.scheduler.capacity.root.a.";
  const XmlElement capacity = parse_xml(
      "<configuration>\n" + property_text(queue + "capacity", "[memory=4096,vcores=4]") +
          property_text(queue + "maximum-capacity", "[memory=50%,vcores=50%]") +
          property_text(queue + "user-limit-factor", "2") +
          property_text(queue + "x.capacity", "[memory=50%, vcores=4w ]") +
          property_text(queue + "y.capacity", "[memory=2w,vcores=4]") + "</configuration>",
      "capacity.xml");
  EXPECT_THAT(absolute_amounts(capacity), ElementsAre(HasSubstr(": " + queue + "capacity"),
                                                      HasSubstr(": " + queue + "y.capacity")));
}

// Hadoop 2.0 kept what the Fair Scheduler does in a file of its own beside the allocation file; it
// is read in the place of yarn-site.xml.
// Proves: G12.two-files
TEST(YarnSite, MayBeTheFairSchedulersOwnFileOfHadoopTwo) {
  const XmlElement root =
      parse_xml("<configuration>" + property_text("yarn.scheduler.fair.sizebasedweight", "true") +
                    property_text("yarn.scheduler.fair.assignmultiple", "true") +
                    property_text("yarn.scheduler.fair.max.assign", "4") + "</configuration>",
                "fair-scheduler.xml");
  const auto site = read_yarn_site(root, *test::schedulers().find("fair"), test::schedulers());
  ASSERT_TRUE(site.has_value());
  EXPECT_EQ(site->settings.at("size_based_weight").value, "true");
  EXPECT_EQ(site->settings.at("assign_multiple").value, "true");
  EXPECT_EQ(site->settings.at("max_assign").value, "4");
  EXPECT_THAT(site->review.remarks, IsEmpty());
}

}  // namespace
}  // namespace tracebed
