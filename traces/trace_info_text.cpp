#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "traces/trace_info.h"

namespace tracebed {
namespace {

// Three significant digits beyond six, no exponent for what people read at a glance.
std::string figure(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e7) return fmt::format("{:.0f}", value);
  if (std::abs(value) >= 1e7) return fmt::format("{:.3e}", value);
  return fmt::format("{:.{}f}", value, std::abs(value) >= 100 ? 1 : 3);
}

std::string day_time(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  return fmt::format("{} d {:02}:{:02}:{:02}", whole / 86400, whole / 3600 % 24, whole / 60 % 60,
                     whole % 60);
}

std::string table_of(const std::vector<DistributionSummary>& summaries) {
  std::string text =
      fmt::format("  {:<34}{:>10}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}\n", "", "count",
                  "min", "p1", "p25", "p50", "p75", "p90", "p99", "max");
  for (const DistributionSummary& each : summaries) {
    text += fmt::format("  {:<34}{:>10}{:>11}", fmt::format("{}, {}", each.name, each.unit),
                        each.count, figure(each.minimum));
    for (const double value : each.at) text += fmt::format("{:>11}", figure(value));
    text += fmt::format("{:>11}\n", figure(each.maximum));
  }
  const bool exact = std::all_of(summaries.begin(), summaries.end(),
                                 [](const auto& summary) { return summary.exact; });
  return exact ? text : text + "  (percentiles within 0.5 %; --exact for exact ones)\n";
}

std::string counts_of(std::string_view title, const std::vector<NamedCount>& counts,
                      bool with_zero) {
  std::string text;
  for (const NamedCount& each : counts) {
    if (each.count == 0 && !with_zero) continue;
    text += fmt::format("  {:<50}{:>12}\n", each.name, each.count);
  }
  return text.empty() ? text : fmt::format("{}\n{}", title, text);
}

std::string load_chart(const TraceInfo& info) {
  const double most =
      std::accumulate(info.load_over_time.begin(), info.load_over_time.end(), 0.0,
                      [](double a, const auto& span) { return std::max(a, span.vcore_seconds); });
  if (most <= 0 || info.load_over_time.size() < 2) return {};
  // At most 24 lines: neighbours are joined.
  const std::size_t joined = (info.load_over_time.size() + 23) / 24;
  std::string text = fmt::format("Submitted over time (spans of {})\n",
                                 day_time(info.load_span_seconds * static_cast<double>(joined)));
  struct Line {
    std::uint64_t jobs = 0;
    double vcores = 0;
  };
  std::vector<Line> lines((info.load_over_time.size() + joined - 1) / joined);
  for (std::size_t i = 0; i < info.load_over_time.size(); ++i) {
    lines[i / joined].jobs += info.load_over_time[i].jobs;
    lines[i / joined].vcores += info.load_over_time[i].vcore_seconds /
                                (info.load_span_seconds * static_cast<double>(joined));
  }
  const double top = std::max_element(lines.begin(), lines.end(), [](auto a, auto b) {
                       return a.vcores < b.vcores;
                     })->vcores;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto width = static_cast<std::size_t>(std::lround(40 * lines[i].vcores / top));
    text += fmt::format("  {:>16}{:>10} jobs{:>12} vcores  {}\n",
                        day_time(static_cast<double>(i * joined) * info.load_span_seconds),
                        lines[i].jobs, figure(lines[i].vcores), std::string(width, '#'));
  }
  return text;
}

nlohmann::json to_json(const DistributionSummary& summary) {
  nlohmann::json json = {{"name", summary.name},   {"unit", summary.unit},
                         {"count", summary.count}, {"min", summary.minimum},
                         {"max", summary.maximum}, {"mean", summary.mean},
                         {"sum", summary.sum},     {"exact", summary.exact}};
  for (const int percent : {1, 25, 50, 75, 90, 99}) {
    json[fmt::format("p{}", percent)] = summary.percentile(percent);
  }
  return json;
}

nlohmann::json to_json(const std::vector<NamedCount>& counts) {
  nlohmann::json json = nlohmann::json::object();
  for (const NamedCount& each : counts) json[each.name] = each.count;
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
      fmt::format("{}\n  format {} ({}), compression {}, {} bytes of text\n", info.path,
                  info.format, info.format_reason, info.compression, info.text_bytes);
  text += fmt::format("  {} rows, submitted from {} s to {} s\n", info.rows,
                      figure(info.first_submit_seconds), figure(info.last_submit_seconds));
  text += fmt::format(
      "  {} jobs, {} tasks over {} of submissions; {} vcore-hours, on average {} "
      "vcores busy\n",
      info.jobs, info.tasks, day_time(info.span_seconds),
      figure(std::round(info.vcore_seconds / 3600)), figure(info.offered_vcores));
  if (info.load) {
    text += fmt::format("  load {:.3f} of the {} vcores that the trace was recorded on\n",
                        *info.load, figure(*info.recorded_vcores));
  }
  for (const BadRowSummary& bad : info.bad_rows) {
    text +=
        fmt::format("  {} bad rows skipped: {}; the first: {}\n", bad.rows, bad.reason, bad.first);
  }
  text += "Columns\n" + table_of(info.columns);
  text += "As jobs, by the rules\n" + table_of(info.derived);
  text += counts_of("Counts", info.counts, false);
  text += counts_of("Different", info.distinct, false);
  text += counts_of("Left out by rule", info.left_out, false);
  text += counts_of("Tolerated", info.notes, false);
  text += load_chart(info);
  text += "Rules in force\n";
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
      {"jobs", info.jobs},
      {"tasks", info.tasks},
      {"span_seconds", info.span_seconds},
      {"vcore_seconds", info.vcore_seconds},
      {"offered_vcores", info.offered_vcores},
      {"derived", to_json(info.derived)},
  };
  if (info.load) json["load"] = *info.load;
  if (info.recorded_vcores) json["recorded_vcores"] = *info.recorded_vcores;
  json["bad_rows"] = nlohmann::json::array();
  for (const BadRowSummary& bad : info.bad_rows) {
    json["bad_rows"].push_back({{"reason", bad.reason}, {"rows", bad.rows}, {"first", bad.first}});
  }
  nlohmann::json spans = nlohmann::json::array();
  for (const auto& span : info.load_over_time) {
    spans.push_back({{"jobs", span.jobs}, {"vcores", span.vcore_seconds / info.load_span_seconds}});
  }
  json["load_over_time"] = {{"span_seconds", info.load_span_seconds}, {"spans", spans}};
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
