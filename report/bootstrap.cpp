#include "report/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.h"
#include "report/percentiles.h"

namespace tracebed {
namespace {

constexpr std::array<unsigned, 3> percents{50, 95, 99};

// The position of each percentile is known beforehand, so the ranks are found in one pass over the
// running sum of weights. `weight_at(i)` belongs to the i-th smallest value.
template <class WeightAt>
void find_percentiles(std::span<const double> values, std::span<const std::uint32_t> order,
                      WeightAt weight_at, JobStatistics& statistics) {
  std::size_t found = 0;
  std::uint64_t sum = 0;
  for (const std::uint32_t position : order) {
    sum += weight_at(position);
    while (sum >= percentile_rank(values.size(), percents[found])) {
      statistics[1 + found] = values[position];
      if (++found == percents.size()) return;
    }
  }
}

// Student's t for a two-sided 95 % interval: the expansion 26.7.5 of Abramowitz and Stegun, within
// 0.003 from five degrees of freedom on.
double students_t(double degrees) {
  const double z = 1.959963984540054;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const double z7 = z5 * z * z;
  return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * degrees * degrees);
}

// How much of the replicates lies outside the interval, on each side.
double tail_share(const BootstrapPlan& plan) {
  if (plan.draws_jobs) return 0.025;
  const auto n = static_cast<double>(plan.repetitions_min);
  const double widened = std::sqrt(n / (n - 1)) * students_t(n - 1);
  return std::erfc(widened / std::sqrt(2.0)) / 2;
}

void draw_job_weights(Random& random, const BootstrapPlan& plan,
                      std::vector<std::uint16_t>& weights) {
  std::fill(weights.begin(), weights.end(), std::uint16_t{0});
  for (std::size_t drawn = 0; drawn < plan.jobs;) {
    std::size_t job = random.below(plan.jobs);
    const std::size_t block = std::min(plan.block_jobs, plan.jobs - drawn);
    for (std::size_t i = 0; i < block; ++i) {
      ++weights[job];
      if (++job == plan.jobs) job = 0;
    }
    drawn += block;
  }
}

// How often each of `count` repetitions is drawn.
std::vector<std::uint32_t> draw_repetitions(Random& random, std::size_t count) {
  std::vector<std::uint32_t> times(count);
  for (std::size_t i = 0; i < count; ++i) ++times[random.below(count)];
  return times;
}

std::vector<double> figures_of_run(const BootstrapRun& run,
                                   std::span<const std::uint16_t> weights) {
  std::vector<double> figures;
  for (const RankedColumn& column : run.columns) {
    const JobStatistics statistics =
        weights.empty() ? column.statistics() : column.statistics(weights);
    figures.insert(figures.end(), statistics.begin(), statistics.end());
  }
  figures.insert(figures.end(), run.run_figures.begin(), run.run_figures.end());
  return figures;
}

using Figures = std::vector<double>;

Figures weighted_mean(std::span<const Figures> runs, std::span<const std::uint32_t> times) {
  Figures mean(runs.front().size());
  double total = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (times[r] == 0) continue;
    total += times[r];
    for (std::size_t f = 0; f < mean.size(); ++f) mean[f] += times[r] * runs[r][f];
  }
  for (double& figure : mean) figure /= total;
  return mean;
}

}  // namespace

RankedColumn::RankedColumn(std::vector<double> values)
    : values_(std::move(values)), order_(values_.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return values_[a] != values_[b] ? values_[a] < values_[b] : a < b;
  });
}

JobStatistics RankedColumn::statistics(std::span<const std::uint16_t> weights) const {
  TRACEBED_CHECK(weights.size() == values_.size() && !values_.empty(),
                 "every value of a column has a weight");
  JobStatistics statistics{};
  double sum = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) sum += weights[i] * values_[i];
  statistics[0] = sum / static_cast<double>(values_.size());
  find_percentiles(
      values_, order_, [&](std::uint32_t position) { return weights[position]; }, statistics);
  return statistics;
}

JobStatistics RankedColumn::statistics() const {
  JobStatistics statistics{};
  if (values_.empty()) return statistics;
  statistics[0] =
      std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(values_.size());
  find_percentiles(
      values_, order_, [](std::uint32_t) { return 1u; }, statistics);
  return statistics;
}

BootstrapPlan plan_bootstrap(std::span<const BootstrapSubject> subjects,
                             bool have_paired_repetitions) {
  BootstrapPlan plan;
  plan.repetitions_min = subjects.front().runs.size();
  std::size_t runs = 0;
  for (const BootstrapSubject& subject : subjects) {
    TRACEBED_CHECK(!subject.runs.empty(), "every scheduler compared has a run");
    plan.repetitions_min = std::min(plan.repetitions_min, subject.runs.size());
    plan.draws_repetitions |= subject.runs.size() > 1;
    runs += subject.runs.size();
  }
  plan.repetitions_are_paired = plan.draws_repetitions && have_paired_repetitions;
  const std::vector<RankedColumn>& columns = subjects.front().runs.front().columns;
  plan.jobs = columns.empty() ? 0 : columns.front().size();
  plan.draws_jobs = plan.repetitions_min < repetitions_enough && plan.jobs > 1;
  if (!plan.draws_jobs) {
    plan.replicates = 10000;  // these are cheap
    return plan;
  }
  plan.block_jobs = static_cast<std::size_t>(std::cbrt(static_cast<double>(plan.jobs)) + 1e-9);
  // A replicate passes over every run's jobs; with very many jobs the interval is narrow, and fewer
  // replicates tell where it ends well enough.
  constexpr std::size_t work_max = 400'000'000;
  plan.replicates = std::clamp<std::size_t>(work_max / (plan.jobs * runs), 200, 2000);
  return plan;
}

std::vector<double> point_figures(const BootstrapSubject& subject) {
  std::vector<Figures> runs;
  for (const BootstrapRun& run : subject.runs) runs.push_back(figures_of_run(run, {}));
  const std::vector<std::uint32_t> once(runs.size(), 1);
  return weighted_mean(runs, once);
}

Replicates draw_replicates(std::span<const BootstrapSubject> subjects, const BootstrapPlan& plan,
                           std::uint64_t seed) {
  Random job_draws = Random::stream(seed, "bootstrap jobs");
  Random repetition_draws = Random::stream(seed, "bootstrap repetitions");
  Replicates replicates(subjects.size());
  std::vector<std::vector<Figures>> figures(subjects.size());  // of every run, under the weights
  const auto compute = [&](std::span<const std::uint16_t> weights) {
    for (std::size_t s = 0; s < subjects.size(); ++s) {
      figures[s].clear();
      for (const BootstrapRun& run : subjects[s].runs) {
        figures[s].push_back(figures_of_run(run, weights));
      }
    }
  };
  compute({});
  for (std::size_t s = 0; s < subjects.size(); ++s) {
    replicates[s].assign(figures[s].front().size(), std::vector<double>(plan.replicates));
  }
  std::vector<std::uint16_t> weights(plan.jobs);
  for (std::size_t replicate = 0; replicate < plan.replicates; ++replicate) {
    if (plan.draws_jobs) {
      draw_job_weights(job_draws, plan, weights);
      compute(weights);
    }
    std::vector<std::uint32_t> times;
    for (std::size_t s = 0; s < subjects.size(); ++s) {
      if (s == 0 || !plan.repetitions_are_paired) {
        times = draw_repetitions(repetition_draws, figures[s].size());
      }
      const Figures mean = weighted_mean(figures[s], times);
      for (std::size_t f = 0; f < mean.size(); ++f) replicates[s][f][replicate] = mean[f];
    }
  }
  return replicates;
}

ConfidenceInterval interval_of(double estimate, std::span<double> values,
                               const BootstrapPlan& plan) {
  TRACEBED_CHECK(!values.empty(), "an interval is asked only of replicates");
  std::sort(values.begin(), values.end());
  const auto outside =
      static_cast<std::size_t>(tail_share(plan) * static_cast<double>(values.size()));
  return {std::min(estimate, values[outside]),
          std::max(estimate, values[values.size() - 1 - outside])};
}

}  // namespace tracebed
