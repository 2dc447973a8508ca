// Builders of rows for the table of rules (traces/parts/rules.h). `part` reaches the struct that
// holds the field, so that each format's rules are listed in a file of their own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/parts/rules.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {

struct RuleText {
  std::string name;
  std::string meaning;
  std::string source;
};

template <class Part>
using RulePart = Part TraceRules::*;

template <class Part>
TraceRule whole_rule(const RuleText& text, RulePart<Part> part, std::int64_t Part::*field,
                     std::int64_t low, std::int64_t high);
template <class Part>
TraceRule number_rule(const RuleText& text, RulePart<Part> part, double Part::*field, double low,
                      double high);
// In seconds.
template <class Part>
TraceRule seconds_rule(const RuleText& text, RulePart<Part> part, Duration Part::*field);
// In vcores, stored in thousandths.
template <class Part>
TraceRule vcores_rule(const RuleText& text, RulePart<Part> part, std::int64_t Part::*field);
// One of `names`, in the order of the enumerators.
template <class Part, class Enum>
TraceRule choice_rule(const RuleText& text, RulePart<Part> part, Enum Part::*field,
                      const std::vector<std::string>& names);

std::vector<TraceRule> map_reduce_rules();
std::vector<TraceRule> rigid_rules();
std::vector<TraceRule> production_rules();
std::vector<TraceRule> kind_rules();

// ---- what the builders share ----

namespace rule_text {
std::string of(double value);
Result<std::int64_t> whole(const RuleText& text, std::string_view value, std::int64_t low,
                           std::int64_t high);
Result<double> number(const RuleText& text, std::string_view value, double low, double high);
// A decimal in units of 1/`per_one`, from 0 (or more than 0) to `high` units.
Result<std::int64_t> scaled(const RuleText& text, std::string_view value, std::int64_t per_one,
                            std::int64_t low, std::int64_t high);
Result<std::size_t> choice(const RuleText& text, std::string_view value,
                           const std::vector<std::string>& names);
std::string joined(const std::vector<std::string>& names);
}  // namespace rule_text

template <class Part>
TraceRule whole_rule(const RuleText& text, RulePart<Part> part, std::int64_t Part::*field,
                     std::int64_t low, std::int64_t high) {
  TraceRule rule{
      text.name,    "whole number from " + std::to_string(low) + " to " + std::to_string(high),
      text.meaning, text.source,
      {},           {}};
  rule.get = [=](const TraceRules& rules) { return std::to_string(rules.*part.*field); };
  rule.set = [=](TraceRules& rules, std::string_view value) -> Status {
    const auto read = rule_text::whole(text, value, low, high);
    if (!read) return read.error();
    rules.*part.*field = *read;
    return success();
  };
  return rule;
}

template <class Part>
TraceRule number_rule(const RuleText& text, RulePart<Part> part, double Part::*field, double low,
                      double high) {
  TraceRule rule{text.name,    "number from " + rule_text::of(low) + " to " + rule_text::of(high),
                 text.meaning, text.source,
                 {},           {}};
  rule.get = [=](const TraceRules& rules) { return rule_text::of(rules.*part.*field); };
  rule.set = [=](TraceRules& rules, std::string_view value) -> Status {
    const auto read = rule_text::number(text, value, low, high);
    if (!read) return read.error();
    rules.*part.*field = *read;
    return success();
  };
  return rule;
}

template <class Part>
TraceRule seconds_rule(const RuleText& text, RulePart<Part> part, Duration Part::*field) {
  constexpr std::int64_t day = 86'400'000'000;
  TraceRule rule{text.name, "seconds from 0 to 86400", text.meaning, text.source, {}, {}};
  rule.get = [=](const TraceRules& rules) { return decimal_text((rules.*part.*field).count()); };
  rule.set = [=](TraceRules& rules, std::string_view value) -> Status {
    const auto read = rule_text::scaled(text, value, 1'000'000, 0, day);
    if (!read) return read.error();
    rules.*part.*field = microseconds(*read);
    return success();
  };
  return rule;
}

template <class Part>
TraceRule vcores_rule(const RuleText& text, RulePart<Part> part, std::int64_t Part::*field) {
  TraceRule rule{text.name, "vcores from 0.001 to 1000", text.meaning, text.source, {}, {}};
  rule.get = [=](const TraceRules& rules) { return decimal_text(rules.*part.*field * 1000); };
  rule.set = [=](TraceRules& rules, std::string_view value) -> Status {
    const auto read = rule_text::scaled(text, value, 1000, 1, 1'000'000);
    if (!read) return read.error();
    rules.*part.*field = *read;
    return success();
  };
  return rule;
}

template <class Part, class Enum>
TraceRule choice_rule(const RuleText& text, RulePart<Part> part, Enum Part::*field,
                      const std::vector<std::string>& names) {
  TraceRule rule{text.name, rule_text::joined(names), text.meaning, text.source, {}, {}};
  rule.get = [=](const TraceRules& rules) {
    return names[static_cast<std::size_t>(rules.*part.*field)];
  };
  rule.set = [=](TraceRules& rules, std::string_view value) -> Status {
    const auto read = rule_text::choice(text, value, names);
    if (!read) return read.error();
    rules.*part.*field = static_cast<Enum>(*read);
    return success();
  };
  return rule;
}

}  // namespace tracebed
