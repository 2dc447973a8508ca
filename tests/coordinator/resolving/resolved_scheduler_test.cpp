// A scheduler's settings from experiment, files and defaults, and what an error about one names.
#include "coordinator/resolving/resolved_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/resolving/given_settings.h"
#include "core/input_error.h"
#include "support/hadoop_file.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string place_of_key(const std::string& key) {
  return "mine.toml: " + key;
}

SchedulerChoice choice_of(const std::string& name, const NamedTexts& settings,
                          const std::filesystem::path& folder = {}) {
  SchedulerChoice choice{name, name, "mine.toml:3: scheduler", {}, {folder, {}}};
  for (const auto& [key, value] : settings) {
    choice.settings.push_back({key, value, place_of_key(key)});
  }
  return choice;
}

ResolvedScheduler resolved(const SchedulerChoice& choice) {
  return resolve_scheduler(test::schedulers(), choice, ResourceDimensions());
}

TEST(NamedFilesOfSettings, AreReadOnceWhateverBecomesOfThem) {
  const TemporaryFolder folder;
  folder.write("a.xml", "<a/>");
  const FileFolder where{folder.path(), {}};
  NamedFiles files;
  EXPECT_EQ(files.read(where, {"config", "a.xml", "mine.toml:4: config"}).root.name, "a");
  folder.write("a.xml", "<b/>");
  EXPECT_EQ(files.read(where, {"config", "./a.xml", "mine.toml:9: config"}).root.name, "a");
  EXPECT_EQ(NamedFiles().read(where, {"config", "a.xml", "mine.toml:4: config"}).root.name, "b");
}

std::string fault_of(const SchedulerChoice& choice) {
  const Names names;
  try {
    (void)make_scheduler(resolved(choice), {1, names, ResourceDimensions()});
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

// Without any other error of its own.
NamedTexts needed_by(const std::string& scheduler) {
  if (scheduler != "capacity") return {};
  return {{"config", test::hadoop_file({{"yarn.scheduler.capacity.root.queues", "a"},
                                        {"yarn.scheduler.capacity.root.a.capacity", "100"}})}};
}

TEST(ResolvedSchedulers, NameTheSettingOfEveryValueThatTheyRefuse) {
  std::size_t refused = 0;
  std::size_t taken = 0;
  for (const SchedulerEntry& entry : test::schedulers()) {
    for (const SettingDescription& setting : entry.settings) {
      for (const char* value : {"?", "-7", "<no-such-file/>", "99999999999999999999", "a=b=c"}) {
        NamedTexts settings = needed_by(std::string(entry.name));
        std::erase_if(settings, [&](const auto& given) { return given.first == setting.name; });
        settings.emplace_back(setting.name, value);
        const std::string fault = fault_of(choice_of(std::string(entry.name), settings));
        if (fault == "none") {
          ++taken;
          continue;
        }
        ++refused;
        const std::string place = place_of_key(std::string(setting.name));
        // With the line of XML that stands in the setting.
        EXPECT_THAT(fault, AnyOf(StartsWith(place + ": "), StartsWith(place + ":1: ")))
            << entry.name << " with " << setting.name << " = " << value;
      }
    }
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(taken, 0u);
}

TEST(ResolvedSchedulers, NameOneOfTwoSettingsThatDoNotFitEachOther) {
  const NamedTexts range{{"minimum_allocation_mib", "2048"}, {"maximum_allocation_mib", "1024"}};
  EXPECT_THAT(fault_of(choice_of("fair", range)), StartsWith("mine.toml: maximum_allocation_mib"));
  NamedTexts capacity = needed_by("capacity");
  capacity.insert(capacity.end(), range.begin(), range.end());
  EXPECT_THAT(fault_of(choice_of("capacity", capacity)),
              StartsWith("mine.toml: maximum_allocation_mib"));
  EXPECT_THAT(fault_of(choice_of("slot_capacity", {{"queue_names", "default,b"}})),
              StartsWith("mine.toml: queue_names"));
  EXPECT_THAT(fault_of(choice_of("slot_capacity", {{"generation", "0.20.0"},
                                                   {"map_slot_mib", "1024"},
                                                   {"reduce_slot_mib", "1024"},
                                                   {"map_task_max_mib", "1024"},
                                                   {"reduce_task_max_mib", "1024"}})),
              StartsWith("mine.toml: map_slot_mib"));
}

TEST(ResolvedSchedulers, NameTheSchedulerIfASettingIsMissing) {
  EXPECT_THAT(fault_of(choice_of("capacity", {})),
              StartsWith("mine.toml:3: scheduler: scheduler capacity, setting config: expected"));
}

TEST(ResolvedSchedulers, NameThePreemptionSettingThatReplacesAProperty) {
  NamedTexts settings = needed_by("capacity");
  settings.emplace_back("preemption.total_preemption_per_round", "2 %");
  EXPECT_THAT(fault_of(choice_of("capacity", settings)),
              StartsWith("mine.toml: preemption.total_preemption_per_round: scheduler capacity"));
}

TEST(ResolvedSchedulers, NameTheDifferencesThatSettingsFilesAndJobsTouch) {
  using testing::Contains;
  using testing::ElementsAre;
  using testing::IsSupersetOf;
  using testing::Not;
  const auto touched = [](const std::string& name, const NamedTexts& settings,
                          bool has_gangs = false) {
    return differences_of(resolved(choice_of(name, settings)), ResourceDimensions(), has_gangs);
  };
  EXPECT_THAT(touched("fifo", {}), ElementsAre("container-vcores", "available-vcores"));
  EXPECT_THAT(touched("fifo", {{"resource_calculator", "dominant"}}),
              ElementsAre("fifo-calculator"));
  EXPECT_THAT(touched("fifo", {{"resource_calculator", "dominant"}}, true),
              ElementsAre("fifo-calculator", "fifo-gangs", "fifo-gang-sizes"));
  EXPECT_THAT(touched("fair", {}), Not(Contains("fair-needless-victims")));
  EXPECT_THAT(touched("fair", {{"preemption.enabled", "true"}}), Contains("fair-needless-victims"));
  EXPECT_THAT(touched("mfs", {{"fit", "more"}}), ElementsAre("mfs-jobs-without-task"));
  EXPECT_THAT(touched("drf", {{"order", "strict"}}), ElementsAre("drf-demands"));
  EXPECT_THAT(touched("slot_fair", {}), Contains("slot-fair-waits-for-place"));
  EXPECT_THAT(touched("fcfs", {}), testing::IsEmpty());
  NamedTexts capacity = needed_by("capacity");
  EXPECT_THAT(touched("capacity", capacity), Not(Contains("capacity-one-too-many")));
  capacity.emplace_back("preemption.enabled", "true");
  capacity.emplace_back("preemption.intra-queue-preemption.enabled", "true");
  EXPECT_THAT(touched("capacity", capacity),
              IsSupersetOf({"capacity-one-too-many", "capacity-equal-users"}));
}

TEST(SchedulerEntries, NameWhatTheyImitateIfTheyDifferFromIt) {
  for (const SchedulerEntry& entry : test::schedulers()) {
    EXPECT_EQ(entry.imitated.empty(), entry.differences.empty()) << entry.name;
  }
}

// As in Hadoop 1, whose TaskTrackers read the same file.
TEST(ResolvedSchedulers, TakeSlotsFromMapredSiteUnlessTheExperimentGivesThem) {
  const TemporaryFolder folder;
  folder.write("mapred-site.xml",
               test::hadoop_file({{"mapred.tasktracker.map.tasks.maximum", "5"},
                                  {"mapred.tasktracker.reduce.tasks.maximum", "3"}}));
  for (const char* scheduler : {"slot_fifo", "slot_capacity", "slot_fair", "slot_dynamic_priority",
                                "slot_hard_deadline", "slot_soft_deadline"}) {
    const ResolvedScheduler complete = resolved(choice_of(
        scheduler, {{"mapred_site", "mapred-site.xml"}, {"reduce_slots", "1"}}, folder.path()));
    EXPECT_EQ(find_setting(complete.settings, "map_slots")->value, "5") << scheduler;
    EXPECT_EQ(find_setting(complete.settings, "map_slots")->where,
              "mine.toml: mapred_site: " + folder.file("mapred-site.xml") +
                  ":1: mapred.tasktracker.map.tasks.maximum");
    EXPECT_EQ(find_setting(complete.settings, "reduce_slots")->value, "1") << scheduler;
    EXPECT_EQ(complete.settings.size(), complete.entry->settings.size());
  }
}

TEST(ResolvedSchedulers, TakeAnotherFileWithWhatItStates) {
  const TemporaryFolder folder;
  const auto site = [&](const std::string& name, const std::string& slots) {
    folder.write(name, test::hadoop_file({{"mapred.tasktracker.map.tasks.maximum", slots}}));
  };
  site("first.xml", "5");
  site("second.xml", "7");
  const ResolvedScheduler first =
      resolved(choice_of("slot_fifo", {{"mapred_site", "first.xml"}}, folder.path()));
  const ResolvedScheduler second =
      with_setting(first, {"mapred_site", "second.xml", "the refresh, mapred_site"}, {});
  EXPECT_EQ(find_setting(second.settings, "map_slots")->value, "7");
  EXPECT_EQ(second.settings.size(), first.settings.size());
  EXPECT_THAT(second.files.at("mapred_site").text, HasSubstr("<value>7</value>"));
}

TEST(ResolvedSchedulers, ReadEachFileOnce) {
  const TemporaryFolder folder;
  folder.write("queues.xml", needed_by("capacity").front().second);
  const ResolvedScheduler scheduler =
      resolved(choice_of("capacity", {{"config", "queues.xml"}}, folder.path()));
  folder.write("queues.xml", "<changed/>");
  const Names names;
  EXPECT_NE(make_scheduler(scheduler, {1, names, ResourceDimensions()}), nullptr);
}

}  // namespace
}  // namespace tracebed
