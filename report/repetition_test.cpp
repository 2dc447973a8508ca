#include "report/repetition_test.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/check.h"
#include "core/random.h"
#include "report/distributions.h"

namespace tracebed {
namespace {

constexpr std::size_t arrangements_max = 5'000;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Σ (a − mean a)(b − mean b) / (n − 1).
double covariance(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum / static_cast<double>(a.size() - 1);
}

// A t statistic's parts.
struct Estimate {
  double difference = 0;
  double standard_error = 0;
  double degrees = 1;

  double distance() const {
    if (difference == 0) return 0;
    return std::abs(difference) / standard_error;  // infinite without spread
  }
};

Estimate estimate_of_pairs(std::span<const double> differences) {
  const auto n = static_cast<double>(differences.size());
  return {mean_of(differences), std::sqrt(covariance(differences, differences) / n), n - 1};
}

// `shared` is Cov(mean of the baseline, mean of the candidate).
Estimate estimate_of_samples(std::span<const double> baseline, std::span<const double> candidate,
                             double shared) {
  const auto b = static_cast<double>(baseline.size());
  const auto c = static_cast<double>(candidate.size());
  const double of_baseline = covariance(baseline, baseline) / b;
  const double of_candidate = covariance(candidate, candidate) / c;
  const double sum = of_baseline + of_candidate;
  const double degrees =
      sum > 0 ? sum * sum /
                    (of_baseline * of_baseline / (b - 1) + of_candidate * of_candidate / (c - 1))
              : std::min(b, c) - 1;
  return {mean_of(candidate) - mean_of(baseline), std::sqrt(sum - 2 * shared), degrees};
}

double shared_variance(std::span<const double> baseline, std::span<const double> candidate,
                       const RunPairs& pairs) {
  if (pairs.pairs.size() < 2) return 0;
  std::vector<double> b;
  std::vector<double> c;
  for (const auto& [of_baseline, of_candidate] : pairs.pairs) {
    b.push_back(baseline[of_baseline]);
    c.push_back(candidate[of_candidate]);
  }
  return std::min(0.0, covariance(b, c)) * static_cast<double>(b.size()) /
         static_cast<double>(baseline.size() * candidate.size());
}

bool has_equal_values(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

// Sums of the same values in another order round differently.
bool is_as_far(double sum, double observed) {
  return std::abs(sum) >= std::abs(observed) * (1 - 1e-9);
}

// The part of all choices of signs with which the differences' sum is as far from zero.
double sign_permutation(std::span<const double> differences, Random& random) {
  const double observed = std::accumulate(differences.begin(), differences.end(), 0.0);
  const auto sum_under = [&](std::uint64_t signs) {
    double sum = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      sum += (signs >> i & 1) != 0 ? -differences[i] : differences[i];
    }
    return sum;
  };
  const std::size_t n = differences.size();
  std::size_t count = 0;
  if (n < 13) {
    const std::uint64_t all = std::uint64_t{1} << n;
    for (std::uint64_t signs = 0; signs < all; ++signs)
      count += is_as_far(sum_under(signs), observed);
    return static_cast<double>(count) / static_cast<double>(all);
  }
  for (std::size_t draw = 1; draw < arrangements_max; ++draw) {
    double sum = 0;
    for (const double difference : differences)
      sum += random.chance(0.5) ? -difference : difference;
    count += is_as_far(sum, observed);
  }
  return static_cast<double>(count + 1) / static_cast<double>(arrangements_max);
}

// The part of all choices of who is the candidate with which the means are as far apart.
double side_permutation(std::span<const double> baseline, std::span<const double> candidate,
                        Random& random) {
  std::vector<double> values(baseline.begin(), baseline.end());
  values.insert(values.end(), candidate.begin(), candidate.end());
  const double centre = mean_of(values);
  for (double& value : values) value -= centre;
  // Of centred values the means are as far apart as the candidate's sum is from zero.
  const std::size_t chosen = candidate.size();
  const auto sum_of = [&](std::span<const double> of) {
    return std::accumulate(of.begin(), of.end(), 0.0);
  };
  const double observed = sum_of(std::span(values).last(chosen));
  double arrangements = 1;
  for (std::size_t i = 0; i < chosen; ++i) {
    arrangements *= static_cast<double>(values.size() - i) / static_cast<double>(i + 1);
  }
  std::size_t count = 0;
  if (arrangements <= arrangements_max) {
    std::vector<bool> is_chosen(values.size());
    std::fill(is_chosen.end() - static_cast<std::ptrdiff_t>(chosen), is_chosen.end(), true);
    do {
      double sum = 0;
      for (std::size_t i = 0; i < values.size(); ++i) sum += is_chosen[i] ? values[i] : 0;
      count += is_as_far(sum, observed);
    } while (std::next_permutation(is_chosen.begin(), is_chosen.end()));
    return static_cast<double>(count) / std::round(arrangements);
  }
  for (std::size_t draw = 1; draw < arrangements_max; ++draw) {
    for (std::size_t i = 0; i < chosen; ++i) {
      std::swap(values[i], values[i + random.below(values.size() - i)]);
    }
    count += is_as_far(sum_of(std::span(values).first(chosen)), observed);
  }
  return static_cast<double>(count + 1) / static_cast<double>(arrangements_max);
}

std::vector<double> centred(std::span<const double> values) {
  const double mean = mean_of(values);
  std::vector<double> result(values.begin(), values.end());
  for (double& value : result) value -= mean;
  return result;
}

// Of as many draws from values whose mean is zero.
struct DrawnSample {
  DrawnSample(std::span<const double> values, Random& random) {
    const auto n = static_cast<double>(values.size());
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[random.below(values.size())];
      sum += value;
      squares += value * value;
    }
    mean = sum / n;
    variance_of_mean = std::max(0.0, squares / n - mean * mean) / (n - 1);
  }
  double mean = 0;
  double variance_of_mean = 0;
};

// How far the t statistics of drawn samples are from zero, where what they are drawn from has been
// moved to; ascending.
template <class Draw>
std::vector<double> drawn_distances(Draw draw) {
  std::vector<double> distances(bootstrap_replicates);
  for (double& distance : distances) distance = draw().distance();
  std::sort(distances.begin(), distances.end());
  return distances;
}

}  // namespace

std::optional<RepetitionTest> test_repetitions(std::span<const double> baseline,
                                               std::span<const double> candidate,
                                               const RunPairs& pairs, std::uint64_t seed) {
  TRACEBED_CHECK(baseline.size() == pairs.baseline_runs && candidate.size() == pairs.candidate_runs,
                 "every run has a value");
  if (pairs.repetitions_min() < 2) return std::nullopt;
  Random random = Random::stream(seed, "repetitions");
  std::vector<double> differences;
  for (const auto& [b, c] : pairs.pairs) differences.push_back(candidate[c] - baseline[b]);
  const bool is_paired = pairs.are_all();
  const double shared = is_paired ? 0 : shared_variance(baseline, candidate, pairs);
  const Estimate estimate =
      is_paired ? estimate_of_pairs(differences) : estimate_of_samples(baseline, candidate, shared);
  RepetitionTest test{.difference = estimate.difference,
                      .standard_error = estimate.standard_error,
                      .degrees = estimate.degrees,
                      .interval = {},
                      .p = 1,
                      .is_permuted = false};
  double quantile = 0;
  if (pairs.repetitions_min() < repetitions_for_bootstrap || estimate.standard_error == 0) {
    quantile = students_t_quantile(interval_level / 2, estimate.degrees);
    if (estimate.difference != 0)
      test.p = students_t_two_sided(estimate.distance(), estimate.degrees);
  } else {
    const std::vector<double> b =
        centred(is_paired ? std::span<const double>(differences) : baseline);
    const std::vector<double> c = centred(candidate);
    const std::vector<double> distances = drawn_distances([&]() -> Estimate {
      const DrawnSample first(b, random);
      if (is_paired) return {first.mean, std::sqrt(first.variance_of_mean), 1};
      const DrawnSample second(c, random);
      return {second.mean - first.mean,
              std::sqrt(first.variance_of_mean + second.variance_of_mean - 2 * shared), 1};
    });
    const auto outside =
        static_cast<std::size_t>(interval_level * static_cast<double>(bootstrap_replicates + 1));
    quantile = distances[distances.size() - outside];
    const auto farther =
        distances.end() - std::lower_bound(distances.begin(), distances.end(), estimate.distance());
    test.p = static_cast<double>(farther + 1) / static_cast<double>(bootstrap_replicates + 1);
  }
  const double half = quantile * estimate.standard_error;
  test.interval = {estimate.difference - half, estimate.difference + half};
  std::vector<double> values = differences;
  if (!is_paired) {
    values.assign(baseline.begin(), baseline.end());
    values.insert(values.end(), candidate.begin(), candidate.end());
  }
  if (estimate.difference != 0 && has_equal_values(std::move(values))) {
    test.is_permuted = true;
    test.p = std::max(test.p, is_paired ? sign_permutation(differences, random)
                                        : side_permutation(baseline, candidate, random));
    if (test.p > interval_level) test.interval = hull(test.interval, {0, 0});
  }
  return test;
}

std::uint64_t repetitions_needed(const RepetitionTest& test, const RunPairs& pairs,
                                 double difference, double level) {
  const auto n = static_cast<double>(pairs.repetitions_min());
  const double spread = n * test.standard_error * test.standard_error;
  const std::size_t degrees_of_each = pairs.are_all() ? 1 : 2;
  for (std::uint64_t wanted = pairs.repetitions_min() + 1; wanted <= repetitions_reported_max;
       ++wanted) {
    const auto degrees = static_cast<double>(degrees_of_each * (wanted - 1));
    const double factor =
        students_t_quantile(level / 2, degrees) + students_t_quantile(0.2, degrees);
    const double needed = factor * factor * spread / (difference * difference);
    if (static_cast<double>(wanted) >= needed) return wanted;
    // The factor falls with more repetitions, but not below that of the normal distribution.
    const double least = normal_quantile(level / 2) + normal_quantile(0.2);
    const double at_least = least * least * spread / (difference * difference);
    if (!(at_least <= static_cast<double>(repetitions_reported_max))) break;
    wanted = std::max(wanted, static_cast<std::uint64_t>(at_least));
  }
  return repetitions_reported_max + 1;
}

}  // namespace tracebed
