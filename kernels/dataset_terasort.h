// Records of the sort benchmark, laid out as those of gensort (http://www.ordinal.com/gensort.html)
// and of org.apache.hadoop.examples.terasort.GenSort:
//
//   bytes   0..9   the key, uniform
//          10..11  00 11
//          12..43  the record's number in 32 hexadecimal digits
//          44..47  88 99 AA BB
//          48..95  twelve such digits, each four times: of the key's first four bytes and of its
//                  last two, as little-endian numbers
//          96..99  CC DD EE FF
//
// Keys are drawn by mix(), not by gensort's generator.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/dataset.h"

namespace tracebed::kernels {

inline constexpr std::size_t terasort_key_bytes = 10;
inline constexpr std::size_t terasort_record_bytes = 100;

class TerasortDataset final : public Dataset {
 public:
  static constexpr std::size_t bytes_per_unit = terasort_record_bytes;
  static constexpr std::uint64_t units_max = std::uint64_t{1} << 44;

  TerasortDataset(std::uint64_t seed, std::uint64_t units);

 private:
  void fill_unit(std::uint64_t index, std::byte* to) const override;

  std::uint64_t key_;
};

}  // namespace tracebed::kernels
