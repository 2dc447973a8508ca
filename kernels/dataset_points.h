// Points (kernels/point.h) around hidden centres, each as likely as the others: coordinates of a
// centre are uniform in ±6,000; those of a point differ from them by -1,024 to 1,016, in steps of
// 8, each as likely as the others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/dataset.h"
#include "kernels/point.h"

namespace tracebed::kernels {

class PointDataset final : public Dataset {
 public:
  static constexpr std::size_t bytes_per_unit = point_bytes;
  static constexpr std::uint64_t units_max = std::uint64_t{1} << 32;
  static constexpr std::size_t hidden_centres = 16;

  PointDataset(std::uint64_t seed, std::uint64_t units);

  Point point(std::uint64_t index) const;
  const Point& hidden_centre_of(std::uint64_t index) const;

 private:
  void fill_unit(std::uint64_t index, std::byte* to) const override;

  std::uint64_t key_;
  std::array<Point, hidden_centres> centres_{};
};

}  // namespace tracebed::kernels
