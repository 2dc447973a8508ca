#include "kernels/k_means.h"

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace tracebed::kernels {
namespace {

// Sums of a cluster, which are the value of its number as the key. Negative coordinates are in
// two's complement.
struct ClusterSums {
  std::uint64_t points = 0;
  std::uint64_t inertia = 0;
  std::array<std::uint64_t, dimensions> coordinates{};
  std::array<std::uint64_t, dimensions> centre_before{};  // from one map, zeros from the others
};
static_assert(sizeof(ClusterSums) == (2 + 2 * dimensions) * sizeof(std::uint64_t));

std::uint64_t summand(std::int16_t coordinate) {
  return static_cast<std::uint64_t>(std::int64_t{coordinate});
}

class KMeansMapper final : public Mapper {
 public:
  explicit KMeansMapper(const KMeansState& state) : state_(state), sums_(state.centres.size()) {}

  Status map(const InputRecord& record, MapOutputBuffer&) override {
    const Point point = load_point(record.bytes);
    if (!is_in_range(point)) {
      return Error{"k-means: the point at byte " + std::to_string(record.offset) +
                   " has a coordinate beyond " + std::to_string(coordinate_max)};
    }
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    std::size_t nearest = 0;
    for (std::size_t centre = 0; centre < sums_.size(); ++centre) {
      const std::uint32_t distance = squared_distance(point, state_.centres[centre]);
      nearest = distance < least ? centre : nearest;
      least = std::min(least, distance);
    }
    ClusterSums& sums = sums_[nearest];
    ++sums.points;
    sums.inertia += least;
    for (std::size_t i = 0; i < dimensions; ++i) sums.coordinates[i] += summand(point[i]);
    has_first_ = has_first_ || record.offset == 0;
    return success();
  }

  Status close(MapOutputBuffer& output) override {
    for (std::uint32_t cluster = 0; cluster < sums_.size(); ++cluster) {
      if (sums_[cluster].points == 0 && !has_first_) continue;
      for (std::size_t i = 0; has_first_ && i < dimensions; ++i) {
        sums_[cluster].centre_before[i] = summand(state_.centres[cluster][i]);
      }
      const std::uint32_t key = swap_bytes(cluster);
      Status emitted = output.emit(std::as_bytes(std::span(&key, 1)),
                                   std::as_bytes(std::span(&sums_[cluster], 1)));
      if (!emitted) return emitted;
    }
    return success();
  }

 private:
  const KMeansState& state_;
  std::vector<ClusterSums> sums_;
  bool has_first_ = false;  // record of the file
};

// Halves are rounded away from zero.
std::int64_t rounded_quotient(std::int64_t sum, std::int64_t count) {
  const std::int64_t half = sum < 0 ? -(count / 2) : count / 2;
  return (sum + half) / count;
}

class KMeansReducer final : public Reducer {
 public:
  explicit KMeansReducer(std::size_t centres) : centres_(centres) {}

  Status reduce(Bytes key, Bytes value, Buffer& output) override {
    if (key.size() != sizeof(std::uint32_t)) {
      return Error{"k-means: a key of " + std::to_string(key.size()) + " bytes instead of 4"};
    }
    KMeansCluster cluster;
    cluster.number = swap_bytes(load<std::uint32_t>(key.data()));
    const auto sums = load<ClusterSums>(value.data());
    cluster.points = sums.points;
    cluster.inertia = sums.inertia;
    const std::string name = "k-means: cluster " + std::to_string(cluster.number);
    if (cluster.number >= centres_) return Error{name + ", which has no centre"};
    if (sums.points > std::uint64_t{1} << 32) {
      return Error{name + " has " + std::to_string(sums.points) + " points"};
    }
    // The mean of its points, or of its centre alone.
    const auto& coordinates = sums.points == 0 ? sums.centre_before : sums.coordinates;
    const auto count = sums.points == 0 ? 1 : static_cast<std::int64_t>(sums.points);
    for (std::size_t i = 0; i < dimensions; ++i) {
      const auto sum = static_cast<std::int64_t>(coordinates[i]);
      if (sum > count * coordinate_max || sum < -count * coordinate_max) {
        return Error{name + " has a mean beyond " + std::to_string(coordinate_max)};
      }
      cluster.centre[i] = static_cast<std::int16_t>(rounded_quotient(sum, count));
    }
    cluster.append_to(output);
    return success();
  }

 private:
  std::size_t centres_;
};

}  // namespace

Result<std::unique_ptr<Kernel>> KMeans::parse(Bytes state) {
  Result<KMeansState> parsed = KMeansState::parse(state);
  if (!parsed) return parsed.error();
  return std::unique_ptr<Kernel>(std::make_unique<KMeans>(*std::move(parsed)));
}

std::unique_ptr<Mapper> KMeans::mapper() const {
  return std::make_unique<KMeansMapper>(state_);
}

std::unique_ptr<Reducer> KMeans::reducer() const {
  return std::make_unique<KMeansReducer>(state_.centres.size());
}

Result<Buffer> KMeans::next_state(std::span<const Bytes> parts) const {
  KMeansState next = state_;
  std::size_t found = 0;
  std::vector<bool> has_centre(next.centres.size());
  for (const Bytes part : parts) {
    const Result<std::vector<KMeansCluster>> clusters = parse_clusters(part);
    if (!clusters) return clusters.error();
    for (const KMeansCluster& cluster : *clusters) {
      if (cluster.number >= has_centre.size() || has_centre[cluster.number] ||
          !is_in_range(cluster.centre)) {
        return Error{"k-means: cluster " + std::to_string(cluster.number) +
                     " is unknown, occurs twice or is out of range"};
      }
      has_centre[cluster.number] = true;
      ++found;
      next.centres[cluster.number] = cluster.centre;
    }
  }
  if (found != has_centre.size()) {
    return Error{"k-means: the parts have " + std::to_string(found) + " clusters of " +
                 std::to_string(has_centre.size())};
  }
  return next.encode();
}

}  // namespace tracebed::kernels
