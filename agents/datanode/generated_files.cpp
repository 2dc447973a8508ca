#include "agents/datanode/generated_files.h"

#include <algorithm>

#include "agents/datanode/replica_reader.h"

namespace tracebed {
namespace {

constexpr std::uint64_t buffer_bytes = 2'048 * chunk_bytes;

}  // namespace

StoreStatus write_generated(const GeneratedContent& content, const ReplicaFiles& files) {
  ReplicaInfo info;
  info.block_id = content.block_id;
  info.length = content.length;
  info.is_generated = true;
  info.dataset = content.dataset;
  const ReplicaReader reader(info, content.damages);
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(buffer_bytes, content.length)));
  std::vector<std::byte> checksums(replica_checksums.bytes(buffer.size()));
  for (std::uint64_t offset = 0; offset < content.length; offset += buffer_bytes) {
    const auto count = static_cast<std::size_t>(std::min(buffer_bytes, content.length - offset));
    const auto bytes = std::span(buffer).first(count);
    const auto sums = std::span(checksums).first(replica_checksums.bytes(count));
    StoreStatus status = reader.read(offset, bytes, sums);
    if (status) status = write_at(files.data, offset, bytes);
    if (status) status = write_checksums(files, offset, sums);
    if (!status) return status;
  }
  return stored();
}

StoreStatus damage_file(const FileDescriptor& data, const DamagedRange& range) {
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(buffer_bytes, range.bytes)));
  for (std::uint64_t done = 0; done < range.bytes; done += buffer.size()) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), range.bytes - done));
    const auto bytes = std::span(buffer).first(count);
    const std::uint64_t offset = range.offset + done;
    StoreStatus status = read_at(data, offset, bytes);
    invert(range, offset, bytes);
    if (status) status = write_at(data, offset, bytes);
    if (!status) return status;
  }
  return stored();
}

}  // namespace tracebed
