// The figures in which schedulers are compared: of jobs over those that succeeded in every run, and
// of runs as a whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "report/job_statistics.h"
#include "report/metrics.h"

namespace tracebed {

struct ComparedFigure {
  std::string key;    // "jct_p95", "utilisation_vcores", …
  std::string title;  // "JCT p95"
  std::string unit;   // "s", "%", "jobs/10 min" or empty
  bool lower_is_better = true;
  bool is_of_jobs = true;  // over the common jobs; false: of the run as a whole
  // Of jobs: which column and which of its statistics.
  std::size_t column = 0;
  std::size_t statistic = 0;
};

inline constexpr std::size_t job_column_count = 3;  // JCT, wait, slowdown

// One column of the given jobs, in their order.
RankedColumn job_column(std::size_t column, std::span<const JobFigures> jobs,
                        std::span<const std::uint32_t> positions);

// Those that this number of common jobs allows (jobs_for_statistic).
std::vector<ComparedFigure> compared_figures(std::span<const std::string> dimensions,
                                             std::uint64_t jobs_common);

// The values of one run, by figure; `columns` are its job columns.
std::vector<double> figure_values(std::span<const ComparedFigure> figures,
                                  std::span<const RankedColumn> columns, const RunMetrics& metrics);

// Fails, listing the keys, unless `key` is that of a figure of runs with these dimensions and
// enough jobs.
Status check_figure_key(const std::string& key, std::span<const std::string> dimensions);

}  // namespace tracebed
