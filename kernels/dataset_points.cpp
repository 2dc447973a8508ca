#include "kernels/dataset_points.h"

#include <array>
#include <bit>

#include "core/mix.h"
#include "core/random.h"

namespace tracebed::kernels {
namespace {

constexpr std::int64_t centre_coordinate_max = 6'000;
// A byte for each coordinate, of -128 to 127 steps.
constexpr std::int32_t step = 8;
constexpr std::uint64_t words_per_point = 1 + dimensions / sizeof(std::uint64_t);
static_assert(centre_coordinate_max + 128 * step <= coordinate_max);

}  // namespace

PointDataset::PointDataset(std::uint64_t seed, std::uint64_t units)
    : Dataset(bytes_per_unit, units), key_(mix(seed)) {
  Random random = Random::stream(seed, "hidden centres");
  for (Point& centre : centres_) {
    for (std::int16_t& coordinate : centre) {
      coordinate =
          static_cast<std::int16_t>(random.between(-centre_coordinate_max, centre_coordinate_max));
    }
  }
}

const Point& PointDataset::hidden_centre_of(std::uint64_t index) const {
  return centres_[mix(key_ ^ (words_per_point * index)) % hidden_centres];
}

Point PointDataset::point(std::uint64_t index) const {
  Point point = hidden_centre_of(index);
  std::array<std::uint64_t, words_per_point - 1> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = mix(key_ ^ (words_per_point * index + 1 + i));
  }
  const auto steps = std::bit_cast<std::array<std::int8_t, dimensions>>(words);
  for (std::size_t i = 0; i < dimensions; ++i) {
    point[i] = static_cast<std::int16_t>(point[i] + step * steps[i]);
  }
  return point;
}

void PointDataset::fill_unit(std::uint64_t index, std::byte* to) const {
  store(to, point(index));
}

}  // namespace tracebed::kernels
