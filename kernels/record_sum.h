// How many records there are, and a checksum that does not depend on their order, as valsort's: the
// sum of their hashes. Two sets of records with equal sums are equal but for a chance of 2^-64.
#pragma once

#include <cstdint>

#include "kernels/byte_hash.h"

namespace tracebed::kernels {

struct RecordSum {
  std::uint64_t records = 0;
  std::uint64_t hashes = 0;

  void add(Bytes record) {
    ++records;
    hashes += hash_bytes(record);
  }
  bool operator==(const RecordSum&) const = default;
};

}  // namespace tracebed::kernels
