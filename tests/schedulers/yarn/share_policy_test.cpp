// The order of siblings under the Fair Scheduler's policies, against figures worked by hand.
// Amounts are (thousandths of a vcore, MiB).
#include "schedulers/yarn/fair/share_policy.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "core/random.h"
#include "schedulers/yarn/memory_only.h"

namespace tracebed {
namespace {

const Resources plain_cluster(10'000, 10'000);

// The names of `siblings` in the order in which they are offered resources.
std::string offered(std::vector<Schedulable> siblings, SharePolicy policy,
                    const Resources& resources = plain_cluster) {
  for (std::size_t i = 0; i < siblings.size(); ++i) siblings[i].id = static_cast<std::uint32_t>(i);
  const auto before = [&](const Schedulable& a, const Schedulable& b) {
    return compare(a, b, policy, resources) < 0;
  };
  // Both ways round, so that the outcome is not that of the input's order.
  std::vector<Schedulable> reversed(siblings.rbegin(), siblings.rend());
  std::sort(siblings.begin(), siblings.end(), before);
  std::sort(reversed.begin(), reversed.end(), before);
  std::string names;
  for (const Schedulable& sibling : siblings) names += sibling.name;
  std::string names_reversed;
  for (const Schedulable& sibling : reversed) names_reversed += sibling.name;
  EXPECT_EQ(names, names_reversed);
  return names;
}

// ---- fair ----

TEST(FairPolicy, LessUseGoesFirst) {
  EXPECT_EQ(offered({{.demand = memory_only(500), .usage = memory_only(200), .name = "a"},
                     {.demand = memory_only(500), .usage = memory_only(100), .name = "b"}},
                    SharePolicy::fair),
            "ba");
}

// Proves: 5.4.fair-by-weight, A6.3.2.sort
TEST(FairPolicy, UseIsDividedByWeight) {
  // 200 / 4 against 100 / 1.
  EXPECT_EQ(
      offered({{.demand = memory_only(500), .usage = memory_only(100), .name = "a"},
               {.demand = memory_only(500), .usage = memory_only(200), .weight = 4, .name = "b"}},
              SharePolicy::fair),
      "ba");
}

// Proves: 5.4.fair-needy-first, A6.3.2.sort
TEST(FairPolicy, BelowTheMinimumGoesFirst) {
  EXPECT_EQ(offered({{.demand = memory_only(500), .usage = memory_only(0), .name = "a"},
                     {.demand = memory_only(900),
                      .usage = memory_only(400),
                      .minimum = memory_only(401),
                      .name = "b"}},
                    SharePolicy::fair),
            "ba");
  // At the minimum it is not below.
  EXPECT_EQ(offered({{.demand = memory_only(500), .usage = memory_only(0), .name = "a"},
                     {.demand = memory_only(900),
                      .usage = memory_only(400),
                      .minimum = memory_only(400),
                      .name = "b"}},
                    SharePolicy::fair),
            "ab");
}

// Proves: 5.4.fair-needy-first, G10.needy
TEST(FairPolicy, AMinimumCountsOnlyAsFarAsItIsWanted) {
  EXPECT_EQ(offered({{.demand = memory_only(500), .usage = memory_only(0), .name = "a"},
                     {.demand = memory_only(400),
                      .usage = memory_only(400),
                      .minimum = memory_only(800),
                      .name = "b"}},
                    SharePolicy::fair),
            "ab");
}

// Proves: 5.4.fair-needy-first, A6.3.2.sort
TEST(FairPolicy, AmongThoseBelowTheMinimumTheLeastMetGoesFirst) {
  // Eight of ten against fifty of a hundred.
  EXPECT_EQ(offered({{.demand = memory_only(500),
                      .usage = memory_only(8),
                      .minimum = memory_only(10),
                      .name = "a"},
                     {.demand = memory_only(500),
                      .usage = memory_only(50),
                      .minimum = memory_only(100),
                      .name = "b"}},
                    SharePolicy::fair),
            "ba");
}

// Proves: 5.4.fair-idle-last
TEST(FairPolicy, WhoWantsNothingComesLast) {
  EXPECT_EQ(offered({{.minimum = memory_only(100), .name = "a"},
                     {.demand = memory_only(900), .usage = memory_only(800), .name = "b"}},
                    SharePolicy::fair),
            "ba");
}

// Proves: 5.4.fair-by-weight
TEST(FairPolicy, WithoutWeightOneLosesAndTwoCompareTheirUse) {
  EXPECT_EQ(
      offered({{.demand = memory_only(500), .usage = memory_only(1), .weight = 0, .name = "a"},
               {.demand = memory_only(500), .usage = memory_only(400), .weight = 0.5F, .name = "b"},
               {.demand = memory_only(500), .usage = memory_only(0), .weight = 0, .name = "c"}},
              SharePolicy::fair),
      "bca");
}

// Proves: 5.4.ties
TEST(EveryPolicy, TiesGoByStartThenNameThenId) {
  for (const SharePolicy policy : {SharePolicy::fair, SharePolicy::drf, SharePolicy::fifo}) {
    EXPECT_EQ(offered({{.demand = memory_only(5), .start = trace_time(2), .name = "a"},
                       {.demand = memory_only(5), .start = trace_time(1), .name = "c"},
                       {.demand = memory_only(5), .start = trace_time(1), .name = "b"}},
                      policy),
              "bca");
    Schedulable first{.demand = memory_only(5), .name = "x", .id = 1};
    Schedulable second = first;
    second.id = 2;
    EXPECT_TRUE(compare(first, second, policy, plain_cluster) < 0);
    EXPECT_TRUE(compare(second, first, policy, plain_cluster) > 0);
  }
}

// ---- drf ----

// Proves: 5.4.drf-dominant
TEST(DrfPolicy, TheDominantShareDecides) {
  // a: 3/10 of the vcores; b: 4/10 of the memory.
  EXPECT_EQ(
      offered({{.usage = {1'000, 4'000}, .name = "b"}, {.usage = {3'000, 1'000}, .name = "a"}},
              SharePolicy::drf),
      "ab");
}

// Proves: 5.4.drf-by-weight
TEST(DrfPolicy, EqualDominantSharesLookAtTheNext) {
  EXPECT_EQ(
      offered({{.usage = {4'000, 2'000}, .name = "a"}, {.usage = {1'000, 4'000}, .name = "b"}},
              SharePolicy::drf),
      "ba");
}

// Proves: 5.4.drf-by-weight
TEST(DrfPolicy, SharesAreDividedByWeight) {
  EXPECT_EQ(offered({{.usage = {4'000, 0}, .weight = 2, .name = "a"},
                     {.usage = {3'000, 0}, .weight = 1, .name = "b"}},
                    SharePolicy::drf),
            "ab");
}

// Proves: 5.4.drf-by-weight
TEST(DrfPolicy, WithoutWeightAnyUseIsInfinitelyMuch) {
  EXPECT_EQ(offered({{.usage = {1'000, 0}, .weight = 0, .name = "a"},
                     {.usage = {9'000, 0}, .weight = 1, .name = "b"},
                     {.usage = {0, 0}, .weight = 0, .name = "c"}},
                    SharePolicy::drf),
            "cba");
}

// Proves: 5.4.drf-needy
TEST(DrfPolicy, NeedyIsWhoIsBelowTheMinimumInItsDominantResource) {
  // a is below its minimum of memory, but its dominant resource is vcores; b is below in vcores.
  EXPECT_EQ(offered({{.usage = {3'000, 1'000}, .minimum = {0, 2'000}, .name = "a"},
                     {.usage = {4'000, 1'000}, .minimum = {5'000, 0}, .name = "b"}},
                    SharePolicy::drf),
            "ba");
}

// Proves: 5.4.drf-needy, 16.drf-idle
TEST(DrfPolicy, AMinimumCountsThoughNothingIsWanted) {
  EXPECT_EQ(offered({{.demand = {9'000, 9'000}, .usage = {1'000, 0}, .name = "a"},
                     {.usage = {2'000, 0}, .minimum = {3'000, 0}, .name = "b"}},
                    SharePolicy::drf),
            "ba");
}

// Proves: 5.4.drf-by-minimum
TEST(DrfPolicy, AmongTheNeedyTheLeastMetGoesFirst) {
  // 2 of 4 vcores against 1 of 3.
  EXPECT_EQ(offered({{.usage = {2'000, 0}, .minimum = {4'000, 0}, .name = "a"},
                     {.usage = {1'000, 0}, .minimum = {3'000, 0}, .name = "b"}},
                    SharePolicy::drf),
            "ba");
  // Both at a half of their dominant resource; of memory, a quarter against all.
  EXPECT_EQ(offered({{.usage = {2'000, 500}, .minimum = {4'000, 500}, .name = "a"},
                     {.usage = {2'000, 500}, .minimum = {4'000, 2'000}, .name = "b"}},
                    SharePolicy::drf),
            "ba");
}

// Proves: 5.4.drf-dominant
TEST(DrfPolicy, InATieMemoryIsDominant) {
  // Half of each; b is below its minimum of memory, a of vcores only.
  EXPECT_EQ(offered({{.usage = {5'000, 5'000}, .minimum = {6'000, 0}, .name = "a"},
                     {.usage = {5'000, 5'000}, .minimum = {0, 6'000}, .name = "b"}},
                    SharePolicy::drf),
            "ba");
}

TEST(DrfPolicy, LooksAtThirdResources) {
  Resources with_gpus = plain_cluster;
  with_gpus[2] = 4;
  Schedulable a{.usage = {1'000, 1'000}, .name = "a"};
  a.usage[2] = 2;  // half of all gpus
  const Schedulable b{.usage = {4'000, 1'000}, .name = "b"};
  EXPECT_EQ(offered({a, b}, SharePolicy::drf, with_gpus), "ba");
}

// Proves: 5.4.drf-needy
TEST(DrfPolicy, AtTheMinimumIsNotBelowIt) {
  EXPECT_EQ(offered({{.usage = {3'000, 0}, .minimum = {3'000, 0}, .name = "a"},
                     {.usage = {2'000, 0}, .name = "b"}},
                    SharePolicy::drf),
            "ba");
}

// 2^24 + 1 of 2^25 is more than 2^24 of it, but not in 32 bits.
// Proves: 5.4.drf-floats
TEST(DrfPolicy, WithThreeResourcesQuotientsHave32Bits) {
  Resources large(0, std::int64_t{1} << 25);
  const Schedulable a{.usage = memory_only((1 << 24) + 1), .name = "a"};
  const Schedulable b{.usage = memory_only(1 << 24), .name = "b"};
  EXPECT_EQ(offered({a, b}, SharePolicy::drf, large), "ba");
  large[2] = 4;
  EXPECT_EQ(offered({a, b}, SharePolicy::drf, large), "ab");
}

TEST(DrfPolicy, PassesOverWhatTheClusterDoesNotHave) {
  const Resources without_vcores(0, 10'000);
  EXPECT_EQ(offered({{.usage = {9'000, 2'000}, .name = "a"}, {.usage = {0, 3'000}, .name = "b"}},
                    SharePolicy::drf, without_vcores),
            "ab");
}

// ---- fifo ----

// Proves: 5.4.fifo
TEST(FifoPolicy, PriorityThenStart) {
  EXPECT_EQ(offered({{.usage = memory_only(0), .priority = 1, .start = trace_time(1), .name = "a"},
                     {.usage = memory_only(9), .priority = 2, .start = trace_time(2), .name = "b"},
                     {.usage = memory_only(9), .priority = 1, .start = trace_time(0), .name = "c"}},
                    SharePolicy::fifo),
            "bca");
}

// Proves: 5.3.weight-of-application
TEST(SizeBasedWeight, IsTheLogarithmOfTheDemand) {
  EXPECT_EQ(size_based_weight(0), 0.0F);
  EXPECT_EQ(size_based_weight(1), 1.0F);
  EXPECT_EQ(size_based_weight(1'023), 10.0F);
}

// A sort needs a strict weak order: whatever the figures, three can't stand in a circle.
TEST(EveryPolicy, NeverStandsInACircle) {
  Random random(3);
  const auto amounts = [&] { return Resources(random.between(0, 2), random.between(0, 2)); };
  for (int round = 0; round < 20'000; ++round) {
    std::array<Schedulable, 3> three;
    for (std::uint32_t i = 0; i < 3; ++i) {
      three[i] = {.demand = amounts(),
                  .usage = amounts(),
                  .minimum = amounts(),
                  .weight = static_cast<float>(random.between(0, 2)),
                  .id = i};
    }
    for (const SharePolicy policy : {SharePolicy::fair, SharePolicy::drf, SharePolicy::fifo}) {
      const auto before = [&](std::size_t i, std::size_t j) {
        return compare(three[i], three[j], policy, {2, 2}) < 0;
      };
      ASSERT_FALSE(before(0, 1) && before(1, 2) && before(2, 0)) << "round " << round;
      ASSERT_FALSE(before(1, 0) && before(2, 1) && before(0, 2)) << "round " << round;
      ASSERT_NE(before(0, 1), before(1, 0));
    }
  }
}

}  // namespace
}  // namespace tracebed
