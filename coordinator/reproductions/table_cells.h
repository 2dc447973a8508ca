// Cells of a reproduction's tables, made of what was measured. Repetitions vary in their seeds
// alone and are paired by them: run i of one scheduler and run i of another met the same machines.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/reproductions/reproduction.h"
#include "report/repetition_means.h"

namespace tracebed {

using MeasuredRuns = std::vector<const MeasuredRun*>;
// A figure of a run that completed.
using RunFigure = std::function<double(const MeasuredRun&)>;

// By repetition: what the candidate's figure is above the reference's, in percent of the
// baseline's, for the repetitions that all three completed. The reference may be the baseline
// itself.
ByRepetition changes_of(const MeasuredRuns& baseline, const MeasuredRuns& reference,
                        const MeasuredRuns& candidate, const RunFigure& figure);

// The mean over the runs that completed, and how many did not: "812 (790..834)", "812 (790..834);
// 2 of 10 stalled", "stalled". "-" if there are no runs.
TableCell figure_cell(const MeasuredRuns& runs, const RunFigure& figure);

// The mean of the changes against the baseline: "-53.1 % (-54.0..-52.2)". "-" if there is none, and
// the outcome if no run of the candidate completed.
TableCell change_cell(const MeasuredRuns& baseline, const MeasuredRuns& candidate,
                      const RunFigure& figure);
// The same of changes that changes_of() made; with `is_points` in percentage points.
TableCell percent_cell(const ByRepetition& changes, bool is_points = false);

inline TableCell text_cell(std::string text) {
  return {std::move(text), std::nullopt, std::nullopt};
}
// A value that is not measured here, as the paper's.
TableCell number_cell(double value, std::string text);

// ---- common figures ----

// From the first submission to the last end, in seconds.
double makespan_of(const MeasuredRun& run);
double mean_completion_time_of(const MeasuredRun& run);  // seconds

}  // namespace tracebed
