#include "coordinator/reproductions/table_cells.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "report/text_table.h"

namespace tracebed {
namespace {

bool is_complete(const MeasuredRun& run) {
  return run.outcome == RunOutcome::complete;
}

// "2 of 10 stalled": of runs that did not complete; empty if all did.
std::string incomplete_text(const MeasuredRuns& runs) {
  std::map<RunOutcome, std::size_t> counts;
  for (const MeasuredRun* run : runs) {
    if (!is_complete(*run)) ++counts[run->outcome];
  }
  std::string text;
  for (const auto& [outcome, count] : counts) {
    if (!text.empty()) text += ", ";
    text += count == runs.size() ? std::string(name(outcome))
                                 : fmt::format("{} of {} {}", count, runs.size(), name(outcome));
  }
  return text;
}

const MeasuredRun* completed_in(const MeasuredRuns& runs, std::uint32_t repetition) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const MeasuredRun* run) {
    return run->repetition == repetition && is_complete(*run);
  });
  return found == runs.end() ? nullptr : *found;
}

std::vector<double> values_of(const ByRepetition& changes) {
  std::vector<double> values;
  for (const auto& [repetition, value] : changes) values.push_back(value);
  return values;
}

std::string interval_text(const MeanOfRuns& mean, std::string_view unit) {
  const auto number = [&](double value) {
    return unit.empty() ? readable(value) : fmt::format("{:+.1f}", value);
  };
  std::string text = number(mean.mean) + std::string(unit);
  if (mean.interval) {
    text += fmt::format(" ({}..{})", number(mean.interval->low), number(mean.interval->high));
  }
  return text;
}

TableCell cell_of(const std::vector<double>& values, std::string_view unit,
                  const std::string& incomplete) {
  const std::optional<MeanOfRuns> mean = mean_of(values);
  if (!mean) return text_cell(incomplete.empty() ? "-" : incomplete);
  TableCell cell{interval_text(*mean, unit), mean->mean, mean->interval};
  if (!incomplete.empty()) cell.text += "; " + incomplete;
  return cell;
}

}  // namespace

TableCell figure_cell(const MeasuredRuns& runs, const RunFigure& figure) {
  std::vector<double> values;
  for (const MeasuredRun* run : runs) {
    if (is_complete(*run)) values.push_back(figure(*run));
  }
  return cell_of(values, "", incomplete_text(runs));
}

ByRepetition changes_of(const MeasuredRuns& baseline, const MeasuredRuns& reference,
                        const MeasuredRuns& candidate, const RunFigure& figure) {
  ByRepetition changes;
  for (const MeasuredRun* run : candidate) {
    const MeasuredRun* const base = completed_in(baseline, run->repetition);
    const MeasuredRun* const other = completed_in(reference, run->repetition);
    if (base == nullptr || other == nullptr || !is_complete(*run)) continue;
    const double whole = figure(*base);
    if (whole > 0) changes[run->repetition] = 100 * (figure(*run) - figure(*other)) / whole;
  }
  return changes;
}

TableCell change_cell(const MeasuredRuns& baseline, const MeasuredRuns& candidate,
                      const RunFigure& figure) {
  return cell_of(values_of(changes_of(baseline, baseline, candidate, figure)), " %",
                 incomplete_text(candidate));
}

TableCell percent_cell(const ByRepetition& changes, bool is_points) {
  return cell_of(values_of(changes), is_points ? " points" : " %", "");
}

TableCell number_cell(double value, std::string text) {
  return {std::move(text), value, std::nullopt};
}

double makespan_of(const MeasuredRun& run) {
  return run.metrics.makespan;
}

double mean_completion_time_of(const MeasuredRun& run) {
  return run.metrics.jct.mean;
}

}  // namespace tracebed
