#include "report/world_text.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "report/text_table.h"

namespace tracebed {
namespace {

// In per cent; none if the model has none of it, which has no ratio.
std::optional<double> change_of(const FigureAgreement& figure) {
  if (figure.model.median <= 0) return std::nullopt;
  return 100 * (figure.real.median - figure.model.median) / figure.model.median;
}

std::string change_words(const FigureAgreement& figure) {
  const std::optional<double> per_cent = change_of(figure);
  const double seconds = figure.real.median - figure.model.median;
  if (!per_cent && seconds != 0) return fmt::format("{} s longer than", readable(seconds));
  if (!per_cent || std::abs(*per_cent) < 0.05) return "as long as";
  return fmt::format("{:.1f} % {} than", std::abs(*per_cent), *per_cent > 0 ? "longer" : "shorter");
}

std::string range_text(const RunRange& range, std::size_t runs) {
  if (runs == 1) return readable(range.median);
  return fmt::format("{} ({}..{})", readable(range.median), readable(range.low),
                     readable(range.high));
}

}  // namespace

std::string world_difference_text(const WorldDifference& difference) {
  std::string text = fmt::format(
      "{}: {} world against {}, {} in {}\n", difference.label, difference.real_world,
      difference.model_world, counted_jobs(difference.jobs),
      difference.repetitions == 1 ? "one pair of runs"
                                  : fmt::format("{} pairs of runs", difference.repetitions));
  if (difference.jobs_left_out > 0) {
    text += fmt::format("note: {} did not succeed in both runs: left out\n",
                        counted_jobs(difference.jobs_left_out));
  }
  const auto splits = difference.statistics();
  std::vector<std::string> header{"JCT (s)"};
  for (const auto& [statistic, split] : splits) header.emplace_back(statistic);
  TextTable table(header);
  const auto add = [&](const std::string& title, auto figure) {
    std::vector<std::string> row{title};
    for (const auto& [statistic, split] : splits) row.push_back(readable(figure(*split)));
    table.add_row(std::move(row));
  };
  add(difference.model_world, [](const SplitDifference& split) { return split.model; });
  add(difference.real_world, [](const SplitDifference& split) { return split.real; });
  add("difference", [](const SplitDifference& split) { return split.difference; });
  table.add_rule();
  for (std::size_t p = 0; p < jct_part_count; ++p) {
    add(fmt::format("  by {}", name(static_cast<JctPart>(p))),
        [p](const SplitDifference& split) { return split.parts[p]; });
  }
  return text + table.to_string();
}

std::string agreement_words(Agreement agreement) {
  std::string words = name(agreement);
  for (char& letter : words) {
    if (letter == '_') letter = ' ';
  }
  return words;
}

std::string agreement_sentence(const WorldAgreement& worlds, const SchedulerAgreement& scheduler) {
  const FigureAgreement& mean = scheduler.figures.front();
  std::string text =
      fmt::format("Under {}, over {}, JCT mean was {} s in the {} world, {} in the {} one",
                  scheduler.label, counted_jobs(scheduler.jobs), readable(mean.real.median),
                  worlds.real_world, change_words(mean), worlds.model_world);
  switch (mean.agreement) {
    case Agreement::within_repetitions:
      if (scheduler.model_runs + scheduler.real_runs == 2) return text + ".";
      return text + ", within what repetitions differ by.";
    case Agreement::does_not_matter:
      return text + ", which does not matter.";
    case Agreement::beyond_repetitions:
      return text + ", more than repetitions differ by.";
    case Agreement::too_few_runs:
      return text + "; the runs are too few to tell whether repetitions differ by as much.";
  }
  return text;
}

std::string order_sentence(const WorldAgreement& worlds) {
  if (worlds.model_order.empty()) return "";
  if (worlds.model_order == worlds.real_order) {
    return fmt::format("By median JCT, the schedulers rank alike in both worlds: {}.",
                       fmt::join(worlds.model_order, ", "));
  }
  return fmt::format(
      "By median JCT, the schedulers rank differently: {} in the {} world, {} in the {} one.",
      fmt::join(worlds.model_order, ", "), worlds.model_world, fmt::join(worlds.real_order, ", "),
      worlds.real_world);
}

std::string agreement_table(const WorldAgreement& worlds, std::size_t rows_max) {
  TextTable table(
      {"scheduler, figure", worlds.model_world, worlds.real_world, "change", "difference is"},
      true);
  std::size_t rows = 0;
  std::size_t left_out = 0;
  for (const SchedulerAgreement& scheduler : worlds.schedulers) {
    for (const FigureAgreement& figure : scheduler.figures) {
      if (++rows > rows_max) {
        ++left_out;
        continue;
      }
      const std::optional<double> per_cent = change_of(figure);
      table.add_row({fmt::format("{}, {}", scheduler.label, figure.title),
                     range_text(figure.model, scheduler.model_runs),
                     range_text(figure.real, scheduler.real_runs),
                     per_cent ? fmt::format("{:+.1f} %", *per_cent) : "",
                     agreement_words(figure.agreement)});
    }
  }
  const std::string text = table.to_string();
  return left_out == 0 ? text : text + fmt::format("{} more rows: --details\n", left_out);
}

}  // namespace tracebed
