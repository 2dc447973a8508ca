#include "schedulers/hadoop1/fair/ratio_shares.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tracebed {
namespace {

// SchedulingAlgorithms.COMPUTE_FAIR_SHARES_ITERATIONS.
constexpr int ratio_bisections = 25;

// What shares are computed of, once for many ratios.
struct ShareTerms {
  double weight = 1;
  double minimum = 0;
  double demand = 0;

  double share_at(double ratio) const {
    return std::min(std::max(weight * ratio, minimum), demand);
  }
};

double sum_at(std::span<const ShareTerms> entries, double ratio) {
  double sum = 0;
  for (const ShareTerms& entry : entries) sum += entry.share_at(ratio);
  return sum;
}

// Java's division of doubles, for a weight of 0 too.
double per_weight(const RatioFigures& entry) {
  if (entry.weight != 0) return static_cast<double>(entry.running) / entry.weight;
  return entry.running == 0 ? 0 : HUGE_VAL;
}

}  // namespace

void divide_by_ratio(std::span<RatioFigures* const> entries, double slots) {
  double demand = 0;
  std::vector<ShareTerms> terms;
  terms.reserve(entries.size());
  for (const RatioFigures* entry : entries) {
    terms.push_back(
        {entry->weight, static_cast<double>(entry->minimum), static_cast<double>(entry->demand)});
    demand += terms.back().demand;
  }
  const double cap = std::min(demand, slots);
  double upper = 1;
  // Weights of 0 never use what is demanded, however large the ratio.
  constexpr double largest = 1e18;
  while (sum_at(terms, upper) < cap && upper < largest) upper *= 2;
  double lower = 0;
  for (int i = 0; i < ratio_bisections; ++i) {
    const double middle = (lower + upper) / 2;
    (sum_at(terms, middle) < cap ? lower : upper) = middle;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i]->share = terms[i].share_at(upper);
}

RatioRank rank_by_ratio(const RatioFigures& entry) {
  const std::int64_t least = std::min(entry.minimum, entry.demand);
  if (entry.running >= least) return {.is_satisfied = true, .part = per_weight(entry)};
  return {.is_satisfied = false,
          .part = static_cast<double>(entry.running) / std::max(static_cast<double>(least), 1.0)};
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
