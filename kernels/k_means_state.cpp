#include "kernels/k_means_state.h"

#include <string>

#include "core/check.h"

namespace tracebed::kernels {

Buffer KMeansState::encode() const {
  Buffer encoded;
  for (const Point& centre : centres) append_number(encoded, centre);
  return encoded;
}

Result<KMeansState> KMeansState::parse(Bytes encoded) {
  if (encoded.empty() || encoded.size() % point_bytes != 0 ||
      encoded.size() / point_bytes > centres_max) {
    return Error{"k-means: centres of " + std::to_string(encoded.size()) +
                 " bytes; expected 1 to " + std::to_string(centres_max) + " points of " +
                 std::to_string(point_bytes)};
  }
  KMeansState state;
  for (; !encoded.empty(); encoded = encoded.subspan(point_bytes)) {
    state.centres.push_back(load_point(encoded));
    if (!is_in_range(state.centres.back())) {
      return Error{"k-means: centre " + std::to_string(state.centres.size() - 1) +
                   " has a coordinate beyond " + std::to_string(coordinate_max)};
    }
  }
  return state;
}

KMeansState KMeansState::from_sample(Bytes points, std::size_t centres) {
  const std::size_t count = points.size() / point_bytes;
  TRACEBED_CHECK(centres >= 1 && centres <= centres_max && count >= centres,
                 "a sample has a point for each centre");
  KMeansState state;
  for (std::size_t i = 0; i < centres; ++i) {
    state.centres.push_back(load_point(points.subspan(i * count / centres * point_bytes)));
  }
  return state;
}

void KMeansCluster::append_to(Buffer& output) const {
  append_number(output, number);
  append_number(output, points);
  append_number(output, inertia);
  append_number(output, centre);
}

KMeansCluster KMeansCluster::load_from(Bytes encoded) {
  const std::byte* const from = encoded.data();
  return {load<std::uint32_t>(from), load<std::uint64_t>(from + 4), load<std::uint64_t>(from + 12),
          load_point(encoded.subspan(20))};
}

Result<std::vector<KMeansCluster>> parse_clusters(Bytes part) {
  if (part.size() % KMeansCluster::encoded_bytes != 0) {
    return Error{"k-means: a part of " + std::to_string(part.size()) +
                 " bytes, which is no multiple of " + std::to_string(KMeansCluster::encoded_bytes)};
  }
  std::vector<KMeansCluster> clusters;
  for (; !part.empty(); part = part.subspan(KMeansCluster::encoded_bytes)) {
    clusters.push_back(KMeansCluster::load_from(part));
  }
  return clusters;
}

}  // namespace tracebed::kernels
