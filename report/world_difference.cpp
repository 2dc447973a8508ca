#include "report/world_difference.h"

#include <bit>
#include <optional>

#include "core/check.h"
#include "report/job_statistics.h"
#include "report/percentiles.h"

namespace tracebed {
namespace {

constexpr std::size_t subset_count = std::size_t{1} << jct_part_count;

constexpr std::int64_t factorial(std::size_t n) {
  return n < 2 ? 1 : static_cast<std::int64_t>(n) * factorial(n - 1);
}

// Per pair, the model's JCT with the parts in `subset` taken from the real run.
Duration mixed_jct(const PartsPair& pair, std::size_t subset) {
  Duration sum{};
  for (std::size_t p = 0; p < jct_part_count; ++p) {
    sum += (subset >> p & 1) != 0 ? pair.real[p] : pair.model[p];
  }
  return sum;
}

// In how many of all orders exactly the parts in `subset` come before part p.
std::int64_t orders_with(std::size_t subset) {
  const auto before = static_cast<std::size_t>(std::popcount(subset));
  return factorial(before) * factorial(jct_part_count - 1 - before);
}

// The pairs of one repetition, merged by job; both lists are sorted by it.
void pair_jobs(const RunFolder& model, const RunFolder& real, std::vector<PartsPair>& pairs,
               std::uint64_t& left_out) {
  for (const RunFolder* run : {&model, &real}) {
    TRACEBED_CHECK(run->parts.size() == run->jobs.size(), "worlds are compared by parts of jobs");
  }
  auto a = model.jobs.begin();
  auto b = real.jobs.begin();
  while (a != model.jobs.end() || b != real.jobs.end()) {
    if (b == real.jobs.end() || (a != model.jobs.end() && a->job < b->job)) {
      ++left_out;
      ++a;
    } else if (a == model.jobs.end() || b->job < a->job) {
      ++left_out;
      ++b;
    } else {
      if (a->outcome == JobOutcome::succeeded && b->outcome == JobOutcome::succeeded) {
        pairs.push_back({model.parts[static_cast<std::size_t>(a - model.jobs.begin())],
                         real.parts[static_cast<std::size_t>(b - real.jobs.begin())]});
      } else {
        ++left_out;
      }
      ++a;
      ++b;
    }
  }
}

std::optional<WorldDifference> difference_between(std::span<const RunFolder> runs,
                                                  const RunGroup& model, const RunGroup& real) {
  WorldDifference result;
  result.label = model.label;
  result.model_world = model.world;
  result.real_world = real.world;
  std::vector<PartsPair> pairs;
  auto a = model.runs.begin();
  auto b = real.runs.begin();
  while (a != model.runs.end() && b != real.runs.end()) {
    const std::uint32_t model_repetition = runs[*a].description.repetition;
    const std::uint32_t real_repetition = runs[*b].description.repetition;
    if (model_repetition == real_repetition) {
      pair_jobs(runs[*a], runs[*b], pairs, result.jobs_left_out);
      if (result.repetitions++ == 0) {
        result.model_attempts = runs[*a].attempts;
        result.real_attempts = runs[*b].attempts;
      }
    }
    if (model_repetition <= real_repetition) ++a;
    if (real_repetition <= model_repetition) ++b;
  }
  if (pairs.empty()) return std::nullopt;
  result.jobs = pairs.size();
  result.mean = split_mean(pairs);
  result.p50 = split_percentile(pairs, 50);
  result.p95 = split_percentile(pairs, 95);
  result.p99 = split_percentile(pairs, 99);
  return result;
}

}  // namespace

SplitDifference split_mean(std::span<const PartsPair> pairs) {
  TRACEBED_CHECK(!pairs.empty(), "a difference is split only where jobs are paired");
  SplitDifference split;
  const auto count = static_cast<double>(pairs.size());
  for (std::size_t p = 0; p < jct_part_count; ++p) {
    double model = 0;
    double real = 0;
    for (const PartsPair& pair : pairs) {
      model += to_seconds(pair.model[p]);
      real += to_seconds(pair.real[p]);
    }
    split.model += model / count;
    split.real += real / count;
    split.parts[p] = (real - model) / count;
  }
  split.difference = split.real - split.model;
  return split;
}

SplitDifference split_percentile(std::span<const PartsPair> pairs, unsigned percent) {
  std::array<Duration, subset_count> percentile;
  std::vector<Duration> values(pairs.size());
  for (std::size_t subset = 0; subset < subset_count; ++subset) {
    for (std::size_t i = 0; i < pairs.size(); ++i) values[i] = mixed_jct(pairs[i], subset);
    percentile[subset] = percentile_by_selection(std::span(values), percent);
  }
  SplitDifference split;
  split.model = to_seconds(percentile.front());
  split.real = to_seconds(percentile.back());
  split.difference = to_seconds(percentile.back() - percentile.front());
  for (std::size_t p = 0; p < jct_part_count; ++p) {
    Duration sum{};  // over all orders, so that nothing is rounded before the one division
    for (std::size_t subset = 0; subset < subset_count; ++subset) {
      if ((subset >> p & 1) != 0) continue;
      const Duration change = percentile[subset | std::size_t{1} << p] - percentile[subset];
      sum += change * orders_with(subset);
    }
    split.parts[p] = to_seconds(sum) / static_cast<double>(factorial(jct_part_count));
  }
  return split;
}

std::vector<std::pair<const char*, const SplitDifference*>> WorldDifference::statistics() const {
  std::vector<std::pair<const char*, const SplitDifference*>> all{
      {"mean", &mean}, {"p50", &p50}, {"p95", &p95}, {"p99", &p99}};
  while (jobs < jobs_for_statistic[all.size() - 1] * repetitions && all.size() > 1) all.pop_back();
  return all;
}

std::vector<WorldDifference> world_differences(std::span<const RunFolder> runs,
                                               std::span<const RunGroup> groups) {
  std::vector<WorldDifference> differences;
  for (const auto& [model, real] : world_pairs(groups)) {
    if (auto difference = difference_between(runs, *model, *real)) {
      differences.push_back(std::move(*difference));
    }
  }
  return differences;
}

}  // namespace tracebed
