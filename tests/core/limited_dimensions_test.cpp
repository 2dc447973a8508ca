#include "core/limited_dimensions.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace tracebed {
namespace {

constexpr LimitedDimensions all = LimitedDimensions::all();
constexpr LimitedDimensions without_vcores = LimitedDimensions::all_but_vcores();

Resources with_gpus(Resources amount, std::int64_t gpus) {
  amount[2] = gpus;
  return amount;
}

TEST(LimitedDimensions, AreAllUnlessSaidOtherwise) {
  EXPECT_EQ(LimitedDimensions(), all);
  EXPECT_TRUE(all.has_vcores());
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) EXPECT_TRUE(all.is_limited(d));
}

TEST(LimitedDimensions, WithoutVcoresAreMemoryAndWhatElseThereIs) {
  EXPECT_FALSE(without_vcores.has_vcores());
  EXPECT_FALSE(without_vcores.is_limited(Resources::vcores_dimension));
  for (std::size_t d = 1; d < Resources::dimensions_max; ++d) {
    EXPECT_TRUE(without_vcores.is_limited(d));
  }
}

// YARN-10848: sixteen containers of 1 vcore and 1 GiB fit in 16 GiB, whatever vcores there are.
TEST(LimitedDimensions, DecideHowManyContainersANodeHolds) {
  const Resources node(4'000, 16'384);
  const Resources unit(1'000, 1'024);
  EXPECT_EQ(all.count(unit, node), 4);
  EXPECT_EQ(without_vcores.count(unit, node), 16);
  EXPECT_TRUE(all.fits(unit, node, 4));
  EXPECT_FALSE(all.fits(unit, node, 5));
  EXPECT_TRUE(without_vcores.fits(unit, node, 16));
  EXPECT_FALSE(without_vcores.fits(unit, node, 17));
}

TEST(LimitedDimensions, LetARoomBeLessThanNothingWhereItIsNotLimited) {
  const Resources room(-12'000, 1'024);
  EXPECT_FALSE(all.fits({0, 1'024}, room));
  EXPECT_TRUE(without_vcores.fits({1'000, 1'024}, room));
  EXPECT_EQ(without_vcores.count({1'000, 512}, room), 2);
  EXPECT_EQ(without_vcores.count({1'000, 512}, {1'000, -1}), 0);
}

TEST(LimitedDimensions, LimitFurtherResources) {
  const Resources room = with_gpus({0, 8'192}, 3);
  EXPECT_EQ(without_vcores.count(with_gpus({9'000, 1'024}, 1), room), 3);
  EXPECT_FALSE(without_vcores.fits(with_gpus({0, 1}, 1), {9'000, 9}))
      << "what the room does not name it has none of";
  EXPECT_TRUE(without_vcores.fits({9'000, 1}, with_gpus({0, 1}, 0)));
}

TEST(LimitedDimensions, AreWithoutLimitForADemandOfNothing) {
  EXPECT_GT(without_vcores.count({5'000, 0}, {1'000, 1'024}), std::int64_t{1} << 40);
}

// Whatever the amounts: as many fit as are counted, and not one more.
TEST(LimitedDimensions, CountWhatFits) {
  Random random = Random::stream(1, "limited dimensions");
  for (int i = 0; i < 2'000; ++i) {
    const LimitedDimensions limits = random.chance(0.5) ? all : without_vcores;
    Resources demand(random.between(0, 5), random.between(1, 5));
    Resources room(random.between(0, 40), random.between(0, 40));
    if (random.chance(0.3)) demand[3] = random.between(0, 4);
    if (random.chance(0.3)) room[3] = random.between(0, 40);
    const std::int64_t count = limits.count(demand, room);
    EXPECT_TRUE(limits.fits(demand, room, count));
    EXPECT_FALSE(limits.fits(demand, room, count + 1));
  }
}

TEST(LimitedDimensions, AreWhatAMasterIsToldWithItsRoom) {
  const Resources room(3'000, 2'048);
  EXPECT_EQ(all.told_to_masters(room), room);
  EXPECT_EQ(LimitedDimensions::of_told(all.told_to_masters(room)), all);
  const Resources told = without_vcores.told_to_masters(room);
  EXPECT_EQ(told.memory_mib(), 2'048);
  EXPECT_EQ(LimitedDimensions::of_told(told), without_vcores);
}

}  // namespace
}  // namespace tracebed
