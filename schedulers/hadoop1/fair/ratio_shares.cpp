#include "schedulers/hadoop1/fair/ratio_shares.h"

#include <algorithm>
#include <cmath>

namespace tracebed {
namespace {

// SchedulingAlgorithms.COMPUTE_FAIR_SHARES_ITERATIONS.
constexpr int ratio_bisections = 25;

double share_at(const RatioFigures& entry, double ratio) {
  const double share = std::max(entry.weight * ratio, static_cast<double>(entry.minimum));
  return std::min(share, static_cast<double>(entry.demand));
}

double sum_at(std::span<RatioFigures* const> entries, double ratio) {
  double sum = 0;
  for (const RatioFigures* entry : entries) sum += share_at(*entry, ratio);
  return sum;
}

// Java's division of doubles, for a weight of 0 too.
double per_weight(const RatioFigures& entry) {
  if (entry.weight != 0) return static_cast<double>(entry.running) / entry.weight;
  return entry.running == 0 ? 0 : HUGE_VAL;
}

int order(double a, double b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

}  // namespace

void divide_by_ratio(std::span<RatioFigures* const> entries, double slots) {
  double demand = 0;
  for (const RatioFigures* entry : entries) demand += static_cast<double>(entry->demand);
  const double cap = std::min(demand, slots);
  double upper = 1;
  // Weights of 0 never use what is demanded, however large the ratio.
  constexpr double largest = 1e18;
  while (sum_at(entries, upper) < cap && upper < largest) upper *= 2;
  double lower = 0;
  for (int i = 0; i < ratio_bisections; ++i) {
    const double middle = (lower + upper) / 2;
    (sum_at(entries, middle) < cap ? lower : upper) = middle;
  }
  for (RatioFigures* entry : entries) entry->share = share_at(*entry, upper);
}

int compare_by_ratio(const RatioFigures& a, const RatioFigures& b) {
  const std::int64_t least_a = std::min(a.minimum, a.demand);
  const std::int64_t least_b = std::min(b.minimum, b.demand);
  const bool is_a_needy = a.running < least_a;
  const bool is_b_needy = b.running < least_b;
  if (is_a_needy != is_b_needy) return is_a_needy ? -1 : 1;
  if (!is_a_needy) return order(per_weight(a), per_weight(b));
  const auto met = [](const RatioFigures& entry, std::int64_t least) {
    return static_cast<double>(entry.running) / std::max(static_cast<double>(least), 1.0);
  };
  return order(met(a, least_a), met(b, least_b));
}

std::int64_t tasks_to_preempt(const RatioFigures& pool, bool is_minimum_overdue,
                              bool is_share_overdue) {
  std::int64_t lacking = 0;
  if (is_minimum_overdue) {
    lacking = std::max(lacking, std::min(pool.minimum, pool.demand) - pool.running);
  }
  if (is_share_overdue) {
    const auto target =
        static_cast<std::int64_t>(std::min(pool.share, static_cast<double>(pool.demand)));
    lacking = std::max(lacking, target - pool.running);
  }
  return lacking;
}

bool lacks_minimum(const RatioFigures& pool) {
  return pool.running < std::min(pool.minimum, pool.demand);
}

bool lacks_half_share(const RatioFigures& pool) {
  const double half = std::floor(std::min(pool.share / 2, static_cast<double>(pool.demand)));
  return pool.running < static_cast<std::int64_t>(half);
}

}  // namespace tracebed
