#include "report/compared_side.h"

#include <algorithm>
#include <functional>

#include "core/check.h"

namespace tracebed {

std::vector<double> ComparedSide::values(std::size_t figure) const {
  std::vector<double> values;
  for (const RunValues& run : runs) values.push_back(run.figures[figure]);
  return values;
}

double ComparedSide::mean(std::size_t figure) const {
  double sum = 0;
  for (const RunValues& run : runs) sum += run.figures[figure];
  return sum / static_cast<double>(runs.size());
}

bool ComparedSide::is_constant() const {
  const bool has_one_digest =
      std::adjacent_find(digests.begin(), digests.end(), std::not_equal_to<>()) == digests.end();
  return runs.size() > 1 && has_one_digest &&
         std::all_of(runs.begin(), runs.end(),
                     [&](const RunValues& run) { return run.figures == runs.front().figures; });
}

// For each of the given runs, the positions in its jobs of those that succeeded in all of them, in
// the order of their ids.
std::vector<std::vector<std::uint32_t>> common_jobs(std::span<const RunFolder> runs,
                                                    std::span<const std::size_t> chosen) {
  std::vector<std::vector<std::uint32_t>> positions(chosen.size());
  std::vector<std::size_t> at(chosen.size());
  const RunFolder& leader = runs[chosen.front()];
  for (const JobFigures& job : leader.jobs) {
    bool is_common = true;
    for (std::size_t r = 0; r < chosen.size(); ++r) {
      const std::vector<JobFigures>& jobs = runs[chosen[r]].jobs;
      while (at[r] < jobs.size() && jobs[at[r]].job < job.job) ++at[r];
      is_common = is_common && at[r] < jobs.size() && jobs[at[r]].job == job.job &&
                  jobs[at[r]].outcome == JobOutcome::succeeded;
    }
    if (!is_common) continue;
    for (std::size_t r = 0; r < chosen.size(); ++r) {
      positions[r].push_back(static_cast<std::uint32_t>(at[r]));
    }
  }
  return positions;
}

ComparedSide measure_side(std::span<const RunFolder> runs, std::span<const std::size_t> of_side,
                          std::span<const std::vector<std::uint32_t>> positions,
                          std::span<const ComparedFigure> figures) {
  ComparedSide side;
  for (std::size_t r = 0; r < of_side.size(); ++r) {
    const RunFolder& folder = runs[of_side[r]];
    side.seeds.push_back(folder.description.seed);
    side.digests.push_back(folder.end.digest);
    RunValues& values = side.runs.emplace_back();
    for (std::size_t column = 0; column < job_column_count; ++column) {
      values.columns.push_back(job_column(column, folder.jobs, positions[r]));
    }
    side.metrics.push_back(folder.metrics());
    values.figures = figure_values(figures, values.columns, side.metrics.back());
    side.jct_means.resize(positions[r].size());
    for (std::size_t i = 0; i < positions[r].size(); ++i) {
      side.jct_means[i] +=
          to_seconds(folder.jobs[positions[r][i]].jct) / static_cast<double>(of_side.size());
    }
    if (of_side.size() < 2) values.columns.clear();
  }
  return side;
}

bool have_same_decisions(const ComparedSide& baseline, const ComparedSide& candidate,
                         const RunPairs& pairs) {
  const auto same = [](const ComparedSide& a, std::size_t i, const ComparedSide& b, std::size_t j) {
    return a.digests[i] == b.digests[j] && a.runs[i].figures == b.runs[j].figures;
  };
  const auto all_as_first = [&](const ComparedSide& side) {
    for (std::size_t r = 0; r < side.runs.size(); ++r) {
      if (!same(baseline, 0, side, r)) return false;
    }
    return true;
  };
  if (all_as_first(baseline) && all_as_first(candidate)) return true;
  return pairs.are_all() &&
         std::all_of(pairs.pairs.begin(), pairs.pairs.end(), [&](const auto& pair) {
           return same(baseline, pair.first, candidate, pair.second);
         });
}

std::vector<double> contributions(const ComparedSide& baseline, const ComparedSide& candidate,
                                  const ComparedFigure& figure) {
  TRACEBED_CHECK(baseline.runs.size() > 1 && candidate.runs.size() > 1,
                 "jobs are drawn only beside repetitions");
  std::vector<double> sums(baseline.jct_means.size());
  const auto add = [&](const ComparedSide& side, double sign) {
    for (const RunValues& run : side.runs) {
      run.columns[figure.column].add_contributions(
          figure.statistic, sign / static_cast<double>(side.runs.size()), sums);
    }
  };
  add(candidate, 1);
  add(baseline, -1);
  return sums;
}

}  // namespace tracebed
