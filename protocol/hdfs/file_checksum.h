// Checksums of files (org.apache.hadoop.hdfs.FileChecksumHelper, MD5MD5CRC32FileChecksum).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "protocol/hdfs/chunk_checksums.h"
#include "protocol/hdfs/parse_result.h"

namespace tracebed::hdfs {

using Md5 = std::array<std::byte, 16>;

class Md5Digest {
 public:
  Md5Digest();
  ~Md5Digest();
  Md5Digest(Md5Digest&&) noexcept;
  Md5Digest& operator=(Md5Digest&&) noexcept;

  void update(Bytes bytes);
  // Ends the digest; nothing may be added.
  Md5 finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// A block's checksum is the MD5 of its chunks' checksums, in their order.
struct BlockChecksum {
  std::uint64_t crcs = 0;  // chunks of the block
  Md5 md5{};
};

struct FileChecksum {
  ChecksumType type = ChecksumType::crc32;
  std::uint32_t bytes_per_checksum = 0;  // 0 for a file without blocks
  std::uint64_t crcs_per_block = 0;      // 0 for a file of at most one block
  Md5 md5{};

  // "MD5-of-0MD5-of-512CRC32C"
  std::string algorithm() const;
  // 28 bytes in hexadecimal: bytes per checksum, checksums per block, MD5; all big endian.
  std::string hexadecimal() const;

  bool operator==(const FileChecksum&) const = default;
};

// Of the blocks' checksums in the file's order, all of which are of one kind of chunks. HDFS knows
// no file checksum of blocks without checksums, so the kind is not `none` (checked).
FileChecksum file_checksum(const ChunkChecksums& chunks, std::span<const BlockChecksum> blocks);

}  // namespace tracebed::hdfs
