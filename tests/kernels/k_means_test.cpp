#include "kernels/k_means.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "kernels/local_job.h"

namespace tracebed::kernels {
namespace {

using testing::HasSubstr;

// A point whose first two coordinates are not zero.
Point at(std::int16_t x, std::int16_t y) {
  Point point{};
  point[0] = x;
  point[1] = y;
  return point;
}

Buffer file_of(const std::vector<Point>& points) {
  return KMeansState{points}.encode();
}

std::vector<KMeansCluster> clusters_of(const KMeans& kernel, const std::vector<Point>& points) {
  Random random(1);
  return parse_clusters(test::run_job(kernel, file_of(points), {}, random).parts[0]).value();
}

// The last point is as far from either centre, and goes to the first.
TEST(KMeansIterations, AssignPointsToTheNearestCentre) {
  const auto clusters = clusters_of(KMeans({{at(0, 0), at(10, 0)}}),
                                    {at(1, 0), at(0, 2), at(9, 1), at(12, 0), at(5, 0)});
  ASSERT_EQ(clusters.size(), 2u);
  EXPECT_EQ(clusters[0].number, 0u);
  EXPECT_EQ(clusters[0].points, 3u);
  EXPECT_EQ(clusters[0].inertia, 1u + 4 + 25);
  EXPECT_EQ(clusters[0].centre, at(2, 1));  // of 6/3 and 2/3
  EXPECT_EQ(clusters[1].points, 2u);
  EXPECT_EQ(clusters[1].inertia, 2u + 4);
  EXPECT_EQ(clusters[1].centre, at(11, 1));  // of 21/2 and 1/2
}

TEST(KMeansIterations, RoundMeansBelowZeroAsThoseAbove) {
  const auto clusters =
      clusters_of(KMeans({{at(0, 0)}}), {at(-1, -7'999), at(-2, -8'000), at(-2, -8'000)});
  EXPECT_EQ(clusters[0].centre, at(-2, -8'000));  // of -5/3 and -23,999/3
}

TEST(KMeansIterations, KeepTheCentreOfAClusterWithoutPoints) {
  const KMeans kernel({{at(0, 0), at(7'000, 0)}});
  Random random(1);
  const auto result = test::run_job(kernel, file_of({at(2, 2)}), {.partitions = 3}, random);
  const std::vector<Bytes> parts(result.parts.begin(), result.parts.end());
  const auto next = kernel.next_state(parts);
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(*next, (KMeansState{{at(2, 2), at(7'000, 0)}}.encode()));
}

// Whatever state their reader has: the centre is among what the reduces have made, once, although
// each of the maps had it.
TEST(KMeansIterations, TellTheCentreOfAClusterWithoutPointsToTheNext) {
  const KMeans kernel({{at(0, 0), at(-7'000, 1)}});
  Random random(1);
  const auto result = test::run_job(kernel, file_of({at(2, 2), at(4, 4), at(6, 6)}),
                                    {.split_bytes = point_bytes, .partitions = 3}, random);
  const std::vector<Bytes> parts(result.parts.begin(), result.parts.end());
  const auto next = KMeans({{at(1, 1), at(2, 2)}}).next_state(parts);
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(*next, (KMeansState{{at(4, 4), at(-7'000, 1)}}.encode()));
}

// 16 coordinates that differ by 16,000 are 4,096,000,000 apart, squared: nearly 2^32.
TEST(KMeansIterations, MeasureTheLongestDistance) {
  Point low;
  Point high;
  low.fill(-coordinate_max);
  high.fill(coordinate_max);
  const auto clusters = clusters_of(KMeans({{low}}), {high, high});
  EXPECT_EQ(clusters[0].inertia, 8'192'000'000u);
  EXPECT_EQ(clusters[0].centre, high);
}

TEST(KMeansStates, AreSampledAtEqualDistances) {
  const Buffer sample = file_of({at(0, 0), at(1, 0), at(2, 0), at(3, 0), at(4, 0)});
  EXPECT_EQ(KMeansState::from_sample(sample, 2).centres, (std::vector{at(0, 0), at(2, 0)}));
}

struct BadParts {
  std::vector<KMeansCluster> clusters;
  std::string message;
};

TEST(KMeansStates, AreNotMadeOfMalformedParts) {
  const KMeans kernel({{at(0, 0), at(1, 0)}});
  for (const auto& [clusters, message] : std::vector<BadParts>{
           {{{2, 1, 0, at(0, 0)}}, "cluster 2 is unknown"},
           {{{1, 1, 0, at(0, 0)}, {1, 1, 0, at(0, 0)}}, "cluster 1 is unknown, occurs twice"},
           {{{0, 1, 0, at(8'001, 0)}}, "out of range"},
           {{{1, 1, 0, at(0, 0)}}, "the parts have 1 clusters of 2"}}) {
    Buffer part;
    for (const KMeansCluster& cluster : clusters) cluster.append_to(part);
    const std::vector<Bytes> parts = {part};
    const auto next = kernel.next_state(parts);
    ASSERT_FALSE(next.has_value()) << message;
    EXPECT_THAT(next.error().message, HasSubstr(message));
  }
  const Buffer cut(51);
  const std::vector<Bytes> parts = {cut};
  EXPECT_THAT(kernel.next_state(parts).error().message, HasSubstr("a part of 51 bytes"));
}

std::string reduce_error(std::uint32_t cluster, std::uint64_t points, std::int64_t sum) {
  const KMeans kernel({{at(0, 0), at(1, 0)}});
  std::vector<std::int64_t> sums(2 + 2 * dimensions);
  sums[0] = static_cast<std::int64_t>(points);
  sums[points == 0 ? 2 + dimensions : 2] = sum;
  const std::uint32_t key = swap_bytes(cluster);
  Buffer output;
  const Status reduced = kernel.reducer()->reduce(std::as_bytes(std::span(&key, 1)),
                                                  std::as_bytes(std::span(sums)), output);
  return reduced ? "" : reduced.error().message;
}

TEST(KMeansReducers, RefuseSumsThatNoPointsHave) {
  EXPECT_EQ(reduce_error(1, 10, 80'000), "");
  EXPECT_THAT(reduce_error(1, 10, 80'001), HasSubstr("cluster 1 has a mean beyond 8000"));
  EXPECT_THAT(reduce_error(1, 10, std::numeric_limits<std::int64_t>::min()), HasSubstr("mean"));
  EXPECT_EQ(reduce_error(1, 0, 8'000), "");
  EXPECT_THAT(reduce_error(1, 0, 8'001), HasSubstr("cluster 1 has a mean beyond 8000"));
  EXPECT_THAT(reduce_error(1, ~std::uint64_t{0}, 0), HasSubstr("points"));
  EXPECT_THAT(reduce_error(2, 10, 0), HasSubstr("cluster 2, which has no centre"));
}

}  // namespace
}  // namespace tracebed::kernels
