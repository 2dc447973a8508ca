#include "kernels/dataset.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/check.h"
#include "kernels/dataset_graph.h"
#include "kernels/dataset_points.h"
#include "kernels/dataset_terasort.h"
#include "kernels/dataset_text.h"

namespace tracebed::kernels {
namespace {

template <class Kind>
Result<std::unique_ptr<Dataset>> make(std::uint64_t seed, std::uint64_t bytes) {
  const std::uint64_t units =
      bytes / Kind::bytes_per_unit + (bytes % Kind::bytes_per_unit == 0 ? 0 : 1);
  if (units > Kind::units_max) {
    return Error{"a dataset of this kind has at most " +
                 std::to_string(Kind::units_max * Kind::bytes_per_unit) + " bytes, not " +
                 std::to_string(bytes)};
  }
  return std::unique_ptr<Dataset>(std::make_unique<Kind>(seed, units));
}

}  // namespace

Dataset::Dataset(std::size_t unit_bytes, std::uint64_t units)
    : unit_bytes_(unit_bytes), units_(units) {
  TRACEBED_CHECK(unit_bytes > 0 && unit_bytes <= unit_bytes_max, "a unit fits in its buffer");
}

void Dataset::fill(std::uint64_t offset, std::span<std::byte> to) const {
  TRACEBED_CHECK(offset <= bytes() && to.size() <= bytes() - offset, "a range is of the file");
  std::array<std::byte, unit_bytes_max> unit;
  while (!to.empty()) {
    const std::uint64_t index = offset / unit_bytes_;
    const std::size_t skipped = offset % unit_bytes_;
    const std::size_t count = std::min(to.size(), unit_bytes_ - skipped);
    if (count == unit_bytes_) {
      fill_unit(index, to.data());
    } else {
      fill_unit(index, unit.data());
      std::memcpy(to.data(), unit.data() + skipped, count);
    }
    offset += count;
    to = to.subspan(count);
  }
}

std::size_t Dataset::count_matching(std::uint64_t offset, Bytes all) const {
  std::array<std::byte, unit_bytes_max> unit;
  std::size_t matching = 0;
  while (matching < all.size() && offset + matching < bytes()) {
    const std::size_t skipped = (offset + matching) % unit_bytes_;
    const Bytes found =
        all.subspan(matching, std::min(all.size() - matching, unit_bytes_ - skipped));
    fill_unit((offset + matching) / unit_bytes_, unit.data());
    const std::byte* const right = unit.data() + skipped;
    if (std::memcmp(found.data(), right, found.size()) != 0) {
      return matching + static_cast<std::size_t>(
                            std::mismatch(found.begin(), found.end(), right).first - found.begin());
    }
    matching += found.size();
  }
  return matching;
}

Result<std::unique_ptr<Dataset>> make_dataset(DatasetKind kind, std::uint64_t seed,
                                              std::uint64_t bytes) {
  switch (kind) {
    case DatasetKind::text:
      return make<TextDataset>(seed, bytes);
    case DatasetKind::terasort:
      return make<TerasortDataset>(seed, bytes);
    case DatasetKind::points:
      return make<PointDataset>(seed, bytes);
    case DatasetKind::graph:
      return make<GraphDataset>(seed, bytes);
  }
  return Error{"there is no such kind of dataset"};
}

}  // namespace tracebed::kernels
