// Where the partitions of a map output are: run after run, in the order of partitions
// (org.apache.hadoop.mapred.IndexRecord). As bytes: the size of each run, in eight bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "kernels/bytes.h"
#include "kernels/spills.h"

namespace tracebed::kernels {

inline constexpr std::uint32_t partitions_max = 65'536;

struct MapOutputIndex {
  std::vector<RunExtent> runs;  // by partition

  std::uint64_t output_bytes() const {
    return runs.empty() ? 0 : runs.back().offset + runs.back().bytes;
  }
  Buffer encode() const;
  // Fails unless it has that many partitions, of that many bytes together.
  static Result<MapOutputIndex> parse(Bytes encoded, std::uint32_t partitions,
                                      std::uint64_t output_bytes);
  bool operator==(const MapOutputIndex&) const = default;
};

}  // namespace tracebed::kernels
