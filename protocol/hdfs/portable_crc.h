// The checksums of chunk_checksums.h without a library, for programs that are linked statically.
// CRC-32C is computed by the processor's own instruction where it has one (SSE 4.2).
#pragma once

#include <cstdint>

#include "protocol/hdfs/parse_result.h"

namespace tracebed::hdfs {

std::uint32_t portable_crc32(Bytes data);
// With the checksum of what is before the data.
std::uint32_t portable_crc32c(Bytes data, std::uint32_t before = 0);

// As portable_crc32c() computes it where there is no such instruction.
std::uint32_t table_crc32c(Bytes data, std::uint32_t before = 0);

}  // namespace tracebed::hdfs
