#include "report/job_statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/check.h"
#include "report/distributions.h"
#include "report/percentiles.h"

namespace tracebed {
namespace {

constexpr std::array<unsigned, job_statistic_count - 1> percents{50, 95, 99};

// How far from p the slope of the quantile function there is looked at.
double slope_width(double p, double count) {
  const double z = normal_quantile(1 - p);
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return std::cbrt(1.5 * density * density / (2 * z * z + 1) / count) *
         std::pow(normal_quantile(0.025), 2.0 / 3);
}

double slope_at(std::span<const double> sorted, double p) {
  const auto count = static_cast<double>(sorted.size());
  const double width = slope_width(p, count);
  const auto position = [&](double at) {
    return static_cast<std::size_t>(std::clamp(at * count, 0.0, count - 1));
  };
  const std::size_t low = position(p - width);
  const std::size_t high = position(p + width);
  if (low == high) return 0;
  return (sorted[high] - sorted[low]) / static_cast<double>(high - low) * count;
}

}  // namespace

RankedColumn::RankedColumn(std::vector<double> values)
    : values_(std::move(values)), sorted_(values_) {
  std::sort(sorted_.begin(), sorted_.end());
}

JobStatistics RankedColumn::statistics() const {
  JobStatistics statistics{};
  if (values_.empty()) return statistics;
  statistics[0] =
      std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(values_.size());
  for (std::size_t i = 0; i < percents.size(); ++i) {
    statistics[1 + i] = percentile_of_sorted(std::span<const double>(sorted_), percents[i]);
  }
  return statistics;
}

void RankedColumn::add_contributions(std::size_t statistic, double factor,
                                     std::span<double> sums) const {
  TRACEBED_CHECK(sums.size() == values_.size(), "every job has a contribution");
  if (statistic == 0) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += factor * values_[i];
    return;
  }
  const unsigned percent = percents[statistic - 1];
  const double p = percent / 100.0;
  const double at = percentile_of_sorted(std::span<const double>(sorted_), percent);
  const double slope = factor * slope_at(sorted_, p);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] += slope * (values_[i] <= at ? p - 1 : p);
  }
}

}  // namespace tracebed
