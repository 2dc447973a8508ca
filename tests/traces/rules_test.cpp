#include "traces/parts/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace tracebed {
namespace {

std::string rule_error_of(std::string_view name, std::string_view value) {
  TraceRules rules;
  const Status status = set_rule(rules, name, value);
  return status ? "no error" : status.error().message;
}

TEST(TraceRules, AreSetByName) {
  TraceRules rules;
  ASSERT_TRUE(set_rule(rules, "swim.block_mib", "64"));
  ASSERT_TRUE(set_rule(rules, "swim.map_startup", "1.5"));
  ASSERT_TRUE(set_rule(rules, "swim.map_vcores", "0.5"));
  ASSERT_TRUE(set_rule(rules, "swim.queues", "batch,ad-hoc"));
  ASSERT_TRUE(set_rule(rules, "swf.unknown_run_time", "requested"));
  ASSERT_TRUE(set_rule(rules, "swf.limit_factor", "2.5"));
  EXPECT_EQ(rules.map_reduce.block_mib, 64);
  EXPECT_EQ(rules.map_reduce.map_startup, milliseconds(1500));
  EXPECT_EQ(rules.map_reduce.map_millicores, 500);
  EXPECT_EQ(rules.map_reduce.queues, "batch,ad-hoc");
  EXPECT_EQ(rules.rigid.unknown_run_time, UnknownRunTime::requested);
  EXPECT_EQ(rules.rigid.limit_factor, 2.5);
}

// What a run records must give back the same rules.
TEST(TraceRules, ReadBackWhatTheyPrint) {
  TraceRules rules;
  ASSERT_TRUE(set_rule(rules, "swim.map_rate", "0.7"));
  ASSERT_TRUE(set_rule(rules, "swim.map_startup", "0.000001"));
  ASSERT_TRUE(set_rule(rules, "swf.memory", "used"));
  const auto values = rule_values(rules);
  TraceRules copy;
  for (const auto& [name, value] : values) {
    EXPECT_TRUE(set_rule(copy, name, value)) << name << " = " << value;
  }
  EXPECT_EQ(rule_values(copy), values);
}

TEST(TraceRules, HaveNamesOfTheirOwnAndSayWhereTheyComeFrom) {
  std::set<std::string> names;
  for (const TraceRule& rule : trace_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_FALSE(rule.meaning.empty()) << rule.name;
    EXPECT_FALSE(rule.source.empty()) << rule.name;
    EXPECT_FALSE(rule.values.empty()) << rule.name;
  }
}

TEST(TraceRules, OfOneFormatAreChosenByPrefix) {
  for (const auto& [name, value] : rule_values(TraceRules(), {"swf."})) {
    EXPECT_THAT(name, ::testing::StartsWith("swf."));
  }
  EXPECT_FALSE(rule_values(TraceRules(), {"swf."}).empty());
}

TEST(TraceRules, SayWhatTheyMayBeSetTo) {
  EXPECT_EQ(rule_error_of("swim.block_mib", "0"),
            "rule swim.block_mib: expected a whole number from 1 to 1048576, got '0'");
  EXPECT_EQ(rule_error_of("swim.block_mib", "64.5"),
            "rule swim.block_mib: expected a whole number from 1 to 1048576, got '64.5'");
  EXPECT_EQ(rule_error_of("swim.cpu_share", "1.01"),
            "rule swim.cpu_share: expected a number from 0 to 1, got '1.01'");
  EXPECT_EQ(rule_error_of("swim.map_vcores", "0.0005"),
            "rule swim.map_vcores: expected a number from 0.001 to 1000 in steps of 0.001, got "
            "'0.0005'");
  EXPECT_EQ(rule_error_of("swf.memory", "both"),
            "rule swf.memory: expected requested | used, got 'both'");
  EXPECT_EQ(rule_error_of("swim.queues", "a,,b"),
            "rule swim.queues: expected queue names separated by commas, got 'a,,b'");
  EXPECT_THAT(rule_error_of("swim.blocks", "1"),
              ::testing::StartsWith(
                  "rule 'swim.blocks': there is no such rule; the rules are trace.origin, "));
}

}  // namespace
}  // namespace tracebed
