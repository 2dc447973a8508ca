#include "kernels/check_k_means.h"

#include <algorithm>
#include <string>

namespace tracebed::kernels {
namespace {

std::int64_t distance_between(const Point& point, const Point& centre) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    sum += (std::int64_t{point[i]} - centre[i]) * (std::int64_t{point[i]} - centre[i]);
  }
  return sum;
}

std::string cluster_name(const KMeansCluster& cluster) {
  return "cluster " + std::to_string(cluster.number);
}

}  // namespace

KMeansCheck::KMeansCheck(const PointDataset& input, const KMeansState& before)
    : RecordCheck({KMeansCluster::encoded_bytes}), clusters_(before.centres.size()) {
  for (std::size_t number = 0; number < clusters_.size(); ++number) {
    clusters_[number].before = before.centres[number];
  }
  for (std::uint64_t index = 0; index < input.units(); ++index) {
    const Point point = input.point(index);
    std::vector<std::int64_t> distances;
    for (const Point& centre : before.centres) distances.push_back(distance_between(point, centre));
    const auto nearest = std::min_element(distances.begin(), distances.end());
    Cluster& cluster = clusters_[static_cast<std::size_t>(nearest - distances.begin())];
    ++cluster.points;
    cluster.inertia += static_cast<std::uint64_t>(*nearest);
    for (std::size_t i = 0; i < dimensions; ++i) cluster.sums[i] += point[i];
  }
}

// Of the two whole numbers next to a mean the nearer one, and of both the one that is farther from
// zero.
KMeansState KMeansCheck::after() const {
  KMeansState state;
  for (const Cluster& cluster : clusters_) {
    Point& centre = state.centres.emplace_back(cluster.before);
    if (cluster.points == 0) continue;
    for (std::size_t i = 0; i < dimensions; ++i) {
      const auto points = static_cast<std::int64_t>(cluster.points);
      const std::int64_t sum = cluster.sums[i];
      const std::int64_t size = sum < 0 ? -sum : sum;
      const std::int64_t rounded = size / points + (2 * (size % points) >= points ? 1 : 0);
      centre[i] = static_cast<std::int16_t>(sum < 0 ? -rounded : rounded);
    }
  }
  return state;
}

Status KMeansCheck::check(const InputRecord& record) {
  const KMeansCluster found = KMeansCluster::load_from(record.bytes);
  const std::string name = cluster_name(found);
  if (found.number >= clusters_.size()) return wrong(name + " has no centre");
  Cluster& expected = clusters_[found.number];
  if (expected.is_found) return wrong(name + " occurs twice");
  expected.is_found = true;
  if (found.points != expected.points || found.inertia != expected.inertia) {
    return wrong(name + " has " + std::to_string(found.points) + " points and inertia " +
                 std::to_string(found.inertia) + " instead of " + std::to_string(expected.points) +
                 " and " + std::to_string(expected.inertia));
  }
  if (found.points == 0 && found.centre != expected.before) {
    return wrong(name + ", which has no points, is not at its centre before");
  }
  const auto points = static_cast<std::int64_t>(found.points);
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::int64_t difference = expected.sums[i] - found.centre[i] * points;
    if (2 * difference > points || -2 * difference > points) {
      return wrong(name + " is not at the mean of its points in dimension " + std::to_string(i));
    }
  }
  return success();
}

Status KMeansCheck::finish() {
  for (std::size_t number = 0; number < clusters_.size(); ++number) {
    if (!clusters_[number].is_found) {
      return Error{"no part has cluster " + std::to_string(number)};
    }
  }
  return success();
}

KMeansInvariants::KMeansInvariants(std::uint64_t points, std::size_t centres,
                                   std::optional<std::uint64_t> inertia_before)
    : RecordCheck({KMeansCluster::encoded_bytes}),
      missing_points_(points),
      is_found_(centres),
      inertia_before_(inertia_before) {}

Status KMeansInvariants::check(const InputRecord& record) {
  const KMeansCluster found = KMeansCluster::load_from(record.bytes);
  if (found.number >= is_found_.size() || is_found_[found.number]) {
    return wrong(cluster_name(found) + " is unknown or occurs twice");
  }
  if (found.points > missing_points_) return wrong("the clusters have more points than the input");
  is_found_[found.number] = true;
  missing_points_ -= found.points;
  inertia_ += found.inertia;
  return success();
}

Status KMeansInvariants::finish() {
  if (missing_points_ > 0) {
    return Error{"the clusters lack " + std::to_string(missing_points_) + " points of the input"};
  }
  if (inertia_before_ && inertia_ > *inertia_before_) {
    return Error{"the inertia has grown from " + std::to_string(*inertia_before_) + " to " +
                 std::to_string(inertia_)};
  }
  return success();
}

}  // namespace tracebed::kernels
