// The two files of a replica: its bytes, and their checksums with a header before them, as in HDFS
// (org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader, version 1; DataChecksum).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/uio.h>

#include "agents/datanode/replica_info.h"
#include "protocol/hdfs/chunk_checksums.h"
#include "system/file_descriptor.h"

namespace tracebed {

// Those of dfs.bytes-per-checksum and dfs.checksum.type by default: CRC32C of each 512 bytes.
inline constexpr hdfs::ChunkChecksums replica_checksums = {};
inline constexpr std::size_t chunk_bytes = replica_checksums.bytes_per_checksum;
inline constexpr std::size_t checksum_bytes = 4;
using ChunkChecksum = std::array<std::byte, checksum_bytes>;

struct ReplicaFiles {
  FileDescriptor data;
  FileDescriptor checksums;
};

// Of a replica that has no bytes yet.
StoreStatus write_checksum_header(const FileDescriptor& checksums);

// All bytes, or an error.
StoreStatus read_at(const FileDescriptor& file, std::uint64_t offset, std::span<std::byte> bytes);
StoreStatus write_at(const FileDescriptor& file, std::uint64_t offset,
                     std::span<const std::byte> bytes);
// All bytes of the parts, which are changed.
StoreStatus write_at(const FileDescriptor& file, std::uint64_t offset, std::span<iovec> parts);

// Those of the chunks from the one at `offset` on, which is a multiple of the chunk's size.
StoreStatus read_checksums(const ReplicaFiles& files, std::uint64_t offset,
                           std::span<std::byte> checksums);
StoreStatus write_checksums(const ReplicaFiles& files, std::uint64_t offset,
                            std::span<const std::byte> checksums);
StoreStatus write_checksums(const ReplicaFiles& files, std::uint64_t offset,
                            std::span<iovec> checksums);

// Cuts both files to `length` bytes of data. Where that ends within a chunk, its checksum is
// written anew, and is right only if its bytes were.
StoreStatus cut_files(const ReplicaFiles& files, std::uint64_t length);

// Both files on disk.
StoreStatus sync_files(const ReplicaFiles& files);

StoreResult<std::uint64_t> size_of(const FileDescriptor& file);

// Whether the checksum file has the header and as many checksums as `length` bytes have chunks.
bool has_checksums_for(const ReplicaFiles& files, std::uint64_t length);

// The bytes up to the end of the last chunk whose checksum is right; 0 if there is none. As HDFS
// does (BlockPoolSlice.validateIntegrityAndSetLength) for what was being written when the datanode
// was killed; but where HDFS drops one chunk, those before it are checked, too.
StoreResult<std::uint64_t> find_intact_length(const ReplicaFiles& files);

}  // namespace tracebed
