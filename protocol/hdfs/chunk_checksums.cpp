#include "protocol/hdfs/chunk_checksums.h"

#include <algorithm>

#include "core/check.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed::hdfs {
namespace {

std::uint32_t checksum(ChecksumType type, Bytes data) {
  return type == ChecksumType::crc32 ? crc32(data) : crc32c(data);
}

}  // namespace

std::optional<ChunkChecksums> chunk_checksums(std::uint32_t type_number,
                                              std::uint32_t bytes_per_checksum) {
  if (type_number > 2 || bytes_per_checksum == 0 ||
      bytes_per_checksum > ChunkChecksums::bytes_per_checksum_max) {
    return std::nullopt;
  }
  return ChunkChecksums{static_cast<ChecksumType>(type_number), bytes_per_checksum};
}

void write_checksums(const ChunkChecksums& checksums, Bytes data, std::span<std::byte> out) {
  TRACEBED_CHECK(out.size() == checksums.bytes(data.size()), "every chunk has a checksum");
  for (std::byte* at = out.data(); at != out.data() + out.size(); at += 4) {
    const Bytes chunk =
        data.first(std::min<std::size_t>(checksums.bytes_per_checksum, data.size()));
    store_big_endian32(checksum(checksums.type, chunk), at);
    data = data.subspan(chunk.size());
  }
}

std::optional<std::size_t> first_bad_chunk(const ChunkChecksums& checksums, Bytes data,
                                           Bytes expected) {
  TRACEBED_CHECK(expected.size() == checksums.bytes(data.size()), "every chunk has a checksum");
  for (std::size_t at = 0; at < expected.size(); at += 4) {
    const Bytes chunk =
        data.first(std::min<std::size_t>(checksums.bytes_per_checksum, data.size()));
    if (checksum(checksums.type, chunk) != big_endian32(expected.data() + at)) return at / 4;
    data = data.subspan(chunk.size());
  }
  return std::nullopt;
}

}  // namespace tracebed::hdfs
