#include "agents/datanode/replica_writer.h"

#include <algorithm>

#include "core/check.h"
#include "system/io_parts.h"

namespace tracebed {

ReplicaWriter::ReplicaWriter(ReplicaStore& store, std::uint64_t block_id, std::uint64_t writer,
                             ReplicaFiles files, std::uint64_t length)
    : store_(&store),
      block_id_(block_id),
      writer_(writer),
      files_(std::move(files)),
      length_(length) {}

ReplicaWriter::ReplicaWriter(ReplicaWriter&& other) noexcept
    : store_(std::exchange(other.store_, nullptr)),
      block_id_(other.block_id_),
      writer_(other.writer_),
      files_(std::move(other.files_)),
      length_(other.length_),
      last_chunk_(other.last_chunk_) {}

ReplicaWriter::~ReplicaWriter() {
  if (store_ != nullptr) store_->end_writer(block_id_, writer_);
}

StoreStatus ReplicaWriter::load_last_chunk() {
  const std::uint64_t begin = length_ / chunk_bytes * chunk_bytes;
  const auto bytes = std::span(last_chunk_).first(static_cast<std::size_t>(length_ - begin));
  return read_at(files_.data, begin, bytes);
}

ChunkChecksum ReplicaWriter::last_checksum() const {
  ChunkChecksum checksum{};
  const std::size_t bytes = length_ % chunk_bytes;
  if (bytes > 0) {
    hdfs::write_checksums(replica_checksums, std::span(last_chunk_).first(bytes), checksum);
  }
  return checksum;
}

StoreStatus ReplicaWriter::append(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (offset > length_) return store_error(StoreFailure::wrong_length, block_id_);
  const std::uint64_t skipped = std::min<std::uint64_t>(length_ - offset, bytes.size());
  bytes = bytes.subspan(static_cast<std::size_t>(skipped));
  const std::vector<std::byte> checksums = checksums_with(bytes);
  const Part part{bytes, checksums};
  return append_new(std::span(&part, 1));
}

StoreStatus ReplicaWriter::append(std::uint64_t offset, std::span<const std::byte> bytes,
                                  std::span<const std::byte> checksums) {
  TRACEBED_CHECK(
      offset % chunk_bytes == 0 && checksums.size() == replica_checksums.bytes(bytes.size()),
      "each chunk comes with its checksum");
  if (offset > length_) return store_error(StoreFailure::wrong_length, block_id_);
  const std::uint64_t skipped = std::min<std::uint64_t>(length_ - offset, bytes.size());
  bytes = bytes.subspan(static_cast<std::size_t>(skipped));
  if (!bytes.empty()) {
    const std::uint64_t whole_chunks = (length_ - offset) / chunk_bytes;
    checksums = checksums.subspan(static_cast<std::size_t>(whole_chunks) * checksum_bytes);
  }
  const Part part{bytes, checksums};
  return append_new(std::span(&part, 1));
}

StoreStatus ReplicaWriter::append(std::span<const Part> parts) {
  std::uint64_t end = length_;
  for (const Part& part : parts) {
    TRACEBED_CHECK(end % chunk_bytes == 0 &&
                       part.checksums.size() == replica_checksums.bytes(part.bytes.size()),
                   "each chunk comes with its checksum");
    end += part.bytes.size();
  }
  return append_new(parts);
}

StoreStatus ReplicaWriter::append_new(std::span<const Part> parts) {
  if (store_ == nullptr) return store_error(StoreFailure::writer_is_replaced, block_id_);
  std::uint64_t end = length_;
  for (const Part& part : parts) end += part.bytes.size();
  if (StoreStatus room = store_->reserve(block_id_, writer_, end); !room) return room;
  if (end == length_) return stored();
  if (StoreStatus written = write(parts); !written) {
    roll_back();
    return written;
  }
  const auto& [bytes, checksums] = parts.back();
  const auto in_last =
      static_cast<std::size_t>(std::min<std::uint64_t>(end % chunk_bytes, bytes.size()));
  const auto tail = bytes.last(in_last);
  std::copy(tail.begin(), tail.end(),
            last_chunk_.begin() + static_cast<std::ptrdiff_t>(end % chunk_bytes - in_last));
  length_ = end;
  ChunkChecksum last{};
  const auto last_stored = checksums.last<checksum_bytes>();
  if (end % chunk_bytes != 0) std::copy(last_stored.begin(), last_stored.end(), last.begin());
  return store_->publish(block_id_, writer_, {length_, last});
}

// The data first: a crash before its checksums are there costs the chunks without one.
StoreStatus ReplicaWriter::write(std::span<const Part> parts) {
  written_.clear();
  for (const Part& part : parts) written_.push_back(part_of(part.bytes));
  if (StoreStatus status = write_at(files_.data, length_, std::span(written_)); !status) {
    return status;
  }
  written_.clear();
  for (const Part& part : parts) written_.push_back(part_of(part.checksums));
  return write_checksums(files_, length_ / chunk_bytes * chunk_bytes, std::span(written_));
}

std::vector<std::byte> ReplicaWriter::checksums_with(std::span<const std::byte> bytes) const {
  const std::size_t begun = bytes.empty() ? 0 : length_ % chunk_bytes;
  std::vector<std::byte> checksums(replica_checksums.bytes(begun + bytes.size()));
  auto left = std::span(checksums);
  if (begun > 0) {
    std::array<std::byte, chunk_bytes> first = last_chunk_;
    const std::size_t added = std::min(chunk_bytes - begun, bytes.size());
    std::copy_n(bytes.begin(), added, first.begin() + static_cast<std::ptrdiff_t>(begun));
    hdfs::write_checksums(replica_checksums, std::span(first).first(begun + added),
                          left.first(checksum_bytes));
    bytes = bytes.subspan(added);
    left = left.subspan(checksum_bytes);
  }
  hdfs::write_checksums(replica_checksums, bytes, left);
  return checksums;
}

void ReplicaWriter::roll_back() {
  // Needs no room. Where it fails, too, recovery finds the end by the checksums.
  if (cut_files(files_, length_)) return;
  store_->end_writer(block_id_, writer_);
  store_ = nullptr;
}

void ReplicaWriter::Acknowledger::acknowledge(std::uint64_t length) const {
  store_.acknowledge(block_id_, writer_, length);
}

ReplicaWriter::Acknowledger ReplicaWriter::acknowledger() const {
  TRACEBED_CHECK(store_ != nullptr, "a writer that has ended acknowledges nothing");
  return Acknowledger(*store_, block_id_, writer_);
}

void ReplicaWriter::acknowledge(std::uint64_t length) {
  if (store_ != nullptr) store_->acknowledge(block_id_, writer_, length);
}

StoreStatus ReplicaWriter::sync() {
  return sync_files(files_);
}

StoreStatus ReplicaWriter::finalize() {
  if (store_ == nullptr) return store_error(StoreFailure::writer_is_replaced, block_id_);
  ReplicaStore& store = *std::exchange(store_, nullptr);
  StoreStatus status = stored();
  if (store.options_.durability == Durability::synced) status = sync();
  if (status) status = store.finalize(block_id_, writer_);
  store.end_writer(block_id_, writer_);
  return status;
}

StoreStatus ReplicaWriter::convert() {
  if (store_ == nullptr) return store_error(StoreFailure::writer_is_replaced, block_id_);
  ReplicaStore& store = *std::exchange(store_, nullptr);
  StoreStatus status = store.convert(block_id_, writer_);
  store.end_writer(block_id_, writer_);
  return status;
}

}  // namespace tracebed
