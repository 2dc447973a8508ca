// Adds up values of one key (org.apache.hadoop.mapreduce.Job.setCombinerClass). Values have one
// size and are added in place; the operation is associative and commutative, so that the result
// depends on no order. Sums are of 64-bit integers, modulo 2^64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/bytes.h"

namespace tracebed::kernels {

class Combiner {
 public:
  // A value is `sums` 64-bit integers, little-endian.
  explicit constexpr Combiner(std::size_t sums) : sums_(sums) {}

  constexpr std::size_t value_bytes() const { return sums_ * sizeof(std::uint64_t); }
  // Both have value_bytes() bytes (the caller's check).
  void combine(std::span<std::byte> sum, Bytes value) const {
    for (std::size_t at = 0; at < value_bytes(); at += sizeof(std::uint64_t)) {
      store(sum.data() + at,
            load<std::uint64_t>(sum.data() + at) + load<std::uint64_t>(value.data() + at));
    }
  }

 private:
  std::size_t sums_;
};

}  // namespace tracebed::kernels
