#include "core/random.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace tracebed {
namespace {

// The published generators, written down once more in their authors' form (prng.di.unimi.it) and
// checked against the published first outputs, to check ours against over a long stretch.
class ReferenceSplitMix64 {
 public:
  explicit ReferenceSplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

class ReferenceXoshiro256 {
 public:
  explicit ReferenceXoshiro256(std::array<std::uint64_t, 4> state) : s_(state) {}
  std::uint64_t next() {
    const std::uint64_t result = rotated(s_[1] * 5, 7) * 9;
    const std::uint64_t t = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= t;
    s_[3] = rotated(s_[3], 45);
    return result;
  }

 private:
  static std::uint64_t rotated(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }
  std::array<std::uint64_t, 4> s_;
};

ReferenceXoshiro256 reference_from_seed(std::uint64_t seed) {
  ReferenceSplitMix64 seeder(seed);
  std::array<std::uint64_t, 4> state{};
  for (std::uint64_t& word : state) word = seeder.next();
  return ReferenceXoshiro256(state);
}

TEST(ReferenceGenerators, GiveThePublishedFirstOutputs) {
  ReferenceSplitMix64 split_mix(1234567);
  for (std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                 4593380528125082431u, 16408922859458223821u}) {
    EXPECT_EQ(split_mix.next(), expected);
  }
  ReferenceXoshiro256 xoshiro({1, 2, 3, 4});
  for (std::uint64_t expected : {11520u, 0u, 1509978240u}) EXPECT_EQ(xoshiro.next(), expected);
  for (std::uint64_t expected : {1215971899390074240u, 1216172134540287360u, 607988272756665600u}) {
    EXPECT_EQ(xoshiro.next(), expected);
  }
}

TEST(RandomNumbers, AreXoshiro256StarStarSeededBySplitMix64) {
  Random zero(0);
  for (std::uint64_t expected :
       {0x99ec5f36cb75f2b4u, 0xbf6e1f784956452au, 0x1a5f849d4933e6e0u, 0x6aa594f1262d2d2cu}) {
    EXPECT_EQ(zero.next(), expected);
  }
  for (std::uint64_t seed : {1ull, 42ull, ~0ull}) {
    Random random(seed);
    ReferenceXoshiro256 reference = reference_from_seed(seed);
    for (int i = 0; i < 10'000; ++i) ASSERT_EQ(random.next(), reference.next());
  }
}

TEST(RandomNumbers, MixIsSplitMix64sOutputFunction) {
  EXPECT_EQ(mix(1234567 + 0x9E3779B97F4A7C15u), 6457827717110365317u);
}

TEST(RandomStreams, HaveKnownValues) {
  Random random = Random::stream(7, "arrivals");
  for (std::uint64_t expected : {0xebe92f8ac0f202d8u, 0xe199dbb1d50bb483u, 0x474beee0f72543e1u}) {
    EXPECT_EQ(random.next(), expected);
  }
}

TEST(RandomStreams, DifferByNameAndBySeed) {
  std::set<std::uint64_t> first_draws;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const char* name : {"", "a", "b", "ab", "ba", "arrivals", "arrivals "}) {
      first_draws.insert(Random::stream(seed, name).next());
    }
  }
  EXPECT_EQ(first_draws.size(), 700u);
}

// Correlation of 100,000 pairs of uniform draws; its standard deviation is 1/sqrt(n) = 0.0032, so
// four of them are 0.0127.
TEST(RandomStreams, AreUncorrelatedBetweenNeighbouringSeedsAndNames) {
  const auto correlation = [](Random x, Random y) {
    const int n = 100'000;
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += (x.unit() - 0.5) * (y.unit() - 0.5);
    return sum / n * 12;
  };
  EXPECT_LT(std::abs(correlation(Random::stream(1, "a"), Random::stream(2, "a"))), 0.0127);
  EXPECT_LT(std::abs(correlation(Random::stream(1, "a"), Random::stream(1, "b"))), 0.0127);
  EXPECT_LT(std::abs(correlation(Random(1), Random(2))), 0.0127);
}

TEST(RandomStreams, AreNotMovedByDrawsFromAnother) {
  Random lone = Random::stream(3, "faults");
  Random busy = Random::stream(3, "arrivals");
  Random paired = Random::stream(3, "faults");
  for (int i = 0; i < 100; ++i) {
    busy.normal();
    ASSERT_EQ(lone.next(), paired.next());
  }
}

TEST(UniformIntegers, StayBelowTheirBoundAndReachEveryValue) {
  Random random(11);
  std::array<int, 7> seen{};
  for (int i = 0; i < 70'000; ++i) ++seen.at(random.below(7));
  // Binomial with mean 10,000 and standard deviation 92.6.
  for (int count : seen) EXPECT_NEAR(count, 10'000, 4 * 93);
}

// With a bound of 3/4 of the range, folding the generator's range by remainder or by multiplication
// alone would draw the first third of the values (or of every three) twice as often.
TEST(UniformIntegers, AreWithoutBiasForLargeBounds) {
  Random random(12);
  const std::uint64_t bound = 3ull << 62;
  int low = 0;
  int divisible = 0;
  for (int i = 0; i < 90'000; ++i) {
    const std::uint64_t draw = random.below(bound);
    ASSERT_LT(draw, bound);
    low += draw < bound / 3;
    divisible += draw % 3 == 0;
  }
  EXPECT_NEAR(low, 30'000, 4 * 142);
  EXPECT_NEAR(divisible, 30'000, 4 * 142);
}

TEST(UniformIntegers, OfOneOutcomeAreThatOutcome) {
  Random random(13);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(random.below(1), 0u);
    ASSERT_EQ(random.between(-5, -5), -5);
  }
}

TEST(UniformIntegers, IncludeBothEndsOfARange) {
  Random random(14);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.between(-2, 2));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
}

TEST(UniformIntegers, CoverTheWholeRangeOf64Bits) {
  Random random(15);
  Random words(15);
  const std::int64_t low = std::numeric_limits<std::int64_t>::min();
  const std::int64_t high = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(static_cast<std::uint64_t>(random.between(low, high)), words.next() ^ (1ull << 63));
  }
}

TEST(UniformIntegersDeathTest, NeedAnOutcome) {
  Random random(1);
  EXPECT_EXIT(random.below(0), testing::ExitedWithCode(70), "at least one outcome");
  EXPECT_EXIT(random.between(2, 1), testing::ExitedWithCode(70), "range is not empty");
}

struct Moments {
  double mean = 0;
  double variance = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
};

constexpr int samples = 200'000;

Moments moments_of(const std::function<double()>& draw) {
  Moments moments;
  double sum_of_squares = 0;
  for (int i = 1; i <= samples; ++i) {
    const double x = draw();
    const double delta = x - moments.mean;
    moments.mean += delta / i;
    sum_of_squares += delta * (x - moments.mean);
    moments.smallest = std::min(moments.smallest, x);
    moments.largest = std::max(moments.largest, x);
  }
  moments.variance = sum_of_squares / samples;
  return moments;
}

// The tolerances below are four standard errors: sigma/sqrt(n) of a mean, and
// sigma^2 sqrt((kurtosis − 1)/n) of a variance.
void expect_moments(const Moments& moments, double mean, double variance, double kurtosis) {
  EXPECT_NEAR(moments.mean, mean, 4 * std::sqrt(variance / samples));
  EXPECT_NEAR(moments.variance, variance, 4 * variance * std::sqrt((kurtosis - 1) / samples));
}

TEST(Distributions, UnitIsUniformAndNeverOne) {
  Random random(21);
  const Moments moments = moments_of([&] { return random.unit(); });
  expect_moments(moments, 0.5, 1.0 / 12, 1.8);
  EXPECT_GE(moments.smallest, 0.0);
  EXPECT_LT(moments.largest, 1.0);
}

TEST(Distributions, UnitIsAMultipleOfItsPrecision) {
  Random random(22);
  Random words(22);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(random.unit() * 0x1.0p53, static_cast<double>(words.next() >> 11));
  }
}

TEST(Distributions, ChanceFiresAsOftenAsStated) {
  Random random(23);
  int fired = 0;
  for (int i = 0; i < samples; ++i) fired += random.chance(0.3);
  EXPECT_NEAR(fired, 0.3 * samples, 4 * std::sqrt(samples * 0.3 * 0.7));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_FALSE(random.chance(0));
    ASSERT_TRUE(random.chance(1));
  }
}

TEST(Distributions, ExponentialHasItsMean) {
  Random random(24);
  const Moments moments = moments_of([&] { return random.exponential(5); });
  expect_moments(moments, 5, 25, 9);
  EXPECT_GE(moments.smallest, 0);
}

TEST(Distributions, NormalIsStandard) {
  Random random(25);
  expect_moments(moments_of([&] { return random.normal(); }), 0, 1, 3);
}

TEST(Distributions, NormalPairsAreIndependent) {
  Random random(26);
  // A product of two independent standard normals has mean 0 and variance 1.
  const Moments moments = moments_of([&] {
    const double first = random.normal();
    return first * random.normal();
  });
  EXPECT_NEAR(moments.mean, 0, 4 / std::sqrt(samples));
}

TEST(Distributions, LognormalHasItsLogarithmsMoments) {
  Random random(27);
  expect_moments(moments_of([&] { return std::log(random.lognormal(4.5, 1.7)); }), 4.5, 1.7 * 1.7,
                 3);
}

// Mean αβ, variance αβ², kurtosis 3 + 6/α.
TEST(Distributions, GammaHasItsMomentsAboveAndBelowShapeOne) {
  struct Shape {
    double alpha;
    double beta;
  };
  for (const Shape& shape :
       {Shape{4.2, 0.94}, Shape{1.0, 3.0}, Shape{0.45, 2.0}, Shape{312, 0.03}}) {
    Random random(28);
    const Moments moments = moments_of([&] { return random.gamma(shape.alpha, shape.beta); });
    SCOPED_TRACE("shape " + std::to_string(shape.alpha));
    expect_moments(moments, shape.alpha * shape.beta, shape.alpha * shape.beta * shape.beta,
                   3 + 6 / shape.alpha);
    EXPECT_GE(moments.smallest, 0);
  }
}

TEST(DistributionsDeathTest, GammaNeedsPositiveParameters) {
  Random random(1);
  EXPECT_EXIT(random.gamma(0, 1), testing::ExitedWithCode(70), "positive parameters");
  EXPECT_EXIT(random.gamma(1, -1), testing::ExitedWithCode(70), "positive parameters");
}

}  // namespace
}  // namespace tracebed
