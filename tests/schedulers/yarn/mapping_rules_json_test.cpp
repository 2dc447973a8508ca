// Mapping rules as JSON, as Hadoop's TestMappingRuleCreator checks them, restated.
#include "schedulers/yarn/capacity/placement/mapping_rules_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using RuleAction = MappingRule::Action;
using RuleFallback = MappingRule::Fallback;
using RuleSubject = MappingRule::Subject;

// A list of one rule with these keys, written with ' for ".
std::string with_keys(const std::string& keys) {
  std::string text = "{'rules': [{" + keys + "}]}";
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

MappingRule rule_of(const std::string& keys) {
  const auto rules = parse_json_mapping_rules(with_keys(keys), "rules.json");
  EXPECT_TRUE(rules.has_value()) << (rules ? "" : rules.error().message);
  return rules && rules->size() == 1 ? rules->front() : MappingRule();
}

std::string json_fault_of(const std::string& text) {
  const auto rules = parse_json_mapping_rules(text, "rules.json");
  return rules ? "none" : rules.error().message;
}

constexpr const char* for_everybody = "'type': 'user', 'matches': '*', ";

TEST(JsonMappingRules, MatchUsersGroupsAndApplications) {
  EXPECT_EQ(rule_of("'type': 'user', 'matches': '*', 'policy': 'user'").subject,
            RuleSubject::everybody);
  const MappingRule user = rule_of("'type': 'user', 'matches': 'ann', 'policy': 'user'");
  EXPECT_EQ(user.subject, RuleSubject::user);
  EXPECT_EQ(user.matches, "ann");
  EXPECT_EQ(rule_of("'type': 'group', 'matches': 'ops', 'policy': 'user'").subject,
            RuleSubject::group);
  EXPECT_EQ(rule_of("'type': 'application', 'matches': '*', 'policy': 'user'").subject,
            RuleSubject::application);
}

TEST(JsonMappingRules, HaveAPathByTheirPolicy) {
  const auto path = [](const std::string& policy, const std::string& more = "") {
    return rule_of(for_everybody + ("'policy': '" + policy + "'" + more)).queue;
  };
  const std::string below = ", 'parentQueue': 'root.a'";
  EXPECT_EQ(path("user"), "%user");
  EXPECT_EQ(path("user", below), "root.a.%user");
  EXPECT_EQ(path("primaryGroup", below), "root.a.%primary_group");
  EXPECT_EQ(path("primaryGroupUser"), "%primary_group.%user");
  EXPECT_EQ(path("secondaryGroup", below), "root.a.%secondary_group");
  EXPECT_EQ(path("secondaryGroupUser", below), "root.a.%secondary_group.%user");
  EXPECT_EQ(path("applicationName", below), "root.a.%application");
  EXPECT_EQ(path("specified", below), "%specified") << "the parent means nothing";
  EXPECT_EQ(path("defaultQueue", below), "%default");
  EXPECT_EQ(path("custom", ", 'customPlacement': 'root.x.%user'"), "root.x.%user");
}

TEST(JsonMappingRules, RejectOrSetTheDefaultQueue) {
  EXPECT_EQ(rule_of(for_everybody + std::string("'policy': 'reject'")).action, RuleAction::reject);
  const MappingRule set =
      rule_of(for_everybody + std::string("'policy': 'setDefaultQueue', 'value': 'q'"));
  EXPECT_EQ(set.action, RuleAction::set_default);
  EXPECT_EQ(set.queue, "q");
}

TEST(JsonMappingRules, SkipUnlessTheyStateAnotherFallback) {
  const auto fallback = [](const std::string& more) {
    return rule_of(for_everybody + ("'policy': 'user', 'create': false" + more)).fallback;
  };
  EXPECT_EQ(fallback(""), RuleFallback::skip);
  EXPECT_EQ(fallback(", 'fallbackResult': null"), RuleFallback::skip);
  EXPECT_EQ(fallback(", 'fallbackResult': 'skip'"), RuleFallback::skip);
  EXPECT_EQ(fallback(", 'fallbackResult': 'reject'"), RuleFallback::reject);
  EXPECT_EQ(fallback(", 'fallbackResult': 'placeDefault'"), RuleFallback::place_in_default);
}

TEST(JsonMappingRules, AreNumberedInMessages) {
  const auto rules = parse_json_mapping_rules(
      R"({"rules": [{"type": "user", "matches": "a", "policy": "reject"},
                    {"type": "user", "matches": "b", "policy": "reject"}]})",
      "rules.json");
  EXPECT_EQ(rules->back().where, "rules.json, rule 2");
  EXPECT_TRUE(parse_json_mapping_rules("{}", "rules.json")->empty());
  EXPECT_TRUE(parse_json_mapping_rules("{\"rules\": []}", "rules.json")->empty());
}

TEST(JsonMappingRules, NameWhatIsWrong) {
  const auto wrong = [](const std::string& keys) { return json_fault_of(with_keys(keys)); };
  const std::string all = for_everybody;
  const std::string rule = "rules.json, rule 1, ";
  EXPECT_EQ(wrong("'matches': '*', 'policy': 'user'"),
            rule + "type: expected user, group or application, got none");
  EXPECT_EQ(wrong("'type': 'all', 'matches': '*', 'policy': 'user'"),
            rule + "type: expected user, group or application, got \"all\"");
  EXPECT_EQ(wrong("'type': 'user', 'policy': 'user'"), rule + "matches: expected a name, got none");
  EXPECT_EQ(wrong("'type': 'user', 'matches': '', 'policy': 'user'"),
            rule + "matches: expected a name, got \"\"");
  EXPECT_EQ(wrong("'type': 'user', 'matches': 7, 'policy': 'user'"),
            rule + "matches: expected a text, got 7");
  EXPECT_EQ(wrong("'type': 'group', 'matches': '*', 'policy': 'user'"),
            rule + "matches: expected the name of a group, got \"*\"");
  EXPECT_THAT(wrong("'type': 'user', 'matches': '*'"), StartsWith(rule + "policy: expected "));
  EXPECT_THAT(wrong(all + "'policy': 'User'"), HasSubstr("or custom, got \"User\""));
  EXPECT_EQ(wrong(all + "'policy': 'custom'"),
            rule + "customPlacement: expected a queue, got none");
  EXPECT_EQ(wrong(all + "'policy': 'setDefaultQueue'"),
            rule + "value: expected the queue to set, got none");
  EXPECT_EQ(wrong(all + "'policy': 'user', 'create': 'yes'"),
            rule + "create: expected true or false, got \"yes\"");
  EXPECT_EQ(wrong(all + "'policy': 'user', 'fallbackResult': 'default'"),
            rule + "fallbackResult: expected skip, placeDefault or reject, got \"default\"");
  EXPECT_THAT(wrong(all + "'policy': 'user', 'fallback': 'skip'"),
              StartsWith(rule + "fallback: expected one of the keys type, "));
  EXPECT_EQ(wrong(all + "'policy': 'user', 'policy': 'reject'"),
            "rules.json, expected each key of an object once, got \"policy\" again");
}

TEST(JsonMappingRules, NameTheLineOfWhatIsNoJson) {
  EXPECT_THAT(json_fault_of("{\"rules\":\n [\n}"), StartsWith("rules.json, line 3: expected JSON"));
  EXPECT_THAT(json_fault_of(""), StartsWith("rules.json, line 1: expected JSON"));
  EXPECT_THAT(json_fault_of("{} x"), StartsWith("rules.json, line 1: expected JSON"));
  EXPECT_EQ(json_fault_of("[]"), "rules.json: expected an object with rules, got []");
  EXPECT_EQ(json_fault_of("{\"rules\": {}}"), "rules.json, rules: expected a list, got {}");
  EXPECT_EQ(json_fault_of("{\"rules\": [3]}"), "rules.json, rule 1: expected an object, got 3");
  EXPECT_EQ(json_fault_of("{\"rule\": []}"), "rules.json, rule: expected the one key rules");
  EXPECT_THAT(json_fault_of(std::string(1 << 20, '[')),
              StartsWith("rules.json, line 1: expected JSON"));
}

}  // namespace
}  // namespace tracebed
