// What yarn-site.xml states of the Capacity scheduler's properties lies under its own file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "coordinator/resolving/given_settings.h"
#include "coordinator/resolving/resolved_scheduler.h"
#include "coordinator/resolving/scheduler_files.h"
#include "core/input_error.h"
#include "schedulers/yarn/capacity/capacity_settings.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

class SiteLayers : public testing::Test {
 protected:
  static std::string property(const std::string& name, const std::string& value,
                              const std::string& more = "") {
    return fmt::format("<property><name>{}</name><value>{}</value>{}</property>\n", name, value,
                       more);
  }
  static std::string queue(const std::string& name, const std::string& value,
                           const std::string& more = "") {
    return property("yarn.scheduler.capacity." + name, value, more);
  }
  void write_site(const std::string& properties) {
    folder_.write("site.xml", "<configuration>\n" + properties + "</configuration>");
  }
  // With two queues, a and b.
  void write_queues(const std::string& properties, const std::string& head = "") {
    folder_.write("queues.xml", head + "<configuration>\n" + queue("root.queues", "a,b") +
                                    queue("root.a.capacity", "40") +
                                    queue("root.b.capacity", "60") + properties +
                                    "</configuration>\n");
  }
  ResolvedScheduler resolved(std::vector<Setting> more = {}) const {
    std::vector<Setting> settings{{"config", "queues.xml", "mine.toml:4: config"},
                                  {"yarn_site", "site.xml", "mine.toml:5: yarn_site"}};
    settings.insert(settings.end(), more.begin(), more.end());
    return resolve_scheduler(
        test::schedulers(),
        {"capacity", "capacity", "mine.toml:3", std::move(settings), {folder_.path(), {}}},
        ResourceDimensions());
  }
  static CapacitySettings settings_of(const ResolvedScheduler& scheduler) {
    const Names names;
    // As a run's record has it: texts.
    auto parameters =
        read_configuration(configuration_of(scheduler), {1, names, ResourceDimensions()});
    EXPECT_TRUE(parameters.has_value());
    auto settings = read_capacity_settings(*parameters);
    EXPECT_TRUE(settings.has_value()) << (settings ? "" : settings.error().message);
    return settings ? std::move(*settings) : CapacitySettings();
  }
  static const CapacityQueue& queue_of(const CapacitySettings& settings, const char* name) {
    return *settings.configuration.find(name);
  }
  static std::string fault_of(const ResolvedScheduler& scheduler) {
    const Names names;
    try {
      (void)make_scheduler(scheduler, {1, names, ResourceDimensions()});
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }
  std::string resolving_fault() const {
    try {
      (void)resolved();
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }

  TemporaryFolder folder_;
};

TEST_F(SiteLayers, HoldWhereTheFileStatesNothing) {
  write_site(queue("root.a.maximum-capacity", "70") + queue("root.b.maximum-capacity", "80") +
             queue("root.a.user-limit-factor", "3") +
             queue("resource-calculator",
                   "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"));
  write_queues(queue("root.b.maximum-capacity", "90"));
  const CapacitySettings settings = settings_of(resolved());
  EXPECT_EQ(queue_of(settings, "a").partitions.at("").maximum.value, 70);
  EXPECT_EQ(queue_of(settings, "b").partitions.at("").maximum.value, 90);
  EXPECT_EQ(queue_of(settings, "a").user_limit_factor, 3);
  EXPECT_EQ(settings.configuration.calculator.kind(), ResourceCalculator::Kind::dominant);
}

TEST_F(SiteLayers, KeepAFinalValue) {
  write_site(
      queue("root.b.maximum-capacity", "80", "<final>true</final>") +
      property("yarn.resourcemanager.scheduler.monitor.enable", "true", "<final>true</final>"));
  write_queues(queue("root.b.maximum-capacity", "90") +
               property("yarn.resourcemanager.scheduler.monitor.enable", "false"));
  const ResolvedScheduler scheduler = resolved();
  const CapacitySettings settings = settings_of(scheduler);
  EXPECT_EQ(queue_of(settings, "b").partitions.at("").maximum.value, 80);
  EXPECT_TRUE(settings.configuration.preemption.is_enabled);
  EXPECT_THAT(scheduler.remarks,
              testing::Contains(HasSubstr("root.b.maximum-capacity is ignored")));
}

TEST_F(SiteLayers, GiveTheFileTheValuesThatItRefersTo) {
  write_site(property("our.part", "${our.half}0") + property("our.half", "5") +
             property("our.secret", "x"));
  write_queues(queue("root.a.maximum-capacity", "${our.part}"));
  const ResolvedScheduler scheduler = resolved();
  EXPECT_EQ(queue_of(settings_of(scheduler), "a").partitions.at("").maximum.value, 50);
  EXPECT_EQ(scheduler.files.at("config").text.find("our.secret"), std::string::npos);
}

TEST_F(SiteLayers, NameTheFileThatIsWrong) {
  write_site("\n\n" + queue("root.a.maximum-capacity", "much"));
  write_queues("");
  EXPECT_THAT(fault_of(resolved()), HasSubstr(folder_.file("site.xml") + ":4: "));
  write_site("");
  write_queues(queue("root.a.maximum-capacity", "much"));
  EXPECT_THAT(fault_of(resolved()), HasSubstr(folder_.file("queues.xml") + ":5: "));
}

// A run is decided again from the copy.
TEST_F(SiteLayers, AreInTheRunsCopyOfTheFile) {
  write_site(queue("queue-mappings", "u:ann:a,\nu:bob:b") +
             queue("root.b.maximum-capacity", "80", "<final>true</final>"));
  write_queues(queue("root.b.maximum-capacity", "90"), "<?xml version='1.0'?>\n<!-- <a> -->\n");
  TemporaryFolder run;
  std::vector<ListedFile> kept;
  const ResolvedScheduler scheduler = keep_files(resolved(), run.path(), kept);
  const CapacitySettings settings = settings_of(scheduler);
  EXPECT_EQ(queue_of(settings, "b").partitions.at("").maximum.value, 80);
  HadoopProperties properties;
  ASSERT_TRUE(properties.add(scheduler.files.at("config").root));
  EXPECT_EQ(properties.find("yarn.scheduler.capacity.queue-mappings"), "u:ann:a,\nu:bob:b");
  EXPECT_THAT(properties.place("yarn.scheduler.capacity.root.a.capacity"), HasSubstr(":5: "))
      << "lines keep their numbers";
}

TEST_F(SiteLayers, LieUnderARefreshedFileToo) {
  write_site(queue("root.a.maximum-capacity", "70"));
  write_queues("");
  const ResolvedScheduler before = resolved();
  write_queues(queue("root.b.maximum-capacity", "90"));
  const CapacitySettings settings =
      settings_of(with_setting(before, {"config", "queues.xml", "refresh"}, {}));
  EXPECT_EQ(queue_of(settings, "a").partitions.at("").maximum.value, 70);
  EXPECT_EQ(queue_of(settings, "b").partitions.at("").maximum.value, 90);
}

TEST_F(SiteLayers, AreRefusedWhereTheTextHasNoPlaceForThem) {
  write_site(queue("root.a.maximum-capacity", "70"));
  folder_.write("queues.xml", "<configuration/>");
  EXPECT_THAT(resolving_fault(),
              HasSubstr("mine.toml:4: config: expected a file that begins with"));
}

// ---- sizes of containers ----

// AbstractYarnScheduler.getMinimumAllocation, QueueAllocationSettings.setupMaximumAllocation.
TEST_F(SiteLayers, SizesOfTheFileCountAsTheReleaseReadsThem) {
  const std::string minimum = "yarn.scheduler.minimum-allocation-mb";
  const std::string maximum = "yarn.scheduler.maximum-allocation-";
  write_site(property(minimum, "512") + property(maximum + "mb", "4096") +
             property(maximum + "vcores", "4"));
  write_queues(property(minimum, "256") + property(maximum + "mb", "2048") +
               property(maximum + "vcores", "8"));
  const ResolvedScheduler third = resolved();
  const CapacitySettings today = settings_of(third);
  EXPECT_EQ(today.minimum_allocation, Resources(1'000, 512));
  EXPECT_EQ(maximum_allocation_of(today, queue_of(today, "a")), Resources(4'000, 2'048));
  EXPECT_THAT(third.remarks,
              testing::Contains(HasSubstr(minimum + ": is ignored: Hadoop 3 reads")));

  const ResolvedScheduler second = resolved({{"semantics", "hadoop-2.0", "mine.toml:6"}});
  const CapacitySettings old = settings_of(second);
  EXPECT_EQ(old.minimum_allocation, Resources(1'000, 256));
  EXPECT_EQ(maximum_allocation_of(old, queue_of(old, "a")), Resources(8'000, 2'048));
  EXPECT_TRUE(second.remarks.empty());
}

TEST_F(SiteLayers, ASettingOfTheExperimentCountsBeforeBothFiles) {
  write_site(property("yarn.scheduler.minimum-allocation-mb", "512"));
  write_queues(property("yarn.scheduler.minimum-allocation-mb", "256"));
  const CapacitySettings settings =
      settings_of(resolved({{"semantics", "hadoop-2.0", "mine.toml:6"},
                            {"minimum_allocation_mib", "128", "mine.toml:7"}}));
  EXPECT_EQ(settings.minimum_allocation.memory_mib(), 128);
}

TEST_F(SiteLayers, AQueuesMaximumIsComparedWithTheFilesOwn) {
  write_site(property("yarn.scheduler.maximum-allocation-mb", "4096"));
  write_queues(property("yarn.scheduler.maximum-allocation-mb", "8192") +
               queue("root.a.maximum-allocation-mb", "6144"));
  const CapacitySettings settings = settings_of(resolved());
  EXPECT_EQ(maximum_allocation_of(settings, queue_of(settings, "a")).memory_mib(), 4'096);
  write_queues(property("yarn.scheduler.maximum-allocation-mb", "2048") +
               queue("root.a.maximum-allocation-mb", "3072"));
  EXPECT_THAT(fault_of(resolved()), HasSubstr("expected at most the scheduler's maximum allocation "
                                              "of 2048, got 3072"));
}

// ---- access ----

// yarn-default.xml: yarn.acl.enable is false.
TEST_F(SiteLayers, AccessListsAreOffUnlessYarnSiteSwitchesThemOn) {
  write_queues("");
  write_site("");
  EXPECT_FALSE(settings_of(resolved()).enforces_acls);
  EXPECT_TRUE(settings_of(resolved({{"acls", "true", "mine.toml:6"}})).enforces_acls);
  write_site(property("yarn.acl.enable", "true"));
  EXPECT_TRUE(settings_of(resolved()).enforces_acls);
  EXPECT_TRUE(settings_of(resolve_scheduler(test::schedulers(),
                                            {"capacity",
                                             "capacity",
                                             "mine.toml:3",
                                             {{"config", "queues.xml", "mine.toml:4: config"}},
                                             {folder_.path(), {}}},
                                            ResourceDimensions()))
                  .enforces_acls)
      << "without a yarn-site.xml";
}

}  // namespace
}  // namespace tracebed
