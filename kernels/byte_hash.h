// A hash of bytes: for partitions, for tables, and for checksums of sets of records. It is the same
// on every machine; it does not resist an attacker.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/mix.h"
#include "kernels/bytes.h"

namespace tracebed::kernels {

inline std::uint64_t hash_bytes(Bytes bytes) {
  constexpr std::size_t word_bytes = sizeof(std::uint64_t);
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;
  std::uint64_t hash = bytes.size();
  std::size_t at = 0;
  for (; at + word_bytes <= bytes.size(); at += word_bytes) {
    hash = (std::rotl(hash, 23) ^ load<std::uint64_t>(bytes.data() + at)) * odd;
  }
  if (at < bytes.size()) {
    hash = (std::rotl(hash, 23) ^ load_few(bytes.subspan(at))) * odd;
  }
  return mix(hash);
}

// Of the partitions, the one of a key with that hash (org.apache.hadoop.mapreduce.lib.partition.
// HashPartitioner), by the hash's upper half.
constexpr std::uint32_t hash_partition(std::uint64_t hash, std::uint32_t partitions) {
  return static_cast<std::uint32_t>(((hash >> 32) * partitions) >> 32);
}

}  // namespace tracebed::kernels
