#include "report/repetition_test.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "core/random.h"

namespace tracebed {
namespace {

using Values = std::vector<double>;

// Seeds 1, 2, … on both sides.
RunPairs all_paired(std::size_t count) {
  std::vector<std::uint64_t> seeds(count);
  std::iota(seeds.begin(), seeds.end(), 1u);
  return pair_by_seed(seeds, seeds);
}

RunPairs unpaired(std::size_t baseline, std::size_t candidate) {
  std::vector<std::uint64_t> seeds(baseline + candidate);
  std::iota(seeds.begin(), seeds.end(), 1u);
  return pair_by_seed(std::span(seeds).first(baseline), std::span(seeds).last(candidate));
}

RepetitionTest paired_test(const Values& differences) {
  const Values baseline(differences.size(), 0.0);
  return test_repetitions(baseline, differences, all_paired(differences.size()), 1).value();
}

TEST(RunPairs, AreOfRunsWithTheSameSeedWhateverTheirOrder) {
  const RunPairs pairs =
      pair_by_seed(std::vector<std::uint64_t>{1, 2, 3}, std::vector<std::uint64_t>{3, 1, 9});
  const std::vector<std::pair<std::size_t, std::size_t>> expected{{0, 1}, {2, 0}};
  EXPECT_EQ(pairs.pairs, expected);
  EXPECT_FALSE(pairs.are_all());
  EXPECT_TRUE(
      pair_by_seed(std::vector<std::uint64_t>{5, 6}, std::vector<std::uint64_t>{6, 5}).are_all());
}

TEST(RunPairs, ARepeatedSeedIsUsedOnceForEachRun) {
  const std::vector<std::uint64_t> seeds{7, 7};
  const std::vector<std::pair<std::size_t, std::size_t>> expected{{0, 0}, {1, 1}};
  EXPECT_EQ(pair_by_seed(seeds, seeds).pairs, expected);
}

// Differences 1, 2 and 3: mean 2, standard error 1/√3, t = 3.464 with two degrees of freedom, of
// which p = 1 − t / √(2 + t²) and the quantile 4.303.
TEST(RepetitionTest, OfPairsIsStudentsT) {
  const RepetitionTest test = paired_test({1, 2, 3});
  EXPECT_DOUBLE_EQ(test.difference, 2);
  EXPECT_NEAR(test.standard_error, 0.57735, 1e-5);
  EXPECT_NEAR(test.p, 0.07418, 1e-5);
  EXPECT_NEAR(test.interval.low, 2 - 4.302653 * 0.57735, 1e-4);
  EXPECT_NEAR(test.interval.high, 2 + 4.302653 * 0.57735, 1e-4);
  EXPECT_FALSE(test.is_permuted);
}

// One degree of freedom: p = 1 − 2/π arctan 2 and a quantile of 12.706.
TEST(RepetitionTest, OfTwoPairsIsWide) {
  const RepetitionTest test = paired_test({1, 3});
  EXPECT_NEAR(test.p, 0.295167, 1e-6);
  EXPECT_NEAR(test.interval.high, 2 + 12.7062, 1e-3);
}

TEST(RepetitionTest, OfOneRunOnASideThereIsNone) {
  EXPECT_FALSE(test_repetitions(Values{1}, Values{2}, all_paired(1), 1).has_value());
  EXPECT_FALSE(test_repetitions(Values{1}, Values{2, 3, 4}, unpaired(1, 3), 1).has_value());
}

// Variances of the means 1 and 4/3: standard error √(7/3), degrees (7/3)² / (1 + (4/3)²/2).
TEST(RepetitionTest, OfRunsWithoutPartnersIsWelchsT) {
  const RepetitionTest test =
      test_repetitions(Values{10, 12}, Values{20, 24, 22}, unpaired(2, 3), 1).value();
  EXPECT_DOUBLE_EQ(test.difference, 11);
  EXPECT_NEAR(test.standard_error, std::sqrt(7.0 / 3), 1e-12);
  EXPECT_NEAR(test.degrees, 2.88235, 1e-5);
}

// What pairs gain by swinging together is theirs, and what they lose by swinging against each
// other.
TEST(RepetitionTest, PairsCountTheirCorrelation) {
  const Values baseline{1, 2, 3, 4};
  const RepetitionTest together =
      test_repetitions(baseline, Values{2.1, 3, 4.2, 5}, all_paired(4), 1).value();
  const RepetitionTest against =
      test_repetitions(baseline, Values{5, 4.2, 3, 2.1}, all_paired(4), 1).value();
  const RepetitionTest apart =
      test_repetitions(baseline, Values{5, 4.2, 3, 2.1}, unpaired(4, 4), 1).value();
  EXPECT_LT(together.standard_error, 0.1 * apart.standard_error);
  EXPECT_GT(against.standard_error, 1.3 * apart.standard_error);
}

// Three of four runs have partners. Cov over the pairs (1, 3), (2, 2), (3, 1) is −1, that of the
// means 3/16 of it, which comes off twice.
TEST(RepetitionTest, SomePairsWidenWelchsTAndNeverNarrowIt) {
  const std::vector<std::uint64_t> seeds{1, 2, 3, 4};
  const std::vector<std::uint64_t> others{1, 2, 3, 9};
  const RunPairs some = pair_by_seed(seeds, others);
  const Values baseline{1, 2, 3, 2.5};
  const auto error = [&](const Values& candidate, const RunPairs& pairs) {
    return test_repetitions(baseline, candidate, pairs, 1)->standard_error;
  };
  const Values against{3.5, 2.5, 1.5, 2.4};
  const double apart = error(against, unpaired(4, 4));
  EXPECT_NEAR(error(against, some), std::sqrt(apart * apart + 2 * 3.0 / 16), 1e-12);
  const Values together{1.1, 2.1, 3.1, 2.4};
  EXPECT_DOUBLE_EQ(error(together, some), error(together, unpaired(4, 4)));
}

// Without a spread t is infinite, and says nothing: of two signs drawn twice, half are equal.
TEST(RepetitionTest, EqualDifferencesAreToldByPermutation) {
  const RepetitionTest two = paired_test({5, 5});
  EXPECT_TRUE(two.is_permuted);
  EXPECT_DOUBLE_EQ(two.p, 0.5);
  EXPECT_TRUE(two.interval.contains(0));
  const RepetitionTest six = paired_test(Values(6, 5.0));
  EXPECT_DOUBLE_EQ(six.p, 2.0 / 64);
  EXPECT_EQ(six.interval, (ConfidenceInterval{5, 5}));
}

// Of 4 among 8 there are 70 choices, two of which part 1 and 2.
TEST(RepetitionTest, EqualValuesWithoutPartnersAreToldByPermutation) {
  const RepetitionTest four =
      test_repetitions(Values(4, 1.0), Values(4, 2.0), unpaired(4, 4), 1).value();
  EXPECT_DOUBLE_EQ(four.p, 2.0 / 70);
  const RepetitionTest two =
      test_repetitions(Values(2, 1.0), Values(2, 2.0), unpaired(2, 2), 1).value();
  EXPECT_DOUBLE_EQ(two.p, 2.0 / 6);
}

TEST(RepetitionTest, ManyArrangementsAreDrawn) {
  const RepetitionTest signs = paired_test(Values(16, 5.0));
  EXPECT_LT(signs.p, 0.001);
  const RepetitionTest sides =
      test_repetitions(Values(12, 1.0), Values(12, 2.0), unpaired(12, 12), 1).value();
  EXPECT_LT(sides.p, 0.001);
  EXPECT_GT(sides.p, 0);
}

TEST(RepetitionTest, NoDifferenceIsNone) {
  const RepetitionTest test = paired_test(Values(6, 0.0));
  EXPECT_EQ(test.p, 1);
  EXPECT_EQ(test.interval, (ConfidenceInterval{0, 0}));
}

// Of normal differences the bootstrap draws what Student's t supposes: 2.093 standard errors.
TEST(RepetitionTest, OfManyRepetitionsIsDrawn) {
  Random random(5);
  Values differences;
  for (int i = 0; i < 20; ++i) differences.push_back(1 + random.normal());
  const RepetitionTest test = paired_test(differences);
  const double half = (test.interval.high - test.interval.low) / 2;
  EXPECT_NEAR(half, 2.093 * test.standard_error, 0.25 * half);
  EXPECT_NE(half, 2.093024 * test.standard_error);
  EXPECT_LT(test.p, 0.01);
  EXPECT_EQ(test.interval, paired_test(differences).interval);
}

// One standard deviation with ten pairs: (t(0.025) + t(0.2))² = (2.262 + 0.883)² = 9.9 with nine
// degrees of freedom, but (2.306 + 0.889)² = 10.2 with eight.
TEST(RepetitionsNeeded, AreTheLeastThatFindTheDifference) {
  const RunPairs pairs = all_paired(3);
  RepetitionTest test;
  test.standard_error = 1 / std::sqrt(3.0);
  EXPECT_EQ(repetitions_needed(test, pairs, 1, 0.05), 10u);
  EXPECT_EQ(repetitions_needed(test, pairs, 10, 0.05), 4u) << "more than there are";
  EXPECT_GT(repetitions_needed(test, pairs, 1, 0.05 / 15), 15u);
  EXPECT_EQ(repetitions_needed(test, pairs, 0.001, 0.05), repetitions_reported_max + 1);
}

// Of many comparisons of a policy with itself, at most 5 % may call it different: with each kind of
// run effect, and without them; the bench has more kinds, and more repetitions.
TEST(RepetitionTest, CallsEqualSidesDifferentInAtMostFivePerCent) {
  constexpr int comparisons = 2'000;
  Random random(11);
  for (const std::size_t repetitions : {2u, 3u, 6u, 10u}) {
    for (const bool is_paired : {false, true}) {
      for (const bool is_skewed : {false, true}) {
        const RunPairs pairs =
            is_paired ? all_paired(repetitions) : unpaired(repetitions, repetitions);
        int different = 0;
        for (int n = 0; n < comparisons; ++n) {
          std::array<Values, 2> sides;
          for (std::size_t r = 0; r < repetitions; ++r) {
            const double shared = is_paired ? random.normal() : 0;
            for (Values& side : sides) {
              side.push_back(100 + shared + (is_skewed ? random.exponential(1) : random.normal()));
            }
          }
          different += test_repetitions(sides[0], sides[1], pairs, 1)->p <= 0.05 ? 1 : 0;
        }
        // 5 % and three standard errors of the count.
        EXPECT_LE(different, 100 + 30) << repetitions << (is_paired ? " paired" : " unpaired")
                                       << (is_skewed ? ", skewed" : "");
      }
    }
  }
}

}  // namespace
}  // namespace tracebed
