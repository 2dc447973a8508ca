// Fair shares by bisection, against figures worked by hand.
#include "schedulers/yarn/fair/fair_shares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

std::vector<std::int64_t> shares_of(std::int64_t total, const std::vector<ShareClaim>& claims) {
  std::vector<std::int64_t> shares(claims.size(), -1);
  compute_fair_shares(claims, total, shares);
  return shares;
}

TEST(FairShares, EqualClaimsShareEqually) {
  EXPECT_THAT(shares_of(40, {{}, {}, {}, {}}), ElementsAre(10, 10, 10, 10));
  EXPECT_THAT(shares_of(40'000'000, {{}, {}, {}, {}}),
              ElementsAre(10'000'000, 10'000'000, 10'000'000, 10'000'000));
}

// Proves: 5.3.bisection, A6.3.3.shares
TEST(FairShares, WeightsDivideInProportion) {
  EXPECT_THAT(shares_of(45, {{.weight = 2}, {.weight = 1}, {.weight = 1}, {.weight = 0.5F}}),
              ElementsAre(20, 10, 10, 5));
}

// Proves: 5.3.bisection, A6.3.3.shares
TEST(FairShares, WhatOneMayNotHaveGoesToTheOthers) {
  EXPECT_THAT(shares_of(40, {{.maximum = 100}, {.maximum = 50}, {.maximum = 11}, {.maximum = 3}}),
              ElementsAre(13, 13, 11, 3));
  EXPECT_THAT(shares_of(45, {{.weight = 2, .maximum = 10},
                             {.weight = 1, .maximum = 11},
                             {.weight = 1, .maximum = 30},
                             {.weight = 0.5F, .maximum = 20}}),
              ElementsAre(10, 11, 16, 8));
}

// Proves: 5.3.minimum-is-a-floor
TEST(FairShares, AMinimumIsAFloorNotAnExtra) {
  EXPECT_THAT(shares_of(40, {{.minimum = 20}, {.minimum = 18}, {}, {.minimum = 2}}),
              ElementsAre(20, 18, 0, 2));
  EXPECT_THAT(shares_of(45, {{.weight = 2, .minimum = 20},
                             {.weight = 1},
                             {.weight = 1, .minimum = 5},
                             {.weight = 0.5F, .minimum = 15}}),
              ElementsAre(20, 5, 5, 15));
  EXPECT_THAT(shares_of(40, {{.minimum = 5}, {.minimum = 0}}), ElementsAre(20, 20));
}

TEST(FairShares, MinimaAreGivenEvenWhenTheyExceedTheTotal) {
  EXPECT_THAT(shares_of(10, {{.minimum = 20}, {.minimum = 18}, {}}), ElementsAre(20, 18, 0));
}

// Kept from the original: R is taken from above.
// Proves: 5.3.sums-may-exceed, 5.3.bisection, 16.shares-above-total
TEST(FairShares, MayAddUpToMoreThanTheTotal) {
  EXPECT_THAT(shares_of(10'240, {{}, {}, {}}), ElementsAre(3'414, 3'414, 3'414));
  EXPECT_THAT(shares_of(1, {{}, {}}), ElementsAre(1, 1));
}

// Proves: 5.3.fixed-maximum, 5.3.fixed-inactive
TEST(FairShares, TheInactiveAndThoseWhoMayHaveNothingLeaveTheirPartToTheOthers) {
  EXPECT_THAT(shares_of(40, {{}, {.is_active = false}, {}}), ElementsAre(20, 0, 20));
  EXPECT_THAT(shares_of(40, {{}, {.minimum = 10, .maximum = 0}, {}}), ElementsAre(20, 0, 20));
  EXPECT_THAT(shares_of(40, {{}, {.maximum = -5}, {}}), ElementsAre(20, 0, 20));
}

// Proves: 5.3.fixed-weight, 5.3.total
TEST(FairShares, WithoutWeightOnlyTheMinimumIsGivenAndTakenOffBefore) {
  EXPECT_THAT(shares_of(40, {{}, {.weight = 0, .minimum = 10}, {}}), ElementsAre(15, 10, 15));
  EXPECT_THAT(shares_of(40, {{}, {.weight = 0}}), ElementsAre(40, 0));
  EXPECT_THAT(shares_of(8, {{}, {.weight = 0, .minimum = 10}}), ElementsAre(0, 10));
}

// Proves: 5.3.total
TEST(FairShares, NobodyIsGivenMoreThanAllMayHave) {
  EXPECT_THAT(shares_of(100, {{.maximum = 7}, {.maximum = 5}}), ElementsAre(7, 5));
}

// Proves: 5.3.total
TEST(FairShares, SumsBeyondTheLargestNumberEndToo) {
  EXPECT_THAT(shares_of(unlimited, {{.minimum = unlimited}, {.minimum = unlimited}}),
              ElementsAre(unlimited, unlimited));
  EXPECT_THAT(shares_of(0, {{}, {}}), ElementsAre(0, 0));
  EXPECT_THAT(shares_of(40, {}), IsEmpty());
}

TEST(FairShares, KeepEveryBoundAndTheOrderOfWeights) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<ShareClaim> claims(static_cast<std::size_t>(random.between(1, 30)));
    for (ShareClaim& claim : claims) {
      claim.weight = static_cast<float>(random.between(0, 8)) / 2;
      claim.minimum = random.between(0, 50);
      claim.maximum = random.chance(0.5) ? unlimited : random.between(0, 300);
      claim.is_active = random.chance(0.9);
    }
    const std::vector<std::int64_t> shares = shares_of(random.between(0, 5'000), claims);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (!claims[i].is_active) {
        ASSERT_EQ(shares[i], 0);
        continue;
      }
      if (claims[i].weight > 0) {
        ASSERT_LE(shares[i], std::max<std::int64_t>(claims[i].maximum, 0));
        ASSERT_GE(shares[i], std::min(claims[i].minimum, claims[i].maximum));
      }
      for (std::size_t j = 0; j < claims.size(); ++j) {
        const bool claims_more = claims[j].is_active && claims[j].weight >= claims[i].weight &&
                                 claims[j].minimum >= claims[i].minimum &&
                                 claims[j].maximum >= claims[i].maximum && claims[i].weight > 0;
        if (claims_more) {
          ASSERT_GE(shares[j], shares[i]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tracebed
