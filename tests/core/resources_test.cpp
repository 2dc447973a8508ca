#include "core/resources.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace tracebed {
namespace {

constexpr std::size_t gpu = 2;
constexpr std::size_t last_dimension = Resources::dimensions_max - 1;

Resources with(Resources base, std::size_t dimension, std::int64_t amount) {
  base[dimension] = amount;
  return base;
}

TEST(ResourceVectors, StartAtZeroInEveryDimension) {
  EXPECT_TRUE(Resources().is_zero());
  for (std::size_t i = 0; i < Resources::dimensions_max; ++i) EXPECT_EQ(Resources()[i], 0);
  EXPECT_FALSE(with({}, last_dimension, 1).is_zero());
}

TEST(ResourceVectors, NameVcoresAndMemoryFirst) {
  const Resources resources(1500, 2048);
  EXPECT_EQ(resources.milli_vcores(), 1500);
  EXPECT_EQ(resources.memory_mib(), 2048);
  EXPECT_EQ(resources[Resources::vcores_dimension], 1500);
  EXPECT_EQ(resources[Resources::memory_dimension], 2048);
}

TEST(ResourceVectors, AddSubtractAndScaleEveryDimension) {
  const Resources a = with(Resources(1000, 2048), last_dimension, 3);
  const Resources b = with(Resources(500, 1024), last_dimension, 1);
  EXPECT_EQ(a + b, with(Resources(1500, 3072), last_dimension, 4));
  EXPECT_EQ(a - b, with(Resources(500, 1024), last_dimension, 2));
  EXPECT_EQ(b * 3, with(Resources(1500, 3072), last_dimension, 3));
  EXPECT_EQ(a * 0, Resources());
  EXPECT_EQ(a + b - b, a);
}

TEST(ResourceVectors, KnowWhetherAnyDimensionIsNegative) {
  EXPECT_FALSE(Resources().has_negative());
  EXPECT_TRUE(with(Resources(1, 1), last_dimension, -1).has_negative());
  EXPECT_TRUE((Resources(1, 1) - Resources(2, 0)).has_negative());
}

TEST(ResourceVectors, FitOnlyIfEveryDimensionDoes) {
  const Resources room = with(Resources(4000, 8192), gpu, 1);
  EXPECT_TRUE(Resources().fits_in(room));
  EXPECT_TRUE(room.fits_in(room)) << "all of it fits";
  EXPECT_FALSE(Resources(4001, 1).fits_in(room));
  EXPECT_FALSE(Resources(1, 8193).fits_in(room));
  EXPECT_FALSE(with(Resources(1, 1), gpu, 2).fits_in(room));
  EXPECT_FALSE(with(Resources(1, 1), last_dimension, 1).fits_in(room))
      << "a dimension that the node lacks";
}

TEST(ResourceVectors, FitNowhereThatIsOverdrawn) {
  // Even a demand that names nothing of the overdrawn dimension: 0 is more than −1.
  EXPECT_FALSE(Resources(0, 100).fits_in(Resources(-1, 1000)));
}

struct CountCase {
  Resources demand;
  Resources room;
  std::int64_t count;
};

TEST(ResourceVectors, CountHowOftenTheyFit) {
  const std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
  const std::vector<CountCase> cases = {
      {{1000, 1024}, {4000, 8192}, 4},  // vcores bind: 4 against 8
      {{1000, 4096}, {4000, 8192}, 2},  // memory binds: 4 against 2
      {{1000, 1024}, {3999, 8192}, 3},  // rounded down
      {{1000, 0}, {4000, 0}, 4},        // a dimension not asked for does not bind
      {{0, 1024}, {0, 2048}, 2},
      {{1000, 1024}, {0, 8192}, 0},
      {{1000, 1024}, {-2000, 8192}, 0},  // an overdrawn node holds none, not minus two
      {{0, 0}, {4000, 8192}, unlimited},
      {with({1000, 1024}, gpu, 1), {4000, 8192}, 0},
      {with({1000, 1024}, gpu, 2), with({64000, 65536}, gpu, 7), 3},
  };
  for (const CountCase& c : cases) {
    EXPECT_EQ(c.demand.count_in(c.room), c.count)
        << c.demand.milli_vcores() << "," << c.demand.memory_mib() << " in "
        << c.room.milli_vcores() << "," << c.room.memory_mib();
  }
}

TEST(ResourceVectors, AreAddedSeveralTimesAndFitSeveralTimes) {
  Resources sum(10, 20);
  sum.add_times(Resources(1, 2), 3);
  EXPECT_EQ(sum, Resources(13, 26));
  sum.add_times(Resources(1, 2), -13);
  EXPECT_EQ(sum, Resources(0, 0));
  EXPECT_TRUE(Resources(2, 3).fits_in(Resources(8, 12), 4));
  EXPECT_FALSE(Resources(2, 3).fits_in(Resources(8, 11), 4));
  EXPECT_FALSE(Resources(2, 3).fits_in(Resources(7, 12), 4));
  Resources with_gpu(1, 1);
  with_gpu[2] = 1;
  Resources room(9, 9);
  room[2] = 2;
  EXPECT_TRUE(with_gpu.fits_in(room, 2));
  EXPECT_FALSE(with_gpu.fits_in(room, 3));
  room.add_times(with_gpu, -2);
  EXPECT_EQ(room[2], 0);
}

TEST(ResourceVectors, CountAgreesWithFit) {
  const Resources room(7300, 5000);
  for (std::int64_t vcores = 100; vcores <= 8000; vcores += 700) {
    for (std::int64_t memory = 64; memory <= 6000; memory += 512) {
      const Resources demand(vcores, memory);
      const std::int64_t count = demand.count_in(room);
      EXPECT_TRUE((demand * count).fits_in(room));
      EXPECT_FALSE((demand * (count + 1)).fits_in(room));
    }
  }
}

TEST(ResourceVectors, TakeTheSmallerOfEachDimension) {
  EXPECT_EQ(component_minimum(with(Resources(1000, 8192), gpu, 4), Resources(2000, 4096)),
            Resources(1000, 4096));
}

TEST(ResourceDimensionNames, BeginWithVcoresAndMemory) {
  const ResourceDimensions dimensions;
  EXPECT_EQ(dimensions.size(), 2u);
  EXPECT_EQ(dimensions.name(Resources::vcores_dimension), "vcores");
  EXPECT_EQ(dimensions.name(Resources::memory_dimension), "memory");
}

TEST(ResourceDimensionNames, AreFoundByName) {
  const ResourceDimensions dimensions({"gpu", "disk"});
  EXPECT_EQ(dimensions.size(), 4u);
  EXPECT_EQ(dimensions.find("memory"), Resources::memory_dimension);
  EXPECT_EQ(dimensions.find("disk"), 3u);
  EXPECT_EQ(dimensions.find("network"), dimensions.size());
}

TEST(ResourceDimensionNames, TakeSixMoreAndNoSeventh) {
  EXPECT_EQ(ResourceDimensions({"a", "b", "c", "d", "e", "f"}).size(), Resources::dimensions_max);
  EXPECT_EXIT(ResourceDimensions({"a", "b", "c", "d", "e", "f", "g"}), testing::ExitedWithCode(70),
              "at most eight");
}

TEST(ResourceDimensionNames, AreDistinct) {
  EXPECT_EXIT(ResourceDimensions({"gpu", "memory"}), testing::ExitedWithCode(70), "distinct names");
}

}  // namespace
}  // namespace tracebed
