#include "traces/parts/rules.h"

#include <algorithm>
#include <fmt/format.h>

#include "traces/parts/rule_table.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {
namespace rule_text {
namespace {

Error wrong(const RuleText& text, std::string_view expected, std::string_view got) {
  return Error{fmt::format("rule {}: expected {}, got '{}'", text.name, expected, got)};
}

}  // namespace

std::string of(double value) {
  return fmt::format("{}", value);
}

Result<std::int64_t> whole(const RuleText& text, std::string_view value, std::int64_t low,
                           std::int64_t high) {
  const Whole read = read_whole(value);
  if (read.fault != NumberFault::none || read.value < low || read.value > high) {
    return wrong(text, fmt::format("a whole number from {} to {}", low, high), value);
  }
  return read.value;
}

Result<double> number(const RuleText& text, std::string_view value, double low, double high) {
  const Decimal read = read_decimal(value);
  const double number = static_cast<double>(read.millionths) / millionths_per_one;
  if (read.fault != NumberFault::none || number < low || number > high) {
    return wrong(text, fmt::format("a number from {} to {}", low, high), value);
  }
  return number;
}

Result<std::int64_t> scaled(const RuleText& text, std::string_view value, std::int64_t per_one,
                            std::int64_t low, std::int64_t high) {
  const Decimal read = read_decimal(value);
  const std::int64_t millionths_per_unit = millionths_per_one / per_one;
  const std::int64_t units = read.millionths / millionths_per_unit;
  if (read.fault != NumberFault::none || read.millionths % millionths_per_unit != 0 ||
      units < low || units > high) {
    return wrong(
        text,
        fmt::format("a number from {} to {} in steps of {}",
                    decimal_text(low * millionths_per_unit),
                    decimal_text(high * millionths_per_unit), decimal_text(millionths_per_unit)),
        value);
  }
  return units;
}

Result<std::size_t> choice(const RuleText& text, std::string_view value,
                           const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) return wrong(text, joined(names), value);
  return static_cast<std::size_t>(found - names.begin());
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, " | "));
}

}  // namespace rule_text

namespace {

std::vector<TraceRule> common_rules() {
  const auto common = &TraceRules::common;
  return {
      choice_rule({"trace.origin",
                   "time zero of the run: the submission of the first job, or that of the file",
                   "many logs begin long after their own zero (KTH-SP2 after 599,850 s)"},
                  common, &CommonRules::origin, {"first_job", "file"}),
      choice_rule({"trace.order",
                   "rows of SWIM, SWF and Google's tables: by time, so that one before the row "
                   "above is a bad row, or in any order, and brought into it in bounded memory "
                   "before the first job; other formats always are",
                   "these formats say that they are sorted, and reading on is faster"},
                  common, &CommonRules::order, {"submit", "any"}),
      whole_rule({"trace.tasks_max", "a job with more tasks in one stage is a bad row",
                  "a bound on what one row can make; the largest FB-2009 job has 56,262 maps"},
                 common, &CommonRules::tasks_max, 1, 4'000'000'000),
      whole_rule({"trace.line_bytes_max", "a line with more bytes is a bad row, and is not stored",
                  "a bound on memory; the longest line of Yahoo's trace for Hawk has 45,186"},
                 common, &CommonRules::line_bytes_max, 1, 1 << 30),
      whole_rule({"trace.document_bytes_max",
                  "a JSON document with more bytes is a bad row, and is not stored",
                  "a bound on memory, which takes about three times that of the largest document"},
                 common, &CommonRules::document_bytes_max, 1, 4'000'000'000),
      number_rule({"trace.deadline_factor",
                   "deadline of a job for which the trace states none, from its submission: so "
                   "many times what it takes with unlimited machines; 0: it has none",
                   "0: what a trace does not say is no goal of its users"},
                  common, &CommonRules::deadline_factor, 0, 1e6),
  };
}

}  // namespace

std::vector<TraceRule> trace_rules() {
  std::vector<TraceRule> rules = common_rules();
  for (auto part : {map_reduce_rules(), rigid_rules(), production_rules(), kind_rules()}) {
    std::move(part.begin(), part.end(), std::back_inserter(rules));
  }
  return rules;
}

Status set_rule(TraceRules& rules, std::string_view name, std::string_view value) {
  const std::vector<TraceRule> table = trace_rules();
  for (const TraceRule& rule : table) {
    if (rule.name == name) return rule.set(rules, value);
  }
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const TraceRule& rule : table) names.push_back(rule.name);
  return Error{fmt::format("rule '{}': there is no such rule; the rules are {}", name,
                           fmt::join(names, ", "))};
}

std::vector<std::pair<std::string, std::string>> rule_values(
    const TraceRules& rules, const std::vector<std::string_view>& prefixes) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const TraceRule& rule : trace_rules()) {
    const bool wanted =
        prefixes.empty() || std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) {
          return std::string_view(rule.name).starts_with(prefix);
        });
    if (wanted) values.emplace_back(rule.name, rule.get(rules));
  }
  return values;
}

}  // namespace tracebed
