#include "agents/datanode/replica_reader.h"

#include <algorithm>

#include "core/block_content.h"
#include "core/check.h"
#include "kernels/kernel_input.h"

namespace tracebed {

namespace {

// Up to the block's end. Orders of the namenode have only datasets that can be made.
std::unique_ptr<kernels::Dataset> dataset_of(const ReplicaInfo& info) {
  const BlockDataset& dataset = info.dataset;
  if (dataset.kernel == 0) return nullptr;
  auto made = kernels::make_input({static_cast<KernelKind>(dataset.kernel), dataset.seed},
                                  dataset.offset + info.length);
  TRACEBED_CHECK(made.has_value(), "a stored replica has a dataset that can be made");
  return *std::move(made);
}

}  // namespace

ReplicaReader::ReplicaReader(const ReplicaInfo& info, std::vector<DamagedRange> damages)
    : info_(info), damages_(std::move(damages)), dataset_(dataset_of(info)) {}

void invert(const DamagedRange& range, std::uint64_t offset, std::span<std::byte> bytes) {
  const std::uint64_t begin = std::max(range.offset, offset);
  const std::uint64_t end = std::min(range.offset + range.bytes, offset + bytes.size());
  for (std::uint64_t at = begin; at < end; ++at) {
    std::byte& byte = bytes[static_cast<std::size_t>(at - offset)];
    byte = ~byte;
  }
}

StoreStatus ReplicaReader::read(std::uint64_t offset, std::span<std::byte> bytes,
                                std::span<std::byte> checksums) const {
  const std::uint64_t end = offset + bytes.size();
  TRACEBED_CHECK(offset % chunk_bytes == 0 && end <= info_.length &&
                     (end % chunk_bytes == 0 || end == info_.length),
                 "whole chunks of a replica are read");
  TRACEBED_CHECK(checksums.empty() || checksums.size() == replica_checksums.bytes(bytes.size()),
                 "there is room for each chunk's checksum");
  if (info_.is_generated) {
    generate(offset, bytes, checksums);
    return stored();
  }
  if (StoreStatus status = read_at(files_.data, offset, bytes); !status) return status;
  if (checksums.empty()) return stored();
  // That of a last chunk which is being written may be of more bytes by now, or be half written.
  const bool ends_in_memory = last_checksum_ && end == info_.length && end % chunk_bytes != 0;
  if (ends_in_memory) {
    std::copy(last_checksum_->begin(), last_checksum_->end(),
              checksums.last<checksum_bytes>().begin());
    checksums = checksums.first(checksums.size() - checksum_bytes);
  }
  return read_checksums(files_, offset, checksums);
}

// Both in one pass, so that what is summed is still in the innermost cache.
void ReplicaReader::generate(std::uint64_t offset, std::span<std::byte> bytes,
                             std::span<std::byte> checksums) const {
  constexpr std::size_t pass_bytes = 16 * chunk_bytes;
  const BlockContent content(info_.block_id);
  for (std::size_t at = 0; at < bytes.size(); at += pass_bytes) {
    const auto part = bytes.subspan(at, std::min(pass_bytes, bytes.size() - at));
    if (dataset_) {
      dataset_->fill(info_.dataset.offset + offset + at, part);
    } else {
      content.fill(offset + at, part);
    }
    if (checksums.empty()) continue;
    const auto sums =
        checksums.subspan(at / chunk_bytes * checksum_bytes, replica_checksums.bytes(part.size()));
    hdfs::write_checksums(replica_checksums, part, sums);
  }
  for (const DamagedRange& damage : damages_) invert(damage, offset, bytes);
}

bool ReplicaReader::is_damaged(std::uint64_t offset, std::uint64_t bytes) const {
  return std::any_of(damages_.begin(), damages_.end(), [&](const DamagedRange& damage) {
    return damage.offset < offset + bytes && offset < damage.offset + damage.bytes;
  });
}

}  // namespace tracebed
