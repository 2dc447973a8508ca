// Mean, p50, p95 and p99 of a figure of jobs, and what each job contributes to them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracebed {

// mean, p50, p95, p99: reported for every figure of a job.
inline constexpr std::size_t job_statistic_count = 4;
using JobStatistics = std::array<double, job_statistic_count>;
// The fewest jobs for which each is reported: with fewer, a high percentile is that of one job or
// two.
inline constexpr std::array<std::uint64_t, job_statistic_count> jobs_for_statistic{1, 1, 20, 100};

// One figure of the jobs of one run, ranked once.
class RankedColumn {
 public:
  explicit RankedColumn(std::vector<double> values);

  // All zero if there are no values.
  JobStatistics statistics() const;

  // Adds `factor` times each job's contribution to the n-th statistic to `sums`, which has as many
  // elements: numbers whose mean varies as the statistic does when jobs are drawn again. Those of a
  // percentile q at probability p are (p − [value ≤ q]) × dq/dp (Bahadur 1966), with the slope from
  // the values at p ± h, h after Hall and Sheather (1988).
  void add_contributions(std::size_t statistic, double factor, std::span<double> sums) const;

 private:
  std::vector<double> values_;
  std::vector<double> sorted_;
};

}  // namespace tracebed
