#include "agents/datanode/replica_files.h"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

#include "system/io_parts.h"

namespace tracebed {
namespace {

// Version 1, CRC32C (2), 512 bytes a chunk; big endian.
constexpr std::array<std::byte, 7> header = {std::byte{0}, std::byte{1}, std::byte{2}, std::byte{0},
                                             std::byte{0}, std::byte{2}, std::byte{0}};
static_assert(chunk_bytes == 512);

std::uint64_t chunks_of(std::uint64_t length) {
  return (length + chunk_bytes - 1) / chunk_bytes;
}

std::uint64_t checksum_file_bytes(std::uint64_t length) {
  return header.size() + chunks_of(length) * checksum_bytes;
}

std::uint64_t checksum_position(std::uint64_t offset) {
  return header.size() + offset / chunk_bytes * checksum_bytes;
}

StoreStatus truncate_file(const FileDescriptor& file, std::uint64_t bytes) {
  if (ftruncate(file.number(), static_cast<off_t>(bytes)) != 0) {
    return store_error(errno, "a replica cannot be cut");
  }
  return stored();
}

bool has_header(const FileDescriptor& checksums) {
  std::array<std::byte, header.size()> found{};
  return read_at(checksums, 0, found) && found == header;
}

}  // namespace

StoreResult<std::uint64_t> size_of(const FileDescriptor& file) {
  struct stat status = {};
  if (fstat(file.number(), &status) != 0) return store_error(errno, "a replica's size");
  return static_cast<std::uint64_t>(status.st_size);
}

StoreStatus write_checksum_header(const FileDescriptor& checksums) {
  return write_at(checksums, 0, header);
}

StoreStatus read_at(const FileDescriptor& file, std::uint64_t offset, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        pread(file.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return store_error(errno, "a replica cannot be read");
    if (count == 0) return StoreError{StoreFailure::input_output, "a replica's file is cut short"};
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return stored();
}

StoreStatus write_at(const FileDescriptor& file, std::uint64_t offset, std::span<iovec> parts) {
  while (!parts.empty()) {
    const ssize_t count = pwritev(file.number(), parts.data(), static_cast<int>(parts.size()),
                                  static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return store_error(errno, "a replica cannot be written");
    parts = without_first(parts, static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return stored();
}

StoreStatus write_at(const FileDescriptor& file, std::uint64_t offset,
                     std::span<const std::byte> bytes) {
  iovec part = part_of(bytes);
  return write_at(file, offset, std::span(&part, bytes.empty() ? 0 : 1));
}

StoreStatus read_checksums(const ReplicaFiles& files, std::uint64_t offset,
                           std::span<std::byte> checksums) {
  return read_at(files.checksums, checksum_position(offset), checksums);
}

StoreStatus write_checksums(const ReplicaFiles& files, std::uint64_t offset,
                            std::span<const std::byte> checksums) {
  return write_at(files.checksums, checksum_position(offset), checksums);
}

StoreStatus write_checksums(const ReplicaFiles& files, std::uint64_t offset,
                            std::span<iovec> checksums) {
  return write_at(files.checksums, checksum_position(offset), checksums);
}

StoreStatus cut_files(const ReplicaFiles& files, std::uint64_t length) {
  if (StoreStatus status = truncate_file(files.data, length); !status) return status;
  if (StoreStatus status = truncate_file(files.checksums, checksum_file_bytes(length)); !status) {
    return status;
  }
  const std::uint64_t begin = length / chunk_bytes * chunk_bytes;
  if (begin == length) return stored();
  std::array<std::byte, chunk_bytes> buffer{};
  const auto chunk = std::span(buffer).first(static_cast<std::size_t>(length - begin));
  if (StoreStatus status = read_at(files.data, begin, chunk); !status) return status;
  ChunkChecksum checksum{};
  hdfs::write_checksums(replica_checksums, chunk, checksum);
  return write_checksums(files, begin, checksum);
}

StoreStatus sync_files(const ReplicaFiles& files) {
  for (const FileDescriptor* file : {&files.data, &files.checksums}) {
    if (fsync(file->number()) != 0) return store_error(errno, "a replica cannot be synced");
  }
  return stored();
}

bool has_checksums_for(const ReplicaFiles& files, std::uint64_t length) {
  const StoreResult<std::uint64_t> size = size_of(files.checksums);
  return size && *size == checksum_file_bytes(length) && has_header(files.checksums);
}

StoreResult<std::uint64_t> find_intact_length(const ReplicaFiles& files) {
  const StoreResult<std::uint64_t> data_size = size_of(files.data);
  if (!data_size) return data_size.error();
  const StoreResult<std::uint64_t> checksums_size = size_of(files.checksums);
  if (!checksums_size) return checksums_size.error();
  if (*checksums_size < header.size() || !has_header(files.checksums)) return std::uint64_t{0};
  std::uint64_t chunks =
      std::min(chunks_of(*data_size), (*checksums_size - header.size()) / checksum_bytes);
  for (; chunks > 0; --chunks) {
    const std::uint64_t begin = (chunks - 1) * chunk_bytes;
    const std::uint64_t end = std::min(begin + chunk_bytes, *data_size);
    std::array<std::byte, chunk_bytes> buffer{};
    const auto chunk = std::span(buffer).first(static_cast<std::size_t>(end - begin));
    ChunkChecksum checksum{};
    if (StoreStatus status = read_at(files.data, begin, chunk); !status) return status.error();
    if (StoreStatus status = read_checksums(files, begin, checksum); !status) return status.error();
    if (!hdfs::first_bad_chunk(replica_checksums, chunk, checksum)) return end;
  }
  return std::uint64_t{0};
}

}  // namespace tracebed
