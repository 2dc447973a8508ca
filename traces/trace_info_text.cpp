#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "system/plain_text.h"
#include "traces/trace_info.h"

namespace tracebed {
namespace {

// Four significant digits, with k, M, G, T or P for powers of a thousand; whole numbers below a
// hundred thousand as they are.
std::string figure(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e5) return fmt::format("{:.0f}", value);
  constexpr std::array<std::string_view, 6> prefixes{"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  // 999.95 is where four digits would round up to 1000.
  while (std::abs(value) >= 999.95 && prefix + 1 < prefixes.size()) {
    value /= 1000;
    ++prefix;
  }
  const int digits = std::abs(value) >= 100 ? 1 : std::abs(value) >= 10 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", value, digits);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text.append(prefixes[prefix]);
}

// The same within a sentence: large ones as whole numbers.
std::string figure_in_text(double value) {
  return std::abs(value) < 1000 ? figure(value) : fmt::format("{:.0f}", value);
}

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// "1 d 02:30:00", "23:59:15".
std::string day_time(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  std::string text =
      fmt::format("{:02}:{:02}:{:02}", whole / 3600 % 24, whole / 60 % 60, whole % 60);
  return whole < 86400 ? text : fmt::format("{} d {}", whole / 86400, text);
}

// Of a span of whole minutes: "10 min", "6 h", "30 d".
std::string span_text(std::int64_t seconds) {
  if (seconds % 86400 == 0) return fmt::format("{} d", seconds / 86400);
  if (seconds % 3600 == 0) return fmt::format("{} h", seconds / 3600);
  return fmt::format("{} min", seconds / 60);
}

std::string table_of(const std::vector<DistributionSummary>& summaries) {
  constexpr std::string_view head_form = "  {:<25}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n";
  std::string text =
      fmt::format(head_form, "", "count", "min", "p1", "p25", "p50", "p75", "p90", "p99", "max");
  for (const DistributionSummary& each : summaries) {
    const std::string unit = each.unit.empty() ? "" : ", " + each.unit;
    text += fmt::format("  {:<25}{:>9}{:>8}", each.name + unit, each.count, figure(each.minimum));
    for (const double value : each.percentiles) text += fmt::format("{:>8}", figure(value));
    text += fmt::format("{:>8}\n", figure(each.maximum));
  }
  const bool exact = std::all_of(summaries.begin(), summaries.end(),
                                 [](const auto& summary) { return summary.exact; });
  return exact ? text : text + "  (percentiles are within 0.5 %; exact with --exact)\n";
}

std::string counts_of(std::string_view title, const std::vector<TraceCount>& counts) {
  std::string text;
  for (const TraceCount& each : counts) {
    if (each.count > 0) text += fmt::format("  {:<50}{:>12}\n", plain_line(each.name), each.count);
  }
  return text.empty() ? text : fmt::format("{}\n{}", title, text);
}

// "ignored: 3 fields that have values: think time (112 rows), …", broken to lines.
std::string ignored_of(const std::vector<TraceCount>& ignored) {
  if (ignored.empty()) return {};
  constexpr std::size_t columns_most = 98;
  std::string text = fmt::format(
      "Ignored: {} that {} values (what becomes of each field: tracebed trace formats)\n",
      counted(ignored.size(), "field"), ignored.size() == 1 ? "has" : "have");
  std::string line = " ";
  for (std::size_t i = 0; i < ignored.size(); ++i) {
    const std::string word = fmt::format(" {} ({}){}", plain_line(ignored[i].name),
                                         ignored[i].count, i + 1 < ignored.size() ? "," : "");
    if (line.size() > 1 && line.size() + word.size() > columns_most) {
      text += line + "\n";
      line = " ";
    }
    line += word;
  }
  return text + line + "\n";
}

std::string load_chart(LoadOverTime load) {
  constexpr std::size_t lines_max = 31;
  constexpr double bar_width = 40;
  load.widen_to(lines_max);
  const double seconds = static_cast<double>(load.span_microseconds()) / 1e6;
  double most = 0;
  for (const auto& span : load.spans()) most = std::max(most, span.vcore_seconds);
  if (most <= 0 || load.spans().size() < 2) return {};
  std::string text = fmt::format(
      "Work submitted in every {}, as the mean of vcores it would keep busy for so long\n",
      span_text(load.span_microseconds() / 1'000'000));
  for (std::size_t i = 0; i < load.spans().size(); ++i) {
    const LoadOverTime::Span& span = load.spans()[i];
    const auto width = static_cast<std::size_t>(std::lround(bar_width * span.vcore_seconds / most));
    const std::string line = fmt::format(
        "  {:>14}{:>13}{:>8} vcores  {}", day_time(static_cast<double>(i) * seconds),
        counted(span.jobs, "job"), figure(span.vcore_seconds / seconds), std::string(width, '#'));
    text.append(line, 0, line.find_last_not_of(' ') + 1).append("\n");
  }
  return text;
}

nlohmann::json to_json(const DistributionSummary& summary) {
  nlohmann::json json = {{"name", summary.name},   {"unit", summary.unit},
                         {"count", summary.count}, {"min", summary.minimum},
                         {"max", summary.maximum}, {"mean", summary.mean},
                         {"sum", summary.sum},     {"exact", summary.exact}};
  for (const unsigned percent : DistributionSummary::percents) {
    json[fmt::format("p{}", percent)] = summary.percentile(percent);
  }
  return json;
}

nlohmann::json to_json(const std::vector<TraceCount>& counts) {
  nlohmann::json json = nlohmann::json::object();
  for (const TraceCount& each : counts) json[each.name] = each.count;
  return json;
}

nlohmann::json to_json(const std::vector<DistributionSummary>& summaries) {
  nlohmann::json json = nlohmann::json::array();
  for (const DistributionSummary& each : summaries) json.push_back(to_json(each));
  return json;
}

}  // namespace

std::string to_text(const TraceInfo& info) {
  std::string text =
      fmt::format("{}\n  format {} ({})\n  compression {}, {} bytes of text\n", info.path,
                  info.format, info.format_reason, info.compression, info.text_bytes);
  text +=
      fmt::format("  {}, submitted from {} s to {} s of the file's clock\n",
                  counted(info.rows, "row"), info.first_submit_seconds, info.last_submit_seconds);
  text += fmt::format("  {}, {}, submitted over {}\n", counted(info.jobs, "job"),
                      counted(info.tasks, "task"), day_time(info.span_seconds));
  text += fmt::format("  {} vcore-hours of work", figure_in_text(info.vcore_seconds / 3600));
  if (info.span_seconds > 0) {
    text +=
        fmt::format(", which keep {} vcores busy on average", figure_in_text(info.offered_vcores));
  }
  text += '\n';
  if (info.load) {
    text += fmt::format("  load {:.3f} of the {} vcores that the trace was recorded on\n",
                        *info.load, figure_in_text(*info.recorded_vcores));
  }
  for (const BadRowSummary& bad : info.bad_rows) {
    text += fmt::format("  {} skipped: {}; the first: {}\n", counted(bad.rows, "bad row"),
                        bad.reason, bad.first);
  }
  for (const RuleEffect& effect : info.rule_effects) {
    text += fmt::format("  with {} = {} it would be {} vcore-hours, {:.2f} times as much\n",
                        effect.rule, effect.without, figure_in_text(effect.vcore_seconds / 3600),
                        info.vcore_seconds > 0 ? effect.vcore_seconds / info.vcore_seconds : 0);
  }
  text += "Span of jobs, recorded and replayed on an unlimited, ideal cluster\n" +
          to_text(info.spans, info.span_text);
  text += "Columns\n" + table_of(info.columns);
  text += "Jobs, as the rules make them\n" + table_of(info.job_sizes);
  text += "Their tasks, every one counted\n" + table_of(info.task_sizes);
  text += counts_of("Rows with", info.counts);
  text += counts_of("Different values", info.distinct);
  text += counts_of("Rows left out, by rule", info.left_out);
  text += counts_of("Tolerated", info.notes);
  text += ignored_of(info.ignored);
  text += load_chart(info.load_over_time);
  text += "Rules in force (what they mean: tracebed trace rules)\n";
  for (const auto& [name, value] : info.rules) text += fmt::format("  {:<28}{}\n", name, value);
  return text;
}

nlohmann::json to_json(const TraceInfo& info) {
  nlohmann::json json = {
      {"path", info.path},
      {"format", {{"name", info.format}, {"reason", info.format_reason}}},
      {"compression", info.compression},
      {"text_bytes", info.text_bytes},
      {"rows", info.rows},
      {"submit_seconds",
       {{"first", info.first_submit_seconds}, {"last", info.last_submit_seconds}}},
      {"columns", to_json(info.columns)},
      {"counts", to_json(info.counts)},
      {"different", to_json(info.distinct)},
      {"left_out", to_json(info.left_out)},
      {"tolerated", to_json(info.notes)},
      {"ignored", to_json(info.ignored)},
      {"jobs", info.jobs},
      {"tasks", info.tasks},
      {"span_seconds", info.span_seconds},
      {"vcore_seconds", info.vcore_seconds},
      {"offered_vcores", info.offered_vcores},
      {"job_sizes", to_json(info.job_sizes)},
      {"task_sizes", to_json(info.task_sizes)},
  };
  if (info.spans) json["spans"] = to_json(*info.spans);
  json["rule_effects"] = nlohmann::json::array();
  for (const RuleEffect& effect : info.rule_effects) {
    json["rule_effects"].push_back({{"rule", effect.rule},
                                    {"without", effect.without},
                                    {"vcore_seconds", effect.vcore_seconds}});
  }
  if (info.load) json["load"] = *info.load;
  if (info.recorded_vcores) json["recorded_vcores"] = *info.recorded_vcores;
  json["bad_rows"] = nlohmann::json::array();
  for (const BadRowSummary& bad : info.bad_rows) {
    json["bad_rows"].push_back({{"reason", bad.reason}, {"rows", bad.rows}, {"first", bad.first}});
  }
  nlohmann::json spans = nlohmann::json::array();
  const double span_seconds = static_cast<double>(info.load_over_time.span_microseconds()) / 1e6;
  for (const auto& span : info.load_over_time.spans()) {
    spans.push_back({{"jobs", span.jobs}, {"vcores", span.vcore_seconds / span_seconds}});
  }
  json["load_over_time"] = {{"span_seconds", span_seconds}, {"spans", spans}};
  json["rules"] = nlohmann::json::object();
  for (const auto& [name, value] : info.rules) json["rules"][name] = value;
  return json;
}

std::string rules_to_text(const TraceRules& rules) {
  std::string text;
  for (const TraceRule& rule : trace_rules()) {
    text += fmt::format("{} = {}\n    {}\n    values: {}\n    default from: {}\n", rule.name,
                        rule.get(rules), rule.meaning, rule.values, rule.source);
  }
  return text;
}

nlohmann::json rules_to_json(const TraceRules& rules) {
  nlohmann::json json = nlohmann::json::array();
  for (const TraceRule& rule : trace_rules()) {
    json.push_back({{"name", rule.name},
                    {"value", rule.get(rules)},
                    {"default", rule.get(TraceRules())},
                    {"meaning", rule.meaning},
                    {"values", rule.values},
                    {"source", rule.source}});
  }
  return json;
}

}  // namespace tracebed
