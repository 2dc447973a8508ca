// Seeded random numbers. Standard engines and distributions may differ between libraries, so the
// generator and its distributions are our own. Every consumer has its own named stream, so that
// drawing more in one place changes nothing in another.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/mix.h"

namespace tracebed {

// xoshiro256** (Blackman and Vigna), seeded through SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  // The stream of `run_seed` that belongs to the consumer `name`.
  static Random stream(std::uint64_t run_seed, std::string_view name);

  std::uint64_t next();

  // Uniform in [0, bound), without bias; bound must be positive.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [low, high], both included.
  std::int64_t between(std::int64_t low, std::int64_t high);
  // Uniform in [0, 1), a multiple of 2^-53.
  double unit();
  // True with the given probability.
  bool chance(double probability) { return unit() < probability; }

  // Exponential with the given mean.
  double exponential(double mean);
  // Standard normal (Marsaglia's polar method; the second value of a pair is kept).
  double normal();
  // exp(mu + sigma × normal).
  double lognormal(double mu, double sigma);
  // Gamma with shape alpha > 0 and scale beta > 0 (Marsaglia and Tsang 2000).
  double gamma(double alpha, double beta);

 private:
  std::array<std::uint64_t, 4> state_{};
  double spare_normal_ = 0;
  bool has_spare_normal_ = false;
};

}  // namespace tracebed
