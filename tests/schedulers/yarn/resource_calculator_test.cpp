// YARN's arithmetic, against figures worked by hand. Amounts are (thousandths of a vcore, MiB).
#include "schedulers/yarn/resource_calculator.h"

#include <gtest/gtest.h>
#include <limits>

namespace tracebed {
namespace {

constexpr ResourceCalculator by_memory(ResourceCalculator::Kind::memory);
constexpr ResourceCalculator by_dominant(ResourceCalculator::Kind::dominant);

// Proves: 1.memory-calculator
TEST(MemoryCalculator, LooksAtMemoryOnly) {
  const Resources cluster(100'000, 100);
  EXPECT_TRUE(by_memory.compare({1'000, 20}, {99'000, 10}, cluster) > 0);
  EXPECT_TRUE(by_memory.compare({1'000, 20}, {99'000, 20}, cluster) == 0);
  EXPECT_TRUE(by_memory.fits({99'000, 20}, {1'000, 20}));
  EXPECT_FALSE(by_memory.fits({0, 21}, {1'000, 20}));
  EXPECT_EQ(by_memory.ratio({99'000, 10}, {1'000, 40}), 0.25F);
}

// Proves: 1.dominant-calculator
TEST(DominantCalculator, ComparesTheLargestShareThenTheNext) {
  const Resources cluster(100'000, 100'000);
  EXPECT_TRUE(by_dominant.compare({50'000, 10'000}, {40'000, 49'999}, cluster) > 0);
  EXPECT_TRUE(by_dominant.compare({50'000, 10'000}, {20'000, 50'000}, cluster) < 0);
  EXPECT_TRUE(by_dominant.compare({50'000, 10'000}, {10'000, 50'000}, cluster) == 0);
}

TEST(DominantCalculator, PassesOverWhatTheClusterDoesNotHave) {
  const Resources without_vcores(0, 1'000);
  EXPECT_TRUE(by_dominant.compare({5'000, 1}, {0, 2}, without_vcores) < 0);
  EXPECT_TRUE(by_dominant.compare({1, 0}, {0, 0}, without_vcores) == 0);
}

TEST(DominantCalculator, OnAnEmptyClusterMoreIsMoreInSomeAndLessInNone) {
  EXPECT_TRUE(by_dominant.compare({2'000, 10}, {1'000, 10}, Resources()) > 0);
  EXPECT_TRUE(by_dominant.compare({1'000, 9}, {1'000, 10}, Resources()) < 0);
  EXPECT_TRUE(by_dominant.compare({2'000, 9}, {1'000, 10}, Resources()) == 0);
}

TEST(DominantCalculator, ComparesThirdDimensionsToo) {
  Resources cluster(10'000, 10'000);
  cluster[2] = 4;
  Resources a(1'000, 1'000);
  Resources b(2'000, 2'000);
  a[2] = 1;  // a quarter of all, against a fifth
  EXPECT_TRUE(by_dominant.compare(a, b, cluster) > 0);
  b[2] = 1;  // now equal in the largest; a tenth against a fifth in the next
  EXPECT_TRUE(by_dominant.compare(a, b, cluster) < 0);
}

TEST(DominantCalculator, FitsOnlyWhatFitsInEveryDimension) {
  EXPECT_TRUE(by_dominant.fits({1'000, 20}, {1'000, 20}));
  EXPECT_FALSE(by_dominant.fits({1'001, 20}, {1'000, 20}));
  EXPECT_FALSE(by_dominant.fits({1'000, 21}, {1'000, 20}));
}

TEST(ResourceCalculator, TheRatioIsTheLargestPart) {
  EXPECT_EQ(by_dominant.ratio({1'000, 10}, {2'000, 40}), 0.5F);
  EXPECT_EQ(by_dominant.ratio({0, 10}, {0, 40}), 0.25F) << "nothing of nothing does not count";
  EXPECT_EQ(by_dominant.ratio({1'000, 10}, {0, 40}), std::numeric_limits<float>::infinity());
}

TEST(ResourceCalculator, DividesDominantShares) {
  const Resources cluster(10'000, 100);
  // Half of the memory against a fifth of the vcores.
  EXPECT_EQ(by_dominant.divide({1'000, 50}, {2'000, 10}, cluster), 2.5F);
  EXPECT_EQ(by_memory.divide({1'000, 50}, {2'000, 10}, cluster), 5.0F);
}

// ---- rounding ----

TEST(ResourceCalculator, RoundsToMultiplesOfTheStep) {
  const Resources step(1'000, 1'024);
  EXPECT_EQ(by_dominant.round_up({1'001, 1'025}, step), Resources(2'000, 2'048));
  EXPECT_EQ(by_dominant.round_up({2'000, 2'048}, step), Resources(2'000, 2'048));
  EXPECT_EQ(by_dominant.round_down({1'999, 2'047}, step), Resources(1'000, 1'024));
  EXPECT_EQ(by_memory.round_up({1'001, 1'025}, step), Resources(0, 2'048));
  EXPECT_EQ(by_memory.round_down({1'999, 2'047}, step), Resources(0, 1'024));
}

TEST(ResourceCalculator, AStepOfNothingIsNoStepForOneAndNothingForTheOther) {
  EXPECT_EQ(by_dominant.round_up({1'500, 7}, Resources()), Resources(1'500, 7));
  EXPECT_EQ(by_memory.round_up({1'500, 7}, Resources()), Resources());
  EXPECT_EQ(by_memory.round_down({1'500, 7}, Resources()), Resources());
}

TEST(ResourceCalculator, NormalizesBetweenMinimumAndMaximum) {
  const Resources minimum(1'000, 1'024);
  const Resources maximum(4'000, 8'192);
  const Resources step(1'000, 512);
  struct Row {
    Resources asked, with_memory, with_dominant;
  };
  const Row rows[] = {
      {{0, 1}, {0, 1'024}, {1'000, 1'024}},
      {{1'500, 1'100}, {0, 1'536}, {2'000, 1'536}},
      {{9'000, 9'000}, {0, 8'192}, {4'000, 8'192}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(by_memory.normalize(row.asked, minimum, maximum, step), row.with_memory);
    EXPECT_EQ(by_dominant.normalize(row.asked, minimum, maximum, step), row.with_dominant);
  }
  EXPECT_EQ(by_memory.normalize({0, 1'025}, minimum, maximum, Resources()), Resources(0, 2'048))
      << "without a step the minimum is the step";
}

// Proves: 1.up-by-memory
TEST(MemoryCalculator, MultipliesToTheNearestThenUpToTheStep) {
  const Resources one(1'000, 1);
  EXPECT_EQ(by_memory.multiply_and_normalize_up({0, 10}, 0.14, one), Resources(0, 1)) << "1.4";
  EXPECT_EQ(by_memory.multiply_and_normalize_up({0, 10}, 0.15, one), Resources(0, 2)) << "1.5";
  EXPECT_EQ(by_memory.multiply_and_normalize_up({0, 2}, 0.2, one), Resources()) << "0.4";
  EXPECT_EQ(by_memory.multiply_and_normalize_up({0, 10}, 0.11, Resources(1'000, 4)),
            Resources(0, 4));
  EXPECT_EQ(by_memory.multiply_and_normalize_down({0, 10}, 0.19, one), Resources(0, 1)) << "1.9";
  EXPECT_EQ(by_memory.multiply_and_normalize_down({0, 100}, 0.19, Resources(1'000, 8)),
            Resources(0, 16));
}

// Proves: 1.up-by-dominant
TEST(DominantCalculator, MultipliesUpToTheCeilingOfAFloat) {
  const Resources one(1'000, 1);
  EXPECT_EQ(by_dominant.multiply_and_normalize_up({10'000, 10}, 0.14, one), Resources(2'000, 2));
  // 0.1f is a little more than a tenth; as a double the product would be raised to 5.
  EXPECT_EQ(by_dominant.multiply_and_normalize_up({40'000, 40}, 0.1F, one), Resources(4'000, 4));
  EXPECT_EQ(by_dominant.multiply_and_normalize_up({2'000, 2}, 0.2, one), Resources(1'000, 1));
  EXPECT_EQ(by_dominant.multiply_and_normalize_down({10'000, 10}, 0.19, one), Resources(1'000, 1));
}

// Proves: 1.division-by-nothing
TEST(ResourceCalculator, DividesUp) {
  EXPECT_EQ(by_dominant.divide_and_ceil({10'000, 10}, std::int64_t{4}), Resources(3'000, 3));
  EXPECT_EQ(by_dominant.divide_and_ceil({10'000, 10}, 3.5F), Resources(3'000, 3));
  EXPECT_EQ(by_memory.divide_and_ceil({10'000, 10}, std::int64_t{3}), Resources(0, 4));
  EXPECT_EQ(by_dominant.divide_and_ceil({10'000, 10}, std::int64_t{0}), Resources());
  EXPECT_EQ(by_dominant.divide_and_ceil({10'000, 10}, 0.0F), Resources());
}

// Proves: 1.products-are-cut
TEST(ResourceCalculator, AProductIsCut) {
  EXPECT_EQ(multiply_and_cut({10'000, 10}, 0.19), Resources(1'000, 1)) << "1.9 of each";
  EXPECT_EQ(multiply_and_cut({3'000, 3}, 1.5), Resources(4'000, 4)) << "4.5 of each";
}

}  // namespace
}  // namespace tracebed
