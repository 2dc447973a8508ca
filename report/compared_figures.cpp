#include "report/compared_figures.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace tracebed {
namespace {

constexpr std::array<const char*, job_statistic_count> statistic_names{"mean", "p50", "p95", "p99"};

struct JobColumn {
  const char* key;
  const char* title;
  const char* unit;
  double (*value)(const JobFigures&);
};

constexpr std::array<JobColumn, job_column_count> job_columns{
    JobColumn{"jct", "JCT", "s", [](const JobFigures& job) { return to_seconds(job.jct); }},
    // A job that succeeded without a container had no task, and waited for none.
    JobColumn{"wait", "wait", "s",
              [](const JobFigures& job) {
                return job.wait == Duration::max() ? 0 : to_seconds(job.wait);
              }},
    JobColumn{"bounded_slowdown", "bounded slowdown", "", bounded_slowdown},
};

}  // namespace

RankedColumn job_column(std::size_t column, std::span<const JobFigures> jobs,
                        std::span<const std::uint32_t> positions) {
  std::vector<double> values;
  values.reserve(positions.size());
  for (const std::uint32_t position : positions) {
    values.push_back(job_columns[column].value(jobs[position]));
  }
  return RankedColumn(std::move(values));
}

std::vector<ComparedFigure> compared_figures(std::span<const std::string> dimensions,
                                             std::uint64_t jobs_common) {
  std::vector<ComparedFigure> figures;
  for (std::size_t column = 0; column < job_columns.size(); ++column) {
    const auto& [key, title, unit, value] = job_columns[column];
    for (std::size_t statistic = 0; statistic < job_statistic_count; ++statistic) {
      if (jobs_common < jobs_for_statistic[statistic]) continue;
      figures.push_back({fmt::format("{}_{}", key, statistic_names[statistic]),
                         fmt::format("{} {}", title, statistic_names[statistic]), unit, true, true,
                         column, statistic});
    }
  }
  figures.push_back({"makespan", "makespan", "s", true, false, 0, 0});
  figures.push_back({"throughput", "throughput", "jobs/10 min", false, false, 0, 0});
  for (const std::string& dimension : dimensions) {
    figures.push_back(
        {"utilisation_" + dimension, "utilisation " + dimension, "", false, false, 0, 0});
  }
  return figures;
}

std::vector<double> figure_values(std::span<const ComparedFigure> figures,
                                  std::span<const RankedColumn> columns,
                                  const RunMetrics& metrics) {
  std::vector<JobStatistics> statistics;
  for (const RankedColumn& column : columns) statistics.push_back(column.statistics());
  // In the order of compared_figures.
  std::vector<double> of_run{metrics.makespan, metrics.throughput_per_ten_minutes};
  of_run.insert(of_run.end(), metrics.utilisation.begin(), metrics.utilisation.end());
  std::vector<double> values;
  std::size_t next = 0;
  for (const ComparedFigure& figure : figures) {
    values.push_back(figure.is_of_jobs ? statistics[figure.column][figure.statistic]
                                       : of_run.at(next++));
  }
  return values;
}

Status check_figure_key(const std::string& key, std::span<const std::string> dimensions) {
  std::vector<std::string> keys;
  for (const ComparedFigure& figure :
       compared_figures(dimensions, std::numeric_limits<std::uint64_t>::max())) {
    if (figure.key == key) return success();
    keys.push_back(figure.key);
  }
  return Error{
      fmt::format("expected the key of a figure ({}), got \"{}\"", fmt::join(keys, ", "), key)};
}

}  // namespace tracebed
