// The tables of the reproduction of Lian and Liu (2020), all of the groups' completion times: from
// the first submission to the last job's end.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>

#include "coordinator/reproductions/lian_experiments.h"
#include "coordinator/reproductions/table_cells.h"

namespace tracebed::lian {
namespace {

// What was measured of a scheduler in a variant.
class Measured {
 public:
  Measured(const ReproductionResults& results, const TunedScheduler& scheduler,
           const Variant& variant)
      : results_(results), scheduler_(scheduler), variant_(variant) {}

  MeasuredRuns runs(const JobGroup& group, const std::string& label) const {
    return results_.find(experiment_name(scheduler_, group, variant_), label);
  }
  MeasuredRuns default_runs(const JobGroup& group) const {
    return runs(group, fixed_label(scheduler_.default_tenths));
  }
  // The value with the least mean, of those under which every repetition completed.
  std::optional<int> best(const JobGroup& group) const {
    std::optional<int> best;
    double least = 0;
    for (int tenths = 0; tenths <= tenths_max; ++tenths) {
      const MeasuredRuns of_value = runs(group, fixed_label(tenths));
      std::vector<double> values;
      for (const MeasuredRun* run : of_value) {
        if (run->outcome == RunOutcome::complete) values.push_back(makespan_of(*run));
      }
      const std::optional<MeanOfRuns> mean = mean_of(values);
      if (!mean || values.size() < of_value.size() || (best && mean->mean >= least)) continue;
      best = tenths;
      least = mean->mean;
    }
    return best;
  }
  const TunedScheduler& scheduler() const { return scheduler_; }

 private:
  const ReproductionResults& results_;
  const TunedScheduler& scheduler_;
  const Variant& variant_;
};

std::vector<std::string> group_columns(std::string first) {
  std::vector<std::string> columns{std::move(first)};
  for (const JobGroup& group : job_groups()) columns.emplace_back(group.title);
  return columns;
}

// Group by group, and the mean over the groups.
using RunsOfGroup = std::function<MeasuredRuns(const JobGroup&)>;
std::vector<TableCell> change_row(std::string title, const Measured& measured,
                                  const RunsOfGroup& candidate) {
  std::vector<TableCell> row{text_cell(std::move(title))};
  std::vector<ByRepetition> all;
  for (const JobGroup& group : job_groups()) {
    const MeasuredRuns base = measured.default_runs(group);
    row.push_back(change_cell(base, candidate(group), makespan_of));
    all.push_back(changes_of(base, base, candidate(group), makespan_of));
  }
  row.push_back(percent_cell(mean_by_repetition(all)));
  return row;
}

// In points of the default's time.
std::vector<TableCell> points_row(std::string title, const Measured& measured,
                                  const RunsOfGroup& reference, const RunsOfGroup& candidate) {
  std::vector<TableCell> row{text_cell(std::move(title))};
  std::vector<ByRepetition> all;
  for (const JobGroup& group : job_groups()) {
    all.push_back(
        changes_of(measured.default_runs(group), reference(group), candidate(group), makespan_of));
    row.push_back(percent_cell(all.back(), /*is_points=*/true));
  }
  row.push_back(percent_cell(mean_by_repetition(all), /*is_points=*/true));
  return row;
}

RunsOfGroup of_label(const Measured& measured, const std::string& label) {
  return [&measured, label](const JobGroup& group) { return measured.runs(group, label); };
}

// The best fixed value of each group, or its neighbour.
RunsOfGroup of_best(const Measured& measured, int tenths_beside) {
  return [&measured, tenths_beside](const JobGroup& group) {
    const std::optional<int> best = measured.best(group);
    if (!best || *best + tenths_beside < 0 || *best + tenths_beside > tenths_max) {
      return MeasuredRuns();
    }
    return measured.runs(group, fixed_label(*best + tenths_beside));
  };
}

ReproductionTable response_table(const Measured& measured, std::string_view variant) {
  const TunedScheduler& scheduler = measured.scheduler();
  ReproductionTable table;
  table.title = fmt::format("{}: completion time of each group (s), by {}{}", scheduler.title,
                            scheduler.parameter, variant);
  table.columns = group_columns(std::string(scheduler.parameter));
  for (int tenths = 0; tenths <= tenths_max; ++tenths) {
    const bool is_default = tenths == scheduler.default_tenths;
    std::vector<TableCell>& row = table.rows.emplace_back();
    row.push_back(
        number_cell(tenths / 10.0, share_label(tenths) + (is_default ? " (default)" : "")));
    for (const JobGroup& group : job_groups()) {
      row.push_back(figure_cell(measured.runs(group, fixed_label(tenths)), makespan_of));
    }
  }
  std::vector<TableCell> best{text_cell("best")};
  std::vector<TableCell> papers{text_cell("best of the paper")};
  for (std::size_t i = 0; i < job_groups().size(); ++i) {
    const std::optional<int> value = measured.best(job_groups()[i]);
    best.push_back(value ? number_cell(*value / 10.0, share_label(*value)) : text_cell("-"));
    papers.push_back(number_cell(scheduler.best[i] / 10.0, share_label(scheduler.best[i])));
  }
  table.rows.push_back(std::move(best));
  table.rows.push_back(std::move(papers));
  return table;
}

// Seeds in which the best value lies within 0.2 to 0.7 and is better than 0.1 and than 1.
TableCell bend_cell(const Measured& measured, const JobGroup& group) {
  std::map<std::uint32_t, std::pair<int, double>> best;  // by repetition
  std::map<std::uint32_t, std::map<int, double>> times;
  std::size_t repetitions = 0;
  for (int tenths = 0; tenths <= tenths_max; ++tenths) {
    const MeasuredRuns runs = measured.runs(group, fixed_label(tenths));
    repetitions = std::max(repetitions, runs.size());
    for (const MeasuredRun* run : runs) {
      if (run->outcome != RunOutcome::complete) continue;
      const double time = makespan_of(*run);
      times[run->repetition][tenths] = time;
      const auto [known, is_first] = best.try_emplace(run->repetition, tenths, time);
      if (!is_first && time < known->second.second) known->second = {tenths, time};
    }
  }
  if (repetitions == 0) return text_cell("-");
  std::size_t bent = 0;
  for (const auto& of_seed : best) {
    const auto& [tenths, least] = of_seed.second;
    const std::map<int, double>& of_value = times[of_seed.first];
    const auto is_worse = [&of_value, limit = least](int other) {
      const auto found = of_value.find(other);
      return found == of_value.end() || found->second > limit;  // or it stalled
    };
    const bool is_inside = tenths >= 2 && tenths <= 7;
    if (is_inside && is_worse(1) && is_worse(tenths_max)) ++bent;
  }
  return number_cell(static_cast<double>(bent), fmt::format("{} of {}", bent, repetitions));
}

ReproductionTable control_table(const Measured& measured) {
  const TunedScheduler& scheduler = measured.scheduler();
  ReproductionTable table;
  table.title = fmt::format("{}: completion time against the default of {}", scheduler.title,
                            share_label(scheduler.default_tenths));
  table.columns = group_columns("");
  table.columns.emplace_back("mean");
  table.rows.push_back(change_row("best fixed value", measured, of_best(measured, 0)));
  table.rows.push_back(change_row("best - 0.1", measured, of_best(measured, -1)));
  table.rows.push_back(change_row("best + 0.1", measured, of_best(measured, 1)));
  for (const std::string_view reading : readings) {
    table.rows.push_back(change_row(fmt::format("lian2020, n by {}", reading), measured,
                                    of_label(measured, method_label(reading, usual_period))));
  }
  table.rows.push_back(
      change_row("zhang2015 (a guess)", measured, of_label(measured, "zhang2015")));
  table.rows.push_back(change_row("zhang2016", measured, of_label(measured, "zhang2016")));
  table.rows.push_back(
      {text_cell("the paper's method"), text_cell(""), text_cell(""), text_cell(""), text_cell(""),
       number_cell(scheduler.method_percent, fmt::format("{} %", scheduler.method_percent))});
  for (const std::string_view reading : readings) {
    table.rows.push_back(points_row(fmt::format("lian2020, n by {}, above the best", reading),
                                    measured, of_best(measured, 0),
                                    of_label(measured, method_label(reading, usual_period))));
  }
  std::vector<TableCell> bend{text_cell("seeds with a bend")};
  for (const JobGroup& group : job_groups()) bend.push_back(bend_cell(measured, group));
  bend.push_back(text_cell(""));
  table.rows.push_back(std::move(bend));
  table.notes = {
      fmt::format("Controllers begin at the default and with the first submission; lian2020 and "
                  "zhang2015 have a period of {} s, which the paper does not state.",
                  usual_period),
      "Points are percents of the default's time; the paper's method is within 7 of the best.",
      "A bend: the best value is within 0.2 to 0.7, and better than 0.1 and than 1.0."};
  return table;
}

// The mean over the groups, for each period and reading.
ReproductionTable period_table(const Measured& measured, std::string_view variant) {
  ReproductionTable table;
  table.title = fmt::format("{}: lian2020 by period and reading, against the default{}",
                            measured.scheduler().title, variant);
  table.columns = {"n by"};
  for (const int period : periods) table.columns.push_back(fmt::format("{} s", period));
  for (const std::string_view reading : readings) {
    std::vector<TableCell>& row = table.rows.emplace_back();
    row.push_back(text_cell(std::string(reading)));
    for (const int period : periods) {
      row.push_back(
          change_row("", measured, of_label(measured, method_label(reading, period))).back());
    }
  }
  table.notes = {"Means over the four groups."};
  return table;
}

ReproductionTable variant_table(const ReproductionResults& results,
                                const TunedScheduler& scheduler) {
  ReproductionTable table;
  table.title = fmt::format(
      "{}: lian2020 with a period of {} s where the experiment differs, each against the default "
      "there",
      scheduler.title, usual_period);
  table.columns = group_columns("");
  table.columns.emplace_back("mean");
  for (const Variant& variant : variants()) {
    const Measured measured(results, scheduler, variant);
    for (const std::string_view reading : readings) {
      table.rows.push_back(change_row(fmt::format("{}, n by {}", variant.title, reading), measured,
                                      of_label(measured, method_label(reading, usual_period))));
    }
    if (variant.name.empty() || !variant.has_every_share) continue;
    table.rows.push_back(change_row(fmt::format("{}, best fixed value", variant.title), measured,
                                    of_best(measured, 0)));
  }
  return table;
}

// A row of seconds, by group.
std::vector<TableCell> seconds_row(std::string title, const RunsOfGroup& runs) {
  std::vector<TableCell> row{text_cell(std::move(title))};
  for (const JobGroup& group : job_groups()) row.push_back(figure_cell(runs(group), makespan_of));
  row.push_back(text_cell(""));
  return row;
}

ReproductionTable real_table(const ReproductionResults& results, const TunedScheduler& scheduler) {
  ReproductionTable table;
  table.title = fmt::format("{}: completion time of each group, on real processes and in the model",
                            scheduler.title);
  table.columns = group_columns("");
  table.columns.emplace_back("mean");
  std::string best;
  for (std::size_t i = 0; i < job_groups().size(); ++i) {
    best += fmt::format("{}{}", i == 0 ? "" : ", ", share_label(scheduler.real_best.at(i)));
  }
  for (const Variant& variant : real_variants()) {
    const Measured measured(results, scheduler, variant);
    const auto title = [&](std::string_view arm) {
      return fmt::format("{}, {}", variant.title, arm);
    };
    table.rows.push_back(
        seconds_row(title(fmt::format("{} (s)", share_label(scheduler.default_tenths))),
                    [&](const JobGroup& group) { return measured.default_runs(group); }));
    table.rows.push_back(change_row(title(best), measured, [&](const JobGroup& group) {
      return measured.runs(group, fixed_label(real_best_of(scheduler, group)));
    }));
    table.rows.push_back(change_row(title(fmt::format("lian2020, n by {}", real_reading)), measured,
                                    of_label(measured, method_label(real_reading, usual_period))));
  }
  table.rows.push_back(
      {text_cell("the paper's method"), text_cell(""), text_cell(""), text_cell(""), text_cell(""),
       number_cell(scheduler.method_percent, fmt::format("{} %", scheduler.method_percent))});
  table.notes = {
      fmt::format("Seconds of the trace, and changes against the default of {}. The other fixed "
                  "values are the best ones of the whole reproduction in the virtual world "
                  "with the default settings; "
                  "lian2020 has a period of {} s.",
                  share_label(scheduler.default_tenths), usual_period),
      "Twenty times as fast as the trace: what a launch takes counts twenty times. A master "
      "starts in about half a second with its part of a core, which is 10 s of the trace; the "
      "model has the same. master_startup_ms is of the other experiments."};
  return table;
}

}  // namespace

std::vector<ReproductionTable> real_tables(const ReproductionRequest&,
                                           const ReproductionResults& results) {
  std::vector<ReproductionTable> all;
  for (const TunedScheduler& scheduler : tuned_schedulers()) {
    all.push_back(real_table(results, scheduler));
  }
  return all;
}

std::vector<ReproductionTable> tables(const ReproductionRequest&,
                                      const ReproductionResults& results) {
  std::vector<ReproductionTable> all;
  for (const TunedScheduler& scheduler : tuned_schedulers()) {
    for (const Variant& variant : variants()) {
      const Measured measured(results, scheduler, variant);
      const std::string where = variant.name.empty() ? "" : fmt::format("; {}", variant.title);
      if (variant.has_every_share) all.push_back(response_table(measured, where));
      if (variant.has_predecessors) all.push_back(control_table(measured));
      if (variant.has_every_period) all.push_back(period_table(measured, where));
    }
    all.push_back(variant_table(results, scheduler));
  }
  return all;
}

}  // namespace tracebed::lian
