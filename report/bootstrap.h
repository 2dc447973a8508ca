// Confidence intervals by resampling what was measured (Efron 1979).
//
// What is drawn again, with replacement, 2,000 times or so:
//  - the repetitions of a run, if there are several: the same ones for all schedulers where they
//    have the same repetition numbers, because a repetition shares its seed;
//  - the jobs, if there are fewer than six repetitions. Two to five repetitions cannot give a 95 %
//    interval by themselves: even the interval from the smallest to the largest of n differences
//    misses the truth with probability 2^(1 − n). Jobs are drawn in blocks of ⌊n^⅓⌋ neighbours in
//    submit order (circular block bootstrap, Politis and Romano 1992), since jobs that queue behind
//    each other are not independent, and the same jobs for all schedulers (paired). Repetitions and
//    jobs drawn at once are drawn crosswise (Owen 2007).
//
// Intervals are percentile intervals; with repetitions alone, their tails are widened as Student's
// t asks for so few values (Hesterberg 2015, "expanded percentile interval").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"

namespace tracebed {

struct ConfidenceInterval {
  double low = 0;
  double high = 0;

  bool contains(double value) const { return low <= value && value <= high; }
  bool operator==(const ConfidenceInterval&) const = default;
};

// mean, p50, p95, p99: what is told of every figure of a job.
inline constexpr std::size_t job_statistic_count = 4;
using JobStatistics = std::array<double, job_statistic_count>;

// One figure of the jobs of one run, ranked once, so that its statistics under any weights take one
// pass.
class RankedColumn {
 public:
  explicit RankedColumn(std::vector<double> values);

  std::size_t size() const { return values_.size(); }
  // `weights[i]` is how often the i-th value counts; they sum to size().
  JobStatistics statistics(std::span<const std::uint16_t> weights) const;
  // With every value counting once.
  JobStatistics statistics() const;

 private:
  std::vector<double> values_;
  std::vector<std::uint32_t> order_;  // positions by ascending value
};

// One scheduler's runs. Every run has the same columns over the same jobs, and the same figures of
// the run as a whole.
struct BootstrapRun {
  std::vector<RankedColumn> columns;
  std::vector<double> run_figures;
};
struct BootstrapSubject {
  std::vector<BootstrapRun> runs;  // at least one
};

struct BootstrapPlan {
  std::size_t repetitions_min = 1;  // of the subjects
  bool draws_repetitions = false;
  bool repetitions_are_paired = false;  // the n-th run of every subject is the same repetition
  bool draws_jobs = false;
  std::size_t jobs = 0;
  std::size_t block_jobs = 0;
  std::size_t replicates = 0;
};

// Repetitions with which jobs need not be drawn.
inline constexpr std::size_t repetitions_enough = 6;

// `have_paired_repetitions`: subjects' n-th runs belong together.
BootstrapPlan plan_bootstrap(std::span<const BootstrapSubject> subjects,
                             bool have_paired_repetitions);

// The figures of a subject: every column's statistics, then the run figures; averaged over runs.
std::vector<double> point_figures(const BootstrapSubject& subject);

// The same in every replicate: result[subject][figure][replicate].
using Replicates = std::vector<std::vector<std::vector<double>>>;
Replicates draw_replicates(std::span<const BootstrapSubject> subjects, const BootstrapPlan& plan,
                           std::uint64_t seed);

// The 95 % interval of a figure that was measured as `estimate` and whose replicates are `values`,
// which it reorders. Replicates of an extreme percentile may all lie on one side of the estimate;
// the interval is then widened to hold it.
ConfidenceInterval interval_of(double estimate, std::span<double> values,
                               const BootstrapPlan& plan);

}  // namespace tracebed
