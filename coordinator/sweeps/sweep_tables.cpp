#include "coordinator/sweeps/sweep_tables.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "coordinator/sweeps/sweep_json.h"
#include "report/text_table.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

using PointValues = std::vector<std::optional<std::size_t>>;

std::string value_cell(const SweptKey& key, const std::optional<std::size_t>& value) {
  return value ? shown_value(key.values[*value]) : "-";
}

std::string seconds_text(double seconds) {
  return clock_text(Duration(static_cast<std::int64_t>(std::ceil(seconds)) * 1'000'000));
}

std::string approximate_bytes(double bytes) {
  constexpr double kilo = 1000;
  constexpr std::array<const char*, 5> units{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= kilo && unit + 1 < units.size()) {
    bytes /= kilo;
    ++unit;
  }
  return fmt::format("{} {}", readable(bytes), units[unit]);
}

std::string estimate_text(const SweepEstimate& estimate, std::uint32_t parallel) {
  if (estimate.left == 0) return "all points have finished\n";
  if (estimate.finished == 0) {
    return fmt::format(
        "time and disk: unknown, as none of the {} points has finished in the folder\n",
        estimate.left);
  }
  const auto finished = static_cast<double>(estimate.finished);
  const auto left = static_cast<double>(estimate.left);
  const double seconds = estimate.seconds_of_finished / finished;
  const double bytes = static_cast<double>(estimate.bytes_of_finished) / finished;
  return fmt::format(
      "the {} points left: about {} with {} at a time, and {} of disk, if they are like the {} "
      "that "
      "have finished ({} s and {} each)\n",
      estimate.left, seconds_text(seconds * std::ceil(left / parallel)), parallel,
      approximate_bytes(bytes * left), estimate.finished, readable(seconds),
      approximate_bytes(bytes));
}

std::string mean_text(const std::optional<MeanOfRuns>& mean) {
  return mean ? readable(mean->mean) : "-";
}
std::string interval_text(const std::optional<ConfidenceInterval>& interval) {
  return interval ? fmt::format("{}..{}", readable(interval->low), readable(interval->high)) : "-";
}

std::string signed_text(double value) {
  return (value < 0 ? "-" : "+") + readable(std::abs(value));
}
std::string signed_interval(const std::optional<ConfidenceInterval>& interval) {
  return interval ? fmt::format("{}..{}", signed_text(interval->low), signed_text(interval->high))
                  : "-";
}

// Keys as columns; `seed` only makes repetitions.
std::vector<std::size_t> column_keys(const SweepResults& results) {
  std::vector<std::size_t> keys;
  for (std::size_t k = 0; k < results.plan.keys.size(); ++k) {
    const std::string& key = results.plan.keys[k].key;
    if (key != seed_key && key != scheduler_choice_key) keys.push_back(k);
  }
  return keys;
}

std::string setting_text(const SweepResults& results, std::size_t index) {
  const SweepSetting& setting = results.settings[index];
  std::string text = results.has_schedulers() ? setting.scheduler : "";
  for (const std::size_t k : column_keys(results)) {
    if (!setting.values[k]) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", results.plan.keys[k].key,
                        value_cell(results.plan.keys[k], setting.values[k]));
  }
  return text.empty() ? setting.scheduler : text;
}

std::string settings_table(const SweepResults& results) {
  std::vector<std::string> header{"points"};
  for (const std::size_t k : column_keys(results)) header.push_back(results.plan.keys[k].key);
  if (results.has_schedulers()) header.emplace_back("scheduler");
  header.insert(header.end(), {"runs", title_of(results.figure), "95 % interval", "incomplete"});
  TextTable table(header, /*text_last=*/true);
  for (const SweepSetting& setting : results.settings) {
    const std::uint32_t first = setting.points.front();
    const std::uint32_t last = setting.points.back();
    std::vector<std::string> cells{first == last ? fmt::format("{}", first)
                                                 : fmt::format("{}..{}", first, last)};
    for (const std::size_t k : column_keys(results)) {
      cells.push_back(value_cell(results.plan.keys[k], setting.values[k]));
    }
    if (results.has_schedulers()) cells.push_back(setting.scheduler);
    const std::optional<MeanOfRuns> mean = mean_of(setting.figures());
    cells.push_back(fmt::format("{}", setting.runs.size()));
    cells.push_back(mean_text(mean));
    cells.push_back(interval_text(mean ? mean->interval : std::nullopt));
    cells.push_back(setting.incomplete());
    table.add_row(cells);
  }
  return table.to_string();
}

std::string response_table(const SweepResults& results, const Response& response) {
  const SweptKey& key = results.plan.keys[response.key];
  TextTable table({key.key, "settings", "mean " + title_of(results.figure), "95 % interval",
                   "best setting with it"},
                  /*text_last=*/true);
  for (const ResponseRow& row : response.rows) {
    table.add_row({shown_value(key.values[row.value]), fmt::format("{}", row.response.settings),
                   mean_text(row.response.mean),
                   interval_text(row.response.mean ? row.response.mean->interval : std::nullopt),
                   row.response.best ? setting_text(results, *row.response.best) : "-"});
  }
  const std::string of =
      results.has_schedulers() ? fmt::format(" under {}", response.scheduler) : "";
  return fmt::format("\nresponse to {}{}, over all values of the other keys\n{}", key.key, of,
                     table.to_string());
}

std::string best_text(const SweepResults& results, const BestSetting& best) {
  std::string text = fmt::format(
      "\nbest: {}: {} {}{}\n", setting_text(results, best.setting), title_of(results.figure),
      readable(best.mean.mean),
      best.mean.interval ? fmt::format(" (95 % interval {})", interval_text(best.mean.interval))
                         : "");
  if (!best.neighbours.empty()) {
    TextTable table({"neighbour", "value", "difference", "95 % interval", "verdict"},
                    /*text_last=*/true);
    for (const SettingNeighbour& neighbour : best.neighbours) {
      const SweptKey& key = results.plan.keys[neighbour.key];
      const SweepSetting& setting = results.settings[neighbour.difference.setting];
      table.add_row({key.key, value_cell(key, setting.values[neighbour.key]),
                     signed_text(neighbour.difference.difference),
                     signed_interval(neighbour.difference.interval),
                     std::string(name(neighbour.difference.verdict))});
    }
    text += table.to_string();
  }
  std::size_t close = 0;
  for (const SettingDifference& other : best.others) {
    const bool is_worse =
        other.verdict == BesideBest::worse || other.verdict == BesideBest::exactly_worse;
    if (is_worse) continue;
    if (close++ == 0) text += "not worse by more than repetitions differ:\n";
    text += fmt::format("  {}: {} ({})\n", setting_text(results, other.setting),
                        readable(other.mean), name(other.verdict));
  }
  if (close == 0 && !best.others.empty()) {
    text += fmt::format("all {} others are worse by more than repetitions differ\n",
                        best.others.size());
  }
  if (best.incomplete > 0) {
    text += fmt::format("{} settings are not compared, as not all of their runs have the figure\n",
                        best.incomplete);
  }
  return text;
}

// A field of a CSV row; quotes where RFC 4180 needs them.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

SweepEstimate estimate(const SweepPlan& plan, const SweepFolder& folder) {
  SweepEstimate result;
  for (const SweepPoint& point : plan.points) {
    const std::optional<FinishedPoint> finished = folder.finished(point.digest);
    if (!finished) {
      ++result.left;
      continue;
    }
    ++result.finished;
    result.seconds_of_finished += finished->seconds;
    result.bytes_of_finished += finished->bytes;
  }
  return result;
}

std::string plan_text(const SweepPlan& plan, const std::optional<SweepEstimate>& estimate,
                      std::uint32_t parallel) {
  std::vector<std::string> header{"point"};
  for (const SweptKey& key : plan.keys) header.push_back(key.key);
  TextTable table(header);
  for (const SweepPoint& point : plan.points) {
    std::vector<std::string> cells{fmt::format("{}", point.number)};
    for (std::size_t k = 0; k < plan.keys.size(); ++k) {
      cells.push_back(value_cell(plan.keys[k], point.values[k]));
    }
    table.add_row(cells);
  }
  std::string text =
      fmt::format("{}: {} points\n{}", plan.name, plan.points.size(), table.to_string());
  text += estimate
              ? estimate_text(*estimate, parallel)
              : "time and disk: unknown; --output FOLDER estimates them by the points that have "
                "finished there\n";
  return text;
}

std::string plan_json(const SweepPlan& plan, const std::optional<SweepEstimate>& estimate) {
  Json json{{"experiment", plan.name}, {"digest", plan.digest}, {"points", Json::array()}};
  for (const SweepPoint& point : plan.points) {
    json["points"].push_back({{"number", point.number},
                              {"values", values_json(plan.keys, point.values)},
                              {"digest", point.digest}});
  }
  if (estimate) {
    json["finished"] = {{"points", estimate->finished},
                        {"seconds", estimate->seconds_of_finished},
                        {"bytes", estimate->bytes_of_finished}};
  }
  return json.dump(2) + "\n";
}

std::string results_text(const SweepResults& results) {
  std::string text = fmt::format("{}: {} of {} points have finished\n", results.plan.name,
                                 results.points_finished, results.plan.points.size());
  for (const auto& [number, why] : results.missing) {
    const auto& point = results.plan.points[number - 1];
    text += fmt::format("  point {} ({}): {}\n", number,
                        values_text(results.plan.keys, point.values), why);
  }
  if (results.settings.empty()) return text;
  text += fmt::format("{}, {} is better; means over runs, with 95 % intervals by Student's t\n{}",
                      title_of(results.figure), results.figure.lower_is_better ? "less" : "more",
                      settings_table(results));
  for (const Response& response : responses(results)) text += response_table(results, response);
  if (const std::optional<BestSetting> best = best_setting(results)) {
    text += best_text(results, *best);
  }
  return text;
}

std::string results_json(const SweepResults& results) {
  return results_object(results).dump(2) + "\n";
}

std::string results_csv(const SweepResults& results) {
  std::string text = "points,scheduler";
  for (const std::size_t k : column_keys(results)) {
    text += "," + csv_field(results.plan.keys[k].key);
  }
  text += ",seed,outcome,digest," + results.figure.key + "\n";
  for (const SweepSetting& setting : results.settings) {
    std::string beginning = csv_field(fmt::format("{}", fmt::join(setting.points, " "))) + "," +
                            csv_field(setting.scheduler);
    for (const std::size_t k : column_keys(results)) {
      const std::optional<std::size_t>& value = setting.values[k];
      beginning += "," + (value ? csv_field(shown_value(results.plan.keys[k].values[*value])) : "");
    }
    for (const SettingRun& run : setting.runs) {
      text += fmt::format("{},{},{},{},{}\n", beginning, run.seed, name(run.outcome), run.digest,
                          run.value ? fmt::format("{}", *run.value) : "");
    }
  }
  return text;
}

}  // namespace tracebed
