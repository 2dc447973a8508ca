#include "kernels/map_output_index.h"

#include <string>

#include "kernels/run_format.h"

namespace tracebed::kernels {

Buffer MapOutputIndex::encode() const {
  Buffer encoded;
  for (const RunExtent& run : runs) append_number(encoded, run.bytes);
  return encoded;
}

Result<MapOutputIndex> MapOutputIndex::parse(Bytes encoded, std::uint32_t partitions,
                                             std::uint64_t output_bytes) {
  constexpr std::size_t number_bytes = sizeof(std::uint64_t);
  if (encoded.size() != partitions * number_bytes) {
    return Error{"map output index: " + std::to_string(encoded.size()) + " bytes instead of " +
                 std::to_string(partitions * number_bytes)};
  }
  MapOutputIndex index;
  std::uint64_t offset = 0;
  for (std::uint32_t partition = 0; partition < partitions; ++partition) {
    const auto bytes = load<std::uint64_t>(encoded.data() + partition * number_bytes);
    if (bytes < run_end_bytes || bytes > output_bytes - offset) {
      return Error{"map output index: partition " + std::to_string(partition) + " has " +
                   std::to_string(bytes) + " bytes at byte " + std::to_string(offset) + " of " +
                   std::to_string(output_bytes)};
    }
    index.runs.push_back({offset, bytes});
    offset += bytes;
  }
  if (offset != output_bytes) {
    return Error{"map output index: partitions of " + std::to_string(offset) +
                 " bytes instead of " + std::to_string(output_bytes)};
  }
  return index;
}

}  // namespace tracebed::kernels
