// Checksums of chunks: HDFS divides a block into chunks of `bytes_per_checksum` bytes, the last of
// which may be shorter, and keeps four bytes for each, big endian
// (org.apache.hadoop.util.DataChecksum).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "protocol/hdfs/parse_result.h"

namespace tracebed::hdfs {

// Numbers of DataChecksum.Type, also ChecksumTypeNumber's.
enum class ChecksumType : std::uint8_t { none = 0, crc32 = 1, crc32c = 2 };

struct ChunkChecksums {
  // As real clients use it; requests with others are refused.
  static constexpr std::uint32_t bytes_per_checksum_max = 1u << 20;

  ChecksumType type = ChecksumType::crc32c;
  std::uint32_t bytes_per_checksum = 512;  // 1 … bytes_per_checksum_max

  std::size_t checksum_size() const { return type == ChecksumType::none ? 0 : 4; }
  std::size_t chunks(std::size_t data_bytes) const {
    return (data_bytes + bytes_per_checksum - 1) / bytes_per_checksum;
  }
  // Of all checksums of data that begins at a chunk's first byte.
  std::size_t bytes(std::size_t data_bytes) const { return chunks(data_bytes) * checksum_size(); }

  bool operator==(const ChunkChecksums&) const = default;
};

// Nothing if no such checksums exist.
std::optional<ChunkChecksums> chunk_checksums(std::uint32_t type_number,
                                              std::uint32_t bytes_per_checksum);

// Writes the checksums of the data; `out` has as many bytes as they take (checked).
void write_checksums(const ChunkChecksums& checksums, Bytes data, std::span<std::byte> out);

// The first chunk whose checksum is wrong. `expected` has as many bytes as the data's checksums
// take (checked); there is nothing to compare if the type is `none`.
std::optional<std::size_t> first_bad_chunk(const ChunkChecksums& checksums, Bytes data,
                                           Bytes expected);

// Of a whole text.
std::uint32_t crc32(Bytes data);
std::uint32_t crc32c(Bytes data);
// Of a text that ends with the data, given the checksum of what is before them.
std::uint32_t continued_crc32c(std::uint32_t before, Bytes data);

}  // namespace tracebed::hdfs
