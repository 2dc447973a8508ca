// Changes of a scheduler's configuration as YARN's clients send them.
#include "coordinator/config/configuration_update_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::ThrowsMessage;

// The example of Hadoop's ResourceManagerRest.md (YARN-7238), with what its other examples have.
constexpr std::string_view documented_xml = R"(<?xml version="1.0" encoding="UTF-8"?>
<sched-conf>
  <update-queue>
    <queue-name>root.default</queue-name>
    <params>
      <entry>
        <key>maximum-applications</key>
        <value>100</value>
      </entry>
      <entry>
        <key>minimum-user-limit-percent</key>
        <value>10</value>
      </entry>
    </params>
  </update-queue>
  <add-queue>
    <queue-name>root.b</queue-name>
    <params><entry><key>capacity</key><value/></entry><entry><key>state</key></entry></params>
  </add-queue>
  <remove-queue>root.a</remove-queue>
  <remove-queue>root.c.d</remove-queue>
  <global-updates>
    <entry><key>yarn.scheduler.capacity.maximum-applications</key><value>7</value></entry>
  </global-updates>
</sched-conf>)";

void expect_documented(const ConfigurationUpdate& update) {
  ASSERT_EQ(update.updated.size(), 1U);
  EXPECT_EQ(update.updated[0].path, "root.default");
  EXPECT_THAT(update.updated[0].properties, ElementsAre(Pair("maximum-applications", "100"),
                                                        Pair("minimum-user-limit-percent", "10")));
  ASSERT_EQ(update.added.size(), 1U);
  EXPECT_EQ(update.added[0].path, "root.b");
  EXPECT_THAT(update.added[0].properties,
              ElementsAre(Pair("capacity", ""), Pair("state", std::nullopt)));
  EXPECT_THAT(update.removed, ElementsAre("root.a", "root.c.d"));
  EXPECT_THAT(update.global,
              ElementsAre(Pair("yarn.scheduler.capacity.maximum-applications", "7")));
}

TEST(ConfigurationUpdateText, IsReadFromTheXmlOfHadoopsDocumentation) {
  expect_documented(read_configuration_update(documented_xml, UpdateForm::xml));
}

// Releases differ: one object or a list of them, with the name of the whole or without, and
// queueName.
TEST(ConfigurationUpdateText, IsReadFromJsonAsEachReleaseWritesIt) {
  expect_documented(read_configuration_update(
      R"({"update-queue": {"queue-name": "root.default", "params": {"entry": [
            {"key": "maximum-applications", "value": "100"},
            {"key": "minimum-user-limit-percent", "value": 10}]}},
          "add-queue": [{"queueName": "root.b", "params": {"entry": [
            {"key": "capacity", "value": ""}, {"key": "state", "value": null}]}}],
          "remove-queue": ["root.a", "root.c.d"],
          "global-updates": {"entry":
            {"key": "yarn.scheduler.capacity.maximum-applications", "value": "7"}}})",
      UpdateForm::json));
  const ConfigurationUpdate wrapped =
      read_configuration_update(R"({"sched-conf": {"remove-queue": "root.a"}})", UpdateForm::json);
  EXPECT_THAT(wrapped.removed, ElementsAre("root.a"));
}

TEST(ConfigurationUpdateText, SaysWhereWhatIsWrong) {
  struct Case {
    UpdateForm form;
    std::string text;
    const char* says;
  };
  const auto xml = [](const std::string& within) {
    return "<sched-conf>" + within + "</sched-conf>";
  };
  const std::string deep = [] {
    std::string text;
    for (int i = 0; i < 5'000; ++i) text += "{\"update-queue\":";
    return text + "1" + std::string(5'000, '}');
  }();
  for (const Case& test : {
           Case{UpdateForm::xml, "", "the body:1: expected XML"},
           Case{UpdateForm::xml, "no XML", "the body:1: expected XML"},
           Case{UpdateForm::xml, "{}", "the body:1: expected XML"},
           Case{UpdateForm::xml, "<sched-conf>", "the body:1: expected XML"},
           Case{UpdateForm::xml, "<sched-conf/>", "expected queues or properties to change"},
           Case{UpdateForm::xml, "<conf/>", "the body:1: expected <sched-conf>, got <conf>"},
           Case{UpdateForm::xml, xml("\n<queue/>"),
                "the body:2: expected <add-queue>, <remove-queue>, <update-queue> or "
                "<global-updates>, got <queue>"},
           Case{UpdateForm::xml, xml("<update-queue/>"),
                "the body:1: <update-queue>: expected a <queue-name>, got none"},
           Case{UpdateForm::xml, xml("<update-queue><name>a</name></update-queue>"),
                "expected <queue-name> or <params>, got <name>"},
           Case{UpdateForm::xml, xml("<remove-queue> </remove-queue>"),
                "<remove-queue>: expected a name, got none"},
           Case{UpdateForm::xml, xml("<remove-queue>a\x01</remove-queue>"), "control characters"},
           Case{UpdateForm::xml, xml("<global-updates><a/></global-updates>"), "expected <entry>"},
           Case{UpdateForm::xml, xml("<global-updates><entry/></global-updates>"),
                "<entry>: expected a <key>, got none"},
           Case{UpdateForm::xml,
                xml("<global-updates><entry><key>a</key></entry><entry><key>a</key></entry>"
                    "</global-updates>"),
                "expected each key once, got a again"},
           Case{UpdateForm::xml,
                "<!DOCTYPE a [<!ENTITY b \"bbbbbbbb\"><!ENTITY c \"&b;&b;&b;&b;\">]>" +
                    xml("<remove-queue>&c;</remove-queue>"),
                "expected no document type"},
           Case{UpdateForm::xml,
                "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>" +
                    xml("<remove-queue>&b;</remove-queue>"),
                "expected no document type"},
           Case{UpdateForm::xml, xml("<remove-queue>&b;</remove-queue>"),
                "expected a predefined XML reference"},
           Case{UpdateForm::json, "", "the body: expected JSON"},
           Case{UpdateForm::json, "<sched-conf/>", "the body: expected JSON"},
           Case{UpdateForm::json, "[]", "the body: expected an object, got array"},
           Case{UpdateForm::json, "{}", "expected queues or properties to change, got none"},
           Case{UpdateForm::json, "{\"remove-queue\": \"\xff\"}", "the body: expected JSON"},
           Case{UpdateForm::json, R"({"remove-queue": "a", "remove-queue": "b"})",
                "expected members of different names, got \"remove-queue\" twice"},
           Case{UpdateForm::json, R"({"remove-queue": [["a"]]})",
                "the body, remove-queue: expected objects or texts in an array, got an array"},
           Case{UpdateForm::json, R"({"remove-queue": {"a": "b"}})",
                "the body, remove-queue, a: expected a text, got <a>"},
           Case{UpdateForm::json,
                R"({"update-queue": {"queue-name": "root.a", "params": {"a": 1}}})",
                "the body, update-queue, params, a: expected <entry>, got <a>"},
           Case{UpdateForm::json, R"({"remove-queue": "a\u0000b"})", "control characters"},
           Case{UpdateForm::json, deep, "expected fewer levels"},
       }) {
    EXPECT_THAT([&] { (void)read_configuration_update(test.text, test.form); },
                ThrowsMessage<InputError>(HasSubstr(test.says)))
        << test.text.substr(0, 200);
  }
}

}  // namespace
}  // namespace tracebed
