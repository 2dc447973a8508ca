// What one iteration of k-means leaves to the next: the centres. As bytes: one point after the
// other, as in the input.
#pragma once

#include <cstddef>
#include <vector>

#include "core/result.h"
#include "kernels/point.h"

namespace tracebed::kernels {

struct KMeansState {
  static constexpr std::size_t centres_max = 4'096;

  std::vector<Point> centres;  // 1 to centres_max, in range

  Buffer encode() const;
  static Result<KMeansState> parse(Bytes encoded);
  // Centres at points that have equal distances from each other in the sample, which has `centres`
  // points at least (checked).
  static KMeansState from_sample(Bytes points, std::size_t centres);
  bool operator==(const KMeansState&) const = default;
};

// A cluster after an iteration: one record of the job's output. `inertia` is the sum of squared
// distances of its points from the centre that they were assigned to. As bytes: the numbers in this
// order, 52 of them.
struct KMeansCluster {
  static constexpr std::size_t encoded_bytes = 4 + 8 + 8 + point_bytes;

  std::uint32_t number = 0;
  std::uint64_t points = 0;
  std::uint64_t inertia = 0;
  Point centre{};  // the mean of the points, rounded to the nearest integers

  void append_to(Buffer& output) const;
  // `encoded` has encoded_bytes bytes (the caller's check).
  static KMeansCluster load_from(Bytes encoded);
};

// All records of a part of the output.
Result<std::vector<KMeansCluster>> parse_clusters(Bytes part);

}  // namespace tracebed::kernels
