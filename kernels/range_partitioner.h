// Partitions that are ranges of keys, so that the sorted parts of a job's output, one after the
// other, are sorted, too (org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner). Split
// points come from a sample of the keys, as those of its InputSampler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/result.h"
#include "kernels/bytes.h"

namespace tracebed::kernels {

class RangePartitioner {
 public:
  static constexpr std::size_t split_points_max = 65'535;
  static constexpr std::size_t key_bytes_max = 8'192;

  RangePartitioner() = default;  // one partition
  // Split points that cut the sample into parts of equal sizes, for at most `partitions`
  // partitions, which is at least 1 (checked): there are fewer where keys of the sample are equal.
  // Keys of more than key_bytes_max bytes do not count.
  static RangePartitioner from_sample(std::vector<Buffer> keys, std::uint32_t partitions);

  std::uint32_t partitions() const { return static_cast<std::uint32_t>(split_points_.size()) + 1; }
  // How many split points are not above the key.
  std::uint32_t partition(Bytes key) const;

  Buffer encode() const;
  static Result<RangePartitioner> parse(Bytes encoded);

 private:
  std::vector<Buffer> split_points_;     // ascending, no two equal
  std::vector<std::uint64_t> prefixes_;  // of them

  void add(Buffer split_point);
};

}  // namespace tracebed::kernels
