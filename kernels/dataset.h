// Generated input files. A file is a sequence of units of one size (a page of lines, a record),
// each a function of the dataset's kind, its seed and the unit's index. So any range is generated
// and verified by itself, in the time of its units, and every unit begins at a multiple of the
// unit's size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/result.h"
#include "kernels/bytes.h"

namespace tracebed::kernels {

enum class DatasetKind : std::uint8_t { text, terasort, points, graph };

class Dataset {
 public:
  virtual ~Dataset() = default;
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  std::uint64_t bytes() const { return units_ * unit_bytes_; }
  std::uint64_t units() const { return units_; }
  std::size_t unit_bytes() const { return unit_bytes_; }

  // The file's bytes from `offset` on; the range is within the file (checked).
  void fill(std::uint64_t offset, std::span<std::byte> to) const;
  // How many of the bytes, from the first on, are those of the file from `offset` on.
  std::size_t count_matching(std::uint64_t offset, Bytes bytes) const;

 protected:
  static constexpr std::size_t unit_bytes_max = 4'096;
  Dataset(std::size_t unit_bytes, std::uint64_t units);

 private:
  // All unit_bytes() bytes of a unit.
  virtual void fill_unit(std::uint64_t index, std::byte* to) const = 0;

  std::size_t unit_bytes_;
  std::uint64_t units_;
};

// Of `bytes` bytes, rounded up to whole units; fails beyond what the kind can have.
Result<std::unique_ptr<Dataset>> make_dataset(DatasetKind kind, std::uint64_t seed,
                                              std::uint64_t bytes);

}  // namespace tracebed::kernels
