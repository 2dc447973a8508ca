#include "core/random.h"

#include <bit>
#include <cmath>

#include "core/check.h"

namespace tracebed {

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) {
    seed += 0x9E3779B97F4A7C15u;
    word = mix(seed);
  }
}

Random Random::stream(std::uint64_t run_seed, std::string_view name) {
  // FNV-1a over the name, then mixed with the seed.
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3u;
  }
  return Random(mix(run_seed ^ mix(hash)));
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  TRACEBED_CHECK(bound > 0, "a random draw has at least one outcome");
  // Lemire's multiplication with rejection of the uneven remainder.
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) {
      product = static_cast<Wide>(next()) * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  TRACEBED_CHECK(low <= high, "a random range is not empty");
  const std::uint64_t width =
      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t draw = width == 0 ? next() : below(width);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + draw);
}

double Random::unit() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double Random::exponential(double mean) {
  return -mean * std::log1p(-unit());
}

double Random::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2 * unit() - 1;
    y = 2 * unit() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const double scale = std::sqrt(-2 * std::log(square) / square);
  spare_normal_ = y * scale;
  has_spare_normal_ = true;
  return x * scale;
}

double Random::lognormal(double mu, double sigma) {
  return std::exp(mu + sigma * normal());
}

double Random::gamma(double alpha, double beta) {
  TRACEBED_CHECK(alpha > 0 && beta > 0, "a gamma distribution has positive parameters");
  if (alpha < 1) {
    // Gamma(a) = Gamma(a + 1) × U^(1/a).
    return gamma(alpha + 1, beta) * std::pow(1 - unit(), 1 / alpha);
  }
  const double d = alpha - 1.0 / 3.0;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(1 - unit()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v * beta;
  }
}

}  // namespace tracebed
