// The table of what is known of the properties of YARN's files, row by row against the readers: a
// row that says "obeyed" is read, one that says "refused" keeps the scheduler from being made.
#include "schedulers/known_properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "schedulers/yarn/capacity/capacity_settings.h"
#include "schedulers/yarn/configuration/property_tables.h"
#include "schedulers/yarn/configuration/yarn_site.h"
#include "schedulers/yarn/fair/fair_scheduler.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Treatment = KnownProperty::Treatment;
using Lines = std::vector<std::pair<std::string, std::string>>;

// A name that is of the row's form.
std::string one_of(const KnownProperty& property) {
  std::string text(property.name);
  for (const auto& [form, instead] :
       {std::pair("<queue>", "root.a"), {"<label>", "gpu"}, {"<user>", "ann"}, {"*", "anything"}}) {
    const std::size_t at = text.find(form);
    if (at != std::string::npos) text.replace(at, std::string_view(form).size(), instead);
  }
  return text;
}

std::string first_neutral(const KnownProperty& property) {
  return std::string(property.neutral.substr(0, property.neutral.find(',')));
}

// ---- the tables themselves ----

TEST(KnownProperties, EachNameIsOfTheFormOfItsOwnRow) {
  for (const auto table :
       {known_capacity_properties(), known_fair_properties(), known_site_properties()}) {
    for (const KnownProperty& row : table) {
      EXPECT_EQ(known_property(table, one_of(row)), &row) << row.name;
      EXPECT_FALSE(row.decides.empty()) << row.name;
      if (row.treatment == Treatment::without_effect) {
        EXPECT_FALSE(row.reason.empty()) << row.name;
      }
    }
  }
}

TEST(KnownProperties, FitFormsWithPartsThatStandForNames) {
  const auto form_of = [](std::string_view name) {
    const KnownProperty* found = known_property(known_capacity_properties(), name);
    return found == nullptr ? std::string() : std::string(found->name);
  };
  EXPECT_EQ(form_of("yarn.scheduler.capacity.root.a.b.c.state"),
            "yarn.scheduler.capacity.<queue>.state");
  EXPECT_EQ(form_of("yarn.scheduler.capacity.root.a.leaf-queue-template.capacity"),
            "yarn.scheduler.capacity.<queue>.leaf-queue-template.*");
  EXPECT_EQ(form_of("yarn.scheduler.capacity.user.a.b.max-parallel-apps"),
            "yarn.scheduler.capacity.user.<user>.max-parallel-apps");
  EXPECT_EQ(form_of("yarn.scheduler.capacity.rooted.state"), "") << "no queue";
  EXPECT_EQ(form_of("yarn.scheduler.capacity..state"), "");
  EXPECT_EQ(form_of("yarn.scheduler.capacity.root.a.state.of"), "");
  EXPECT_EQ(form_of(""), "");
  const std::string many = "yarn.scheduler.capacity.root" + std::string(1 << 20, '.') + "x";
  EXPECT_EQ(form_of(many), "") << "of any length, at once";
}

TEST(KnownProperties, AListOfNeutralValuesIsNeutral) {
  const KnownProperty* rules =
      known_property(known_capacity_properties(), "yarn.scheduler.queue-placement-rules");
  for (const char* value : {"", " ", "user-group", "app-name, user-group"}) {
    EXPECT_TRUE(is_neutral(*rules, value)) << value;
  }
  EXPECT_FALSE(is_neutral(*rules, "user-group,com.example.Rule"));
}

// ---- Capacity ----

SchedulerParameters capacity_parameters(const Lines& more, const SettingValues& settings) {
  static const Names names;
  Lines lines = {{"yarn.scheduler.capacity.root.queues", "a,b"},
                 {"yarn.scheduler.capacity.root.b.capacity", "100"}};
  lines.insert(lines.end(), more.begin(), more.end());
  SchedulerParameters parameters;
  parameters.settings = settings;
  parameters.names = &names;
  parameters.documents["config"] = test::hadoop_configuration(lines);
  return parameters;
}

std::string capacity_fault(const Lines& lines, const SettingValues& settings = {}) {
  const auto read = read_capacity_settings(capacity_parameters(lines, settings));
  return read ? "none" : read.error().message;
}

std::vector<std::string> capacity_remarks(const Lines& lines) {
  const SchedulerParameters parameters = capacity_parameters(lines, {});
  return test::schedulers()
      .find("capacity")
      ->unread({"config", parameters.documents.at("config"), parameters.settings,
                parameters.dimensions});
}

TEST(KnownProperties, OfCapacityAreTreatedAsTheTableSays) {
  for (const KnownProperty& row : known_capacity_properties()) {
    const std::string name = one_of(row);
    switch (row.treatment) {
      case Treatment::obeyed:
        EXPECT_THAT(capacity_remarks({{name, ""}}), IsEmpty()) << "not read: " << name;
        break;
      case Treatment::refused:
        EXPECT_THAT(capacity_fault({{name, "x"}}),
                    AllOf(HasSubstr("fixture:1: " + name + ": expected "),
                          HasSubstr(std::string(row.decides)), HasSubstr("got \"x\"")));
        EXPECT_EQ(capacity_fault({{name, "x"}}, {{"ignore_unsupported", "true"}}), "none") << name;
        EXPECT_THAT(capacity_remarks({{name, "x"}}),
                    ElementsAre(HasSubstr(name + ": IS NOT OBEYED: it decides")));
        EXPECT_EQ(capacity_fault({{name, first_neutral(row)}}), "none") << name;
        EXPECT_THAT(capacity_remarks({{name, first_neutral(row)}}), IsEmpty()) << name;
        break;
      case Treatment::without_effect:
        EXPECT_EQ(capacity_fault({{name, "x"}}), "none") << name;
        EXPECT_THAT(capacity_remarks({{name, "x"}}),
                    ElementsAre(HasSubstr(": is ignored: " + std::string(row.reason))));
        break;
    }
  }
}

// What Hadoop's own capacity-scheduler.xml states beside queues and limits.
TEST(KnownProperties, OfHadoopsOwnFileAreAllTaken) {
  const std::string prefix = "yarn.scheduler.capacity.";
  EXPECT_EQ(capacity_fault({{prefix + "root.a.acl_application_max_priority", "*"},
                            {prefix + "queue-mappings", ""},
                            {prefix + "queue-mappings-override.enable", "false"},
                            {prefix + "application.fail-fast", "false"},
                            {prefix + "workflow-priority-mappings", ""},
                            {prefix + "workflow-priority-mappings-override.enable", "false"},
                            {prefix + "schedule-asynchronously.enable", "false"}}),
            "none");
}

TEST(KnownProperties, ThatAreNotObeyedAreRefusedWithWhatTheyDecide) {
  const std::string name = "yarn.scheduler.capacity.lazy-preemption-enabled";
  EXPECT_EQ(capacity_fault({{name, "true"}}),
            "fixture:1: " + name +
                ": expected false, got \"true\": it decides whether containers are killed only "
                "once their room is given away, and is not obeyed; they are killed at the end of "
                "their wait; ignore_unsupported = true runs without");
}

TEST(KnownProperties, AllThatAreNotObeyedAreNamed) {
  const std::string prefix = "yarn.scheduler.capacity.";
  EXPECT_THAT(capacity_fault({{prefix + "root.a.reservable", "true"},
                              {prefix + "multi-node-placement-enabled", "true"}}),
              AllOf(HasSubstr("multi-node-placement-enabled: expected false, got \"true\""),
                    HasSubstr("root.a.reservable: nor is this one, which decides whether the "
                              "queue's capacity is planned by reservations"),
                    HasSubstr("ignore_unsupported = true runs without")));
}

TEST(KnownProperties, OfTemplatesAreNoQueues) {
  const std::string queue = "yarn.scheduler.capacity.root.a.";
  EXPECT_EQ(capacity_fault({{queue + "auto-create-child-queue.enabled", "true"},
                            {queue + "leaf-queue-template.capacity", "50"}}),
            "none");
}

// ---- yarn-site.xml ----

Result<YarnSite> site_of(const std::string& name, const std::string& value,
                         std::string_view scheduler) {
  const XmlElement root = parse_xml("<configuration><property><name>" + name + "</name><value>" +
                                        value + "</value></property></configuration>",
                                    "yarn-site.xml");
  return read_yarn_site(root, *test::schedulers().find(scheduler), test::schedulers());
}

TEST(KnownProperties, OfCapacityAreNotDroppedFromYarnSite) {
  for (const KnownProperty& row : known_capacity_properties()) {
    const std::string name = one_of(row);
    const auto site = site_of(name, "1", "capacity");
    if (!site || site->settings.size() > 1 || name == "yarn.acl.enable")
      continue;  // it is a setting's, beside that of the ACLs
    EXPECT_EQ(site->layer.scheduler.contains(name), row.treatment == Treatment::obeyed) << name;
    EXPECT_EQ(site->review.unobeyed.size(), row.treatment == Treatment::refused ? 1u : 0u) << name;
    EXPECT_EQ(site->review.remarks.size(), row.treatment == Treatment::without_effect ? 1u : 0u)
        << name;
    const auto other = site_of(name, "1", "fair");
    if (!other || !other->settings.empty()) continue;
    EXPECT_THAT(other->review.unobeyed, IsEmpty()) << name;
    EXPECT_THAT(other->review.remarks,
                ElementsAre(HasSubstr("does not apply to the scheduler fair")));
  }
}

TEST(KnownProperties, OfNoSchedulerAreExplained) {
  for (const KnownProperty& row : known_site_properties()) {
    EXPECT_THAT(site_of(one_of(row), "1", "fair")->review.sentences(),
                ElementsAre(HasSubstr(": is ignored: " + std::string(row.reason))));
  }
}

// ---- Fair ----

SchedulerParameters fair_parameters(const std::string& name, const SettingValues& settings) {
  const std::string element = name.substr(name.find('/') + 1);
  const std::string text = "<" + element + ">?</" + element + ">";
  std::string file = text;
  if (name.starts_with("queue/")) file = "<queue name='a'>" + text + "</queue>";
  if (name.starts_with("user/")) file = "<user name='ann'>" + text + "</user>";
  SchedulerParameters parameters;
  parameters.settings = settings;
  parameters.documents["config"] = parse_xml("<allocations>" + file + "</allocations>", "fair.xml");
  return parameters;
}

TEST(KnownProperties, OfAllocationFilesAreTreatedAsTheTableSays) {
  for (const KnownProperty& row : known_fair_properties()) {
    const std::string name(row.name);
    if (name.starts_with("yarn.")) continue;
    const auto made = FairScheduler::make(fair_parameters(name, {}));
    const SchedulerParameters parameters =
        fair_parameters(name, {{std::string(ignore_unsupported_setting), "true"}});
    const auto sentences = test::schedulers().find("fair")->unread(
        {"config", parameters.documents.at("config"), parameters.settings, parameters.dimensions});
    switch (row.treatment) {
      case Treatment::obeyed:
        EXPECT_TRUE(!made || sentences.empty()) << name;  // most refuse "?"
        break;
      case Treatment::refused:
        ASSERT_FALSE(made.has_value()) << name;
        EXPECT_THAT(made.error().message,
                    AllOf(HasSubstr("fair.xml:1: <"), HasSubstr(std::string(row.decides))));
        EXPECT_TRUE(FairScheduler::make(parameters).has_value()) << name;
        EXPECT_THAT(sentences, ElementsAre(HasSubstr("IS NOT OBEYED")));
        break;
      case Treatment::without_effect:
        EXPECT_TRUE(made.has_value()) << name;
        EXPECT_THAT(sentences, ElementsAre(HasSubstr(std::string(row.reason))));
        break;
    }
  }
}

}  // namespace
}  // namespace tracebed
