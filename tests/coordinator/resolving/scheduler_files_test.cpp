// The files that a scheduler's settings name, and the settings themselves.
#include "coordinator/resolving/scheduler_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/given_settings.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/resolving/resolved_scheduler.h"
#include "core/input_error.h"
#include "growth/repeated.h"
#include "schedulers/yarn/capacity/capacity_settings.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SchedulerFiles : public testing::Test {
 protected:
  SchedulerFiles() {
    folder_.write("yarn-site.xml",
                  "<configuration>\n"
                  "<property><name>yarn.scheduler.minimum-allocation-mb</name>"
                  "<value>2048</value></property>\n"
                  "<property><name>yarn.scheduler.minimum-allocation-vcores</name>"
                  "<value>3</value></property>\n"
                  "<property><name>yarn.scheduler.colour</name><value>red</value></property>\n"
                  "</configuration>\n");
  }

  SchedulerChoice fifo(std::vector<Setting> settings) const {
    return {"fifo", "fifo", "mine.toml:3: scheduler", std::move(settings), {folder_.path(), {}}};
  }
  static ResolvedScheduler resolved(const SchedulerChoice& choice, const ScaleChoice& scale = {}) {
    ResolvedScheduler scheduler =
        resolve_scheduler(test::schedulers(), choice, ResourceDimensions());
    scale_scheduler(scheduler, scale);
    return scheduler;
  }
  static std::string fault_of(const SchedulerChoice& choice) {
    const Names names;
    try {
      (void)make_scheduler(resolved(choice), {1, names, ResourceDimensions()});
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }

  TemporaryFolder folder_;
};

TEST_F(SchedulerFiles, YarnSiteHoldsWhereNoSettingIsGiven) {
  const SchedulerChoice choice = fifo({{"minimum_allocation_mib", "512", "mine.toml:4"},
                                       {"yarn_site", "yarn-site.xml", "mine.toml:5: yarn_site"}});
  const ResolvedScheduler complete = resolved(choice);
  const NamedTexts expected{{"resource_calculator", "memory"},
                            {"minimum_allocation_mib", "512"},
                            {"minimum_allocation_milli_vcores", "3000"}};
  NamedTexts settings = to_record(complete.settings);
  settings.resize(std::min(settings.size(), expected.size()));
  EXPECT_EQ(settings, expected);
  EXPECT_THAT(complete.remarks, ElementsAre(HasSubstr("yarn.scheduler.colour: is unknown here")));
  EXPECT_EQ(fault_of(choice), "none");
}

// ---- properties that decide something and are not obeyed ----

constexpr const char* reservable_in_site =
    "<configuration><property><name>yarn.scheduler.capacity.root.a.reservable</name>"
    "<value>true</value></property></configuration>";
std::string queues_and(const std::string& more) {
  return "<configuration><property><name>yarn.scheduler.capacity.root.queues</name><value>a"
         "</value></property><property><name>yarn.scheduler.capacity.root.a.capacity</name>"
         "<value>100</value></property>" +
         more + "</configuration>";
}

TEST_F(SchedulerFiles, AYarnSiteThatIsNotObeyedIsRefusedUnlessTheSettingSaysSo) {
  folder_.write("queues.xml", queues_and(""));
  folder_.write("site.xml", reservable_in_site);
  SchedulerChoice choice = fifo({{"config", "queues.xml", "mine.toml:4: config"},
                                 {"yarn_site", "site.xml", "mine.toml:5: yarn_site"}});
  choice.name = choice.label = "capacity";
  EXPECT_EQ(fault_of(choice),
            "mine.toml:5: yarn_site: " + folder_.file("site.xml") +
                ":1: yarn.scheduler.capacity.root.a.reservable: expected false, got \"true\": it "
                "decides whether the queue's capacity is planned by reservations, and is not "
                "obeyed; ignore_unsupported = true runs without");
  choice.settings.push_back({"ignore_unsupported", "true", "mine.toml:6"});
  EXPECT_EQ(fault_of(choice), "none");
  EXPECT_THAT(resolved(choice).remarks, ElementsAre(HasSubstr("reservable: IS NOT OBEYED")));
}

TEST_F(SchedulerFiles, WhatTheSchedulersOwnFileStatesIsNotMissedInYarnSite) {
  folder_.write("queues.xml",
                queues_and("<property><name>yarn.scheduler.capacity.root.a.reservable</name>"
                           "<value>false</value></property>"));
  folder_.write("site.xml", reservable_in_site);
  SchedulerChoice choice = fifo({{"config", "queues.xml", "mine.toml:4: config"},
                                 {"yarn_site", "site.xml", "mine.toml:5: yarn_site"}});
  choice.name = choice.label = "capacity";
  EXPECT_EQ(fault_of(choice), "none");
}

// ---- files that files name ----

constexpr const char* rules_in_file =
    "<property><name>yarn.scheduler.capacity.mapping-rule-format</name><value>json</value>"
    "</property><property><name>yarn.scheduler.capacity.mapping-rule-json-file</name>"
    "<value>rules.json</value></property>";

TEST_F(SchedulerFiles, MappingRulesAreTakenIntoTheFileThatNamesThem) {
  std::filesystem::create_directory(folder_.path() / "hadoop");
  folder_.write("hadoop/queues.xml", queues_and(rules_in_file));
  folder_.write("hadoop/rules.json",
                R"({"rules": [{"type": "user", "matches": "<&>", "policy": "custom",
                               "customPlacement": "root.a"}]})");
  SchedulerChoice choice = fifo({{"config", "hadoop/queues.xml", "mine.toml:4: config"}});
  choice.name = choice.label = "capacity";
  EXPECT_EQ(fault_of(choice), "none");
  const SchedulerConfiguration configuration = configuration_of(resolved(choice));
  std::filesystem::remove(folder_.path() / "hadoop/rules.json");
  const Names names;
  const auto again = read_configuration(configuration, {1, names, ResourceDimensions()});
  ASSERT_TRUE(again.has_value());
  const auto settings = read_capacity_settings(*again);
  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  const auto placed = settings->configuration.mapping_rules.place({"default", "<&>", {"x"}});
  EXPECT_EQ(placed->value_or("stays"), "root.a");
}

TEST_F(SchedulerFiles, MappingRulesThatAreWrongAreNamedByTheirFile) {
  folder_.write("queues.xml", queues_and(rules_in_file));
  SchedulerChoice choice = fifo({{"config", "queues.xml", "mine.toml:4: config"}});
  choice.name = choice.label = "capacity";
  EXPECT_THAT(fault_of(choice),
              AllOf(HasSubstr("mine.toml:4: config: " + folder_.file("queues.xml") +
                              ":1: yarn.scheduler.capacity.mapping-rule-json-file"),
                    HasSubstr("rules.json")));
  folder_.write("rules.json", R"({"rules": [{"type": "user", "matches": "*", "policy": "custom",
                                            "customPlacement": "nowhere"}]})");
  EXPECT_EQ(fault_of(choice),
            "mine.toml:4: config: rules.json, rule 1: expected a leaf queue, but there is no queue "
            "nowhere");
  folder_.write("rules.json", "{\n x");
  EXPECT_THAT(fault_of(choice), HasSubstr("rules.json, line 2: expected JSON"));
  choice.files.confined_to = folder_.path() / "traces";
  std::filesystem::create_directory(choice.files.confined_to);
  EXPECT_THAT(fault_of(choice), HasSubstr("below the coordinator's trace folder"));
}

// Schedulers that are compared have the same files, whatever becomes of these meanwhile.
TEST_F(SchedulerFiles, AFileAndWhatItNamesAreReadOnceForAllSchedulers) {
  const std::string of_all = R"({"rules": [{"type": "user", "matches": "*", "policy": "custom",
                                            "customPlacement": "root.a"}]})";
  folder_.write("queues.xml", queues_and(rules_in_file));
  folder_.write("rules.json", of_all);
  SchedulerChoice choice = fifo({{"config", "queues.xml", "mine.toml:4: config"}});
  choice.name = choice.label = "capacity";
  NamedFiles files;
  const auto text = [&] {
    return resolve_scheduler(test::schedulers(), choice, ResourceDimensions(), files)
        .files.at("config")
        .text;
  };
  const std::string first = text();
  EXPECT_THAT(first, HasSubstr("customPlacement"));
  folder_.write("rules.json", "{}");
  EXPECT_EQ(text(), first);
  folder_.write("queues.xml", "<configuration/>");
  EXPECT_EQ(text(), first);
}

TEST_F(SchedulerFiles, RulesThatCannotBeAddedToTheFileThatNamesThemAreTold) {
  folder_.write("queues.xml", queues_and(rules_in_file) + "<!-- </configuration> -->");
  folder_.write("rules.json", "{}");
  SchedulerChoice choice = fifo({{"config", "queues.xml", "mine.toml:4: config"}});
  choice.name = choice.label = "capacity";
  EXPECT_THAT(fault_of(choice), HasSubstr("expected a file in which </configuration> stands once"));
}

TEST_F(SchedulerFiles, WhatYarnSiteSaysIsScaledAsSettingsAre) {
  ScaleChoice scale;
  scale.memory = 4;
  const ResolvedScheduler complete =
      resolved(fifo({{"yarn_site", "yarn-site.xml", "mine.toml:5: yarn_site"}}), scale);
  EXPECT_EQ(complete.settings.at(1).value, "512");
}

// Of what several say, the experiment's setting counts, then capacity-scheduler.xml, then
// yarn-site.xml, as in YARN; and what nobody says is Hadoop's default.
TEST_F(SchedulerFiles, WhatTheQueuesFileSaysOfPreemptionCountsMoreThanYarnSite) {
  const std::string monitor = "yarn.resourcemanager.monitor.capacity.preemption.";
  const auto property = [](const std::string& name, const std::string& value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>\n";
  };
  folder_.write("preempting-site.xml",
                "<configuration>\n" +
                    property("yarn.resourcemanager.scheduler.monitor.enable", "true") +
                    property(monitor + "monitoring_interval", "4000") +
                    property(monitor + "max_wait_before_kill", "4000") +
                    property(monitor + "total_preemption_per_round", "0.4") + "</configuration>\n");
  folder_.write("queues.xml",
                "<configuration>\n" + property("yarn.scheduler.capacity.root.queues", "a") +
                    property("yarn.scheduler.capacity.root.a.capacity", "100") +
                    property(monitor + "max_wait_before_kill", "5000") +
                    property(monitor + "total_preemption_per_round", "0.5") + "</configuration>\n");
  SchedulerChoice choice = fifo({{"config", "queues.xml", "mine.toml:4: config"},
                                 {"yarn_site", "preempting-site.xml", "mine.toml:5: yarn_site"},
                                 {"preemption.total_preemption_per_round", "0.6", "mine.toml:6"}});
  choice.name = "capacity";
  const Names names;
  const ResolvedScheduler complete = resolved(choice);
  SchedulerParameters parameters;
  parameters.names = &names;
  for (const auto& [key, value] : to_record(complete.settings)) parameters.settings[key] = value;
  for (const auto& [key, file] : complete.files) parameters.documents[key] = file.root;
  const auto settings = read_capacity_settings(parameters);
  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  const PreemptionSettings& preemption = settings->configuration.preemption;
  EXPECT_TRUE(preemption.is_enabled);
  EXPECT_EQ(preemption.interval, seconds(4));
  EXPECT_EQ(preemption.wait_before_kill, seconds(5));
  EXPECT_EQ(preemption.part_per_round, 0.6F);
  EXPECT_EQ(preemption.natural_termination, 0.2);
  EXPECT_EQ(preemption.delivery, PreemptionDelivery::contract);
}

// With the dominant calculator it takes whole vcores, of which a scaled-down machine may have none.
TEST_F(SchedulerFiles, APreemptionThatScalingTheVcoresSpoilsIsToldLoudly) {
  const auto queues = [&](const std::string& calculator) {
    return folder_
        .write(calculator + ".xml",
               "<configuration><property><name>yarn.scheduler.capacity.root.queues</name><value>a"
               "</value></property><property><name>yarn.scheduler.capacity.root.a.capacity</name>"
               "<value>100</value></property><property><name>"
               "yarn.scheduler.capacity.resource-calculator</name><value>"
               "org.apache.hadoop.yarn.util.resource." +
                   calculator + "</value></property></configuration>")
        .string();
  };
  const auto changed = [&](const std::string& calculator, const char* enabled, double cpu) {
    ScaleChoice scale;
    scale.cpu = cpu;
    return resolved({"capacity",
                     "capacity",
                     "mine.toml:3: scheduler",
                     {{"config", queues(calculator), "mine.toml:4: config"},
                      {"preemption.enabled", enabled, "mine.toml:5"}},
                     {folder_.path(), {}}},
                    scale)
        .remarks;
  };
  EXPECT_THAT(changed("DominantResourceCalculator", "true", 16),
              ElementsAre(HasSubstr("PREEMPTION IS LESS THAN CONFIGURED")));
  EXPECT_TRUE(changed("DominantResourceCalculator", "true", 1).empty());
  EXPECT_TRUE(changed("DominantResourceCalculator", "false", 16).empty());
  EXPECT_TRUE(changed("DefaultResourceCalculator", "true", 16).empty());
}

TEST_F(SchedulerFiles, AFaultNamesTheSettingThatMakesIt) {
  EXPECT_THAT(fault_of(fifo({{"resource_calculator", "memory", "mine.toml:4: a"},
                             {"minimum_allocation_mib", "x", "mine.toml:5: b"}})),
              HasSubstr("mine.toml:5: b: scheduler fifo, setting minimum_allocation_mib"));
  EXPECT_THAT(fault_of(fifo({{"colour", "red", "mine.toml:4: colour"}})),
              HasSubstr("mine.toml:4: colour: scheduler fifo has no setting \"colour\""));
  SchedulerChoice unknown = fifo({});
  unknown.name = "best";
  EXPECT_THAT(fault_of(unknown), HasSubstr("mine.toml:3: scheduler: there is no scheduler"));
}

TEST_F(SchedulerFiles, AFileThatCannotBeUsedIsNamedWithItsSetting) {
  EXPECT_THAT(fault_of(fifo({{"yarn_site", "none.xml", "mine.toml:5: yarn_site"}})),
              HasSubstr("mine.toml:5: yarn_site: " + folder_.file("none.xml")));
  folder_.write("bad.xml", "<configuration>\n<property>\n</configuration>");
  EXPECT_THAT(fault_of(fifo({{"yarn_site", "bad.xml", "mine.toml:5: yarn_site"}})),
              HasSubstr("bad.xml:"));
  SchedulerChoice confined = fifo({{"yarn_site", "../yarn-site.xml", "mine.toml:5: yarn_site"}});
  confined.files.confined_to = folder_.path();
  EXPECT_THAT(fault_of(confined), HasSubstr("expected a file below the coordinator's"));
}

// A refresh keeps what it does not name, so each has the scheduler's file as well.
TEST_F(SchedulerFiles, AreCountedAsOftenAsSchedulersAndRefreshesHaveThem) {
  folder_.write("jobs.tsv", "j\t0\t0\t1\t1\t1\n");
  folder_.write("queues.xml",
                "<configuration><property><name>yarn.scheduler.capacity.root.queues</name>"
                "<value>a</value></property><property><name>yarn.scheduler.capacity.root.a.capacity"
                "</name><value>100</value></property></configuration>" +
                    std::string(1'000'000, ' '));
  const auto experiment = [&](int refreshes) {
    const auto file = folder_.write(
        "mine.toml",
        "name = \"n\"\nworld = \"virtual\"\ntrace.file = \"jobs.tsv\"\n"
        "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"8 GiB\"\n"
        "[[scheduler]]\nname = \"capacity\"\nconfig = \"queues.xml\"\n" +
            test::repeated(refreshes,
                           "[[refresh]]\nat = \"{i}s\"\nmaximum_application_priority = 5\n"));
    return load_experiment(file, std::nullopt);
  };
  EXPECT_NO_THROW((void)resolve(test::schedulers(), experiment(30)));
  EXPECT_THAT([&] { (void)resolve(test::schedulers(), experiment(40)); },
              testing::ThrowsMessage<InputError>(HasSubstr("at most 32 MiB in all")));
}

}  // namespace
}  // namespace tracebed
