// Templates of queues that applications create, and files with them.
#include "schedulers/yarn/capacity/queue_templates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedulers/yarn/capacity/capacity_settings.h"
#include "support/scheduler_parameters.h"

namespace tracebed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using TemplateLines = std::vector<std::pair<std::string, std::string>>;

HadoopProperties template_file(const TemplateLines& lines) {
  HadoopProperties properties;
  std::size_t line = 0;
  for (const auto& [name, value] : lines) {
    properties.set("yarn.scheduler.capacity." + name, value, "f:" + std::to_string(++line));
  }
  return properties;
}

// What a queue of this path has as the property; "none".
std::string given(const TemplateLines& lines, const std::string& path, const std::string& key,
                  bool is_leaf = true) {
  const QueueTemplates templates(template_file(lines));
  return templates.properties_of(path, is_leaf)
      .properties.find("yarn.scheduler.capacity." + path + "." + key)
      .value_or("none");
}

const std::string v2 = ".auto-queue-creation-v2.";

TEST(QueueTemplates, StateThePropertiesOfQueuesBelowTheirs) {
  const TemplateLines lines = {{"root.a" + v2 + "template.capacity", "6w"}};
  EXPECT_EQ(given(lines, "root.a.x", "capacity"), "6w");
  EXPECT_EQ(given(lines, "root.a.x", "capacity", false), "6w");
  EXPECT_EQ(given(lines, "root.b.x", "capacity"), "none");
  EXPECT_EQ(given(lines, "root.a.x.y", "capacity"), "none");
}

TEST(QueueTemplates, OfLeavesOrParentsComeBeforeTheCommonOne) {
  const TemplateLines lines = {{"root.a" + v2 + "template.capacity", "1w"},
                               {"root.a" + v2 + "leaf-template.capacity", "2w"},
                               {"root.a" + v2 + "parent-template.priority", "3"}};
  EXPECT_EQ(given(lines, "root.a.x", "capacity"), "2w");
  EXPECT_EQ(given(lines, "root.a.x", "priority"), "none");
  EXPECT_EQ(given(lines, "root.a.x", "capacity", false), "1w");
  EXPECT_EQ(given(lines, "root.a.x", "priority", false), "3");
}

// TestAutoCreatedQueueTemplate.testTwoLevelWildcardTemplate, testTemplatePrecedence,
// testIgnoredWhenRootWildcarded, testIgnoredTemplateWithLimitedAutoCreatedQueueDepth.
TEST(QueueTemplates, WildcardsStandForTheLastPartsAndCountLess) {
  TemplateLines lines = {{"root.*" + v2 + "template.capacity", "6w"},
                         {"root.*.*" + v2 + "template.capacity", "5w"},
                         {"*" + v2 + "template.capacity", "9w"}};
  EXPECT_EQ(given(lines, "root.a.x", "capacity"), "6w");
  EXPECT_EQ(given(lines, "root.a.b.x", "capacity"), "5w");
  EXPECT_EQ(given(lines, "root.x", "capacity"), "none");
  lines.emplace_back("root.a.*" + v2 + "template.capacity", "4w");
  EXPECT_EQ(given(lines, "root.a.b.x", "capacity"), "4w");
  lines.emplace_back("root.a.b" + v2 + "template.capacity", "3w");
  EXPECT_EQ(given(lines, "root.a.b.x", "capacity"), "3w");
  // A part before the last ones is no wildcard.
  EXPECT_EQ(given({{"root.*.b" + v2 + "template.capacity", "8w"}}, "root.a.b.x", "capacity"),
            "none");
}

TEST(QueueTemplates, HaveAsManyWildcardsAsLevelsAreCreatedBelowTheParent) {
  TemplateLines lines = {{"root.*.*" + v2 + "template.capacity", "5w"}};
  lines.emplace_back("root.a.b" + v2 + "maximum-queue-depth", "1");
  EXPECT_EQ(given(lines, "root.a.b.x", "capacity"), "none");
  EXPECT_EQ(given(lines, "root.a.c.x", "capacity"), "5w");
  lines.emplace_back("auto-queue-creation-v2.maximum-queue-depth", "1");
  EXPECT_EQ(given(lines, "root.a.c.x", "capacity"), "none");
}

TEST(QueueTemplates, GiveWayToTheQueuesOwnProperties) {
  const TemplateLines lines = {{"root.a" + v2 + "template.capacity", "6w"},
                               {"root.a.x.capacity", "2w"}};
  EXPECT_EQ(given(lines, "root.a.x", "capacity"), "2w");
  EXPECT_EQ(given(lines, "root.a.y", "capacity"), "6w");
}

// LeafQueue.parseAndSetDynamicTemplates.
TEST(QueueTemplates, AloneReplaceWhatLeavesAreCreatedWith) {
  EXPECT_EQ(given({}, "root.a.x", "user-limit-factor"), "-1");
  EXPECT_EQ(given({}, "root.a.x", "maximum-am-resource-percent"), "1");
  EXPECT_EQ(given({}, "root.a.x", "user-limit-factor", false), "none");
  EXPECT_EQ(given({{"root.a.x.user-limit-factor", "3"}}, "root.a.x", "user-limit-factor"), "-1");
  EXPECT_EQ(given({{"root.a" + v2 + "template.user-limit-factor", "10"}}, "root.a.x",
                  "user-limit-factor"),
            "10");
}

// ---- files ----

// Of a file with queue a, below which queues are created, and b.
SchedulerParameters file_with(const TemplateLines& more) {
  static const Names names;
  TemplateLines lines = {{"root.queues", "a,b"},
                         {"root.a.capacity", "1w"},
                         {"root.b.capacity", "1w"},
                         {"root.a" + v2 + "enabled", "true"}};
  lines.insert(lines.end(), more.begin(), more.end());
  for (auto& line : lines) line.first = "yarn.scheduler.capacity." + line.first;
  SchedulerParameters parameters;
  parameters.names = &names;
  parameters.documents["config"] = test::hadoop_configuration(lines);
  return parameters;
}

std::string fault_of(const TemplateLines& more) {
  const auto read = read_capacity_settings(file_with(more));
  return read ? "none" : read.error().message;
}

std::vector<std::string> remarks_on(const TemplateLines& more) {
  const SchedulerParameters parameters = file_with(more);
  HadoopProperties properties;
  EXPECT_TRUE(properties.add(parameters.documents.at("config")));
  const auto loaded = read_capacity_configuration(properties, parameters.dimensions);
  EXPECT_TRUE(loaded.has_value()) << loaded.error().message;
  return loaded ? loaded->review.sentences() : std::vector<std::string>();
}

TEST(FilesWithTemplates, AreReadAsWhatTheyMake) {
  EXPECT_EQ(fault_of({}), "none");
  EXPECT_EQ(fault_of({{"root.a" + v2 + "template.capacity", "2w"},
                      {"root.a" + v2 + "leaf-template.ordering-policy", "fair"},
                      {"root.a" + v2 + "parent-template.ordering-policy", "priority-utilization"},
                      {"root.a.*" + v2 + "leaf-template.maximum-applications", "7"},
                      {"root.a" + v2 + "template.max-parallel-apps", "3"},
                      {"root.a" + v2 + "max-queues", "10"},
                      {"root.a" + v2 + "maximum-queue-depth", "3"}}),
            "none");
}

TEST(FilesWithTemplates, AreRefusedForWhatATemplateStatesWrongly) {
  EXPECT_THAT(fault_of({{"root.a" + v2 + "template.capacity", "many"}}),
              AllOf(HasSubstr("fixture:1: yarn.scheduler.capacity.root.a.auto-queue-creation-v2."
                              "template.capacity: "),
                    HasSubstr("expected a percentage"), HasSubstr("got \"many\"")));
  EXPECT_THAT(fault_of({{"root.a" + v2 + "template.capacity", "50"}}),
              HasSubstr("expected a weight, as in 1w"));
  EXPECT_THAT(fault_of({{"root.a.*" + v2 + "leaf-template.state", "asleep"}}),
              AllOf(HasSubstr("root.a.*.auto-queue-creation-v2.leaf-template.state"),
                    HasSubstr("expected RUNNING, STOPPED or DRAINING")));
  EXPECT_THAT(fault_of({{"root.a.team" + v2 + "leaf-template.user-limit-factor", "-2"}}),
              HasSubstr("leaf-template.user-limit-factor: "));
  // A parent is not ordered as a leaf is.
  EXPECT_THAT(fault_of({{"root.a" + v2 + "template.ordering-policy", "fair"}}),
              HasSubstr("expected utilization or priority-utilization on a parent"));
}

TEST(FilesWithTemplates, AreRefusedForWhatIsNotObeyed) {
  EXPECT_THAT(fault_of({{"root.a" + v2 + "template.reservable", "true"}}),
              AllOf(HasSubstr("auto-queue-creation-v2.template.reservable: expected false"),
                    HasSubstr("ignore_unsupported")));
}

TEST(FilesWithTemplates, TellWhatIsUnknownOrHasNoQueues) {
  EXPECT_THAT(remarks_on({}), IsEmpty());
  EXPECT_THAT(remarks_on({{"root.a" + v2 + "template.capactiy", "2w"}}),
              ElementsAre(AllOf(HasSubstr("template.capactiy"), HasSubstr("is unknown here"))));
  EXPECT_THAT(remarks_on({{"root.b" + v2 + "template.capacity", "2w"}}),
              ElementsAre(HasSubstr("is ignored: no queues are created there")));
  // Of a queue that may be created there is nothing to tell, but for what is replaced.
  EXPECT_THAT(remarks_on({{"root.a.x.capacity", "2w"}, {"root.a.x.maximum-applications", "3"}}),
              IsEmpty());
  EXPECT_THAT(remarks_on({{"root.a.x.user-limit-factor", "2"}}),
              ElementsAre(HasSubstr("only templates state it")));
  EXPECT_THAT(remarks_on({{"root.a" + v2 + "queue-auto-removal.enable", "false"}}),
              ElementsAre(HasSubstr("the file names this queue")));
}

TEST(FilesWithTemplates, StateHowManyQueuesAndLevels) {
  EXPECT_THAT(fault_of({{"root.a" + v2 + "maximum-queue-depth", "0"}}),
              AllOf(HasSubstr("maximum-queue-depth: expected"), HasSubstr("got \"0\"")));
  EXPECT_THAT(fault_of({{"auto-queue-creation-v2.maximum-queue-depth", "101"}}),
              HasSubstr("maximum-queue-depth: expected"));
  EXPECT_THAT(fault_of({{"root.a" + v2 + "max-queues", "-1"}}), HasSubstr("max-queues: expected"));
  EXPECT_THAT(fault_of({{"root.a" + v2 + "enabled", "maybe"}}), HasSubstr("enabled: expected"));
}

TEST(FilesWithTemplates, NameThePoliciesThatLookAtQueues) {
  const std::string name = "yarn.resourcemanager.scheduler.monitor.policies";
  const std::string package = "org.apache.hadoop.yarn.server.resourcemanager.";
  const std::string preemption = package + "monitor.capacity.ProportionalCapacityPreemptionPolicy";
  const std::string removal = package + "scheduler.capacity.AutoCreatedQueueDeletionPolicy";
  const auto read = [&](const std::string& policies) {
    SchedulerParameters parameters = file_with({});
    TemplateLines lines = {{name, policies},
                           {"yarn.resourcemanager.scheduler.monitor.enable", "true"},
                           {"yarn.scheduler.capacity.root.queues", "a"},
                           {"yarn.scheduler.capacity.root.a.capacity", "100"}};
    if (policies.empty()) lines.erase(lines.begin());
    parameters.documents["config"] = test::hadoop_configuration(lines);
    const auto settings = read_capacity_settings(parameters);
    if (!settings) return settings.error().message;
    const CapacityConfiguration& configuration = settings->configuration;
    return std::string(configuration.preemption.is_enabled ? "preempts" : "does not preempt") +
           (configuration.unused_queues_interval == seconds(300) ? ", removes" : "");
  };
  EXPECT_EQ(read(""), "preempts");
  EXPECT_EQ(read(preemption), "preempts");
  EXPECT_EQ(read(removal), "does not preempt, removes");
  EXPECT_EQ(read(preemption + "," + removal), "preempts, removes");
  EXPECT_THAT(read("com.example.Policy"),
              AllOf(HasSubstr(name + ": expected"), HasSubstr("com.example.Policy")));
}

}  // namespace
}  // namespace tracebed
