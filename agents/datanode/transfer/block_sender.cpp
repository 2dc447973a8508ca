#include "agents/datanode/transfer/block_sender.h"

#include <algorithm>
#include <array>
#include <vector>

#include "protocol/hdfs/packet.h"
#include "system/io_parts.h"

namespace tracebed {
namespace {

// As HDFS' own are (dfs.client-write-packet-size).
constexpr std::size_t packet_bytes = 64 * 1024;
// Of one system call. More do not fit into the caches between the generator and the kernel.
constexpr std::size_t packets_per_batch = 4;
constexpr std::size_t batch_bytes = packets_per_batch * packet_bytes;

std::string described(const BlockRange& range) {
  return "blk_" + std::to_string(range.block_id) + "_" + std::to_string(range.generation_stamp);
}

}  // namespace

struct BlockSender::Batch {
  explicit Batch(std::size_t bytes)
      : data(std::make_unique_for_overwrite<std::byte[]>(bytes)),
        checksums(replica_checksums.bytes(bytes)) {}

  std::unique_ptr<std::byte[]> data;
  std::vector<std::byte> checksums;
  std::size_t data_bytes = 0;
  std::size_t checksum_bytes = 0;
  std::array<hdfs::PacketPrefix, packets_per_batch> prefixes;
  std::array<iovec, 3 * packets_per_batch> parts;
};

Result<BlockSender> BlockSender::open(const TransferEnvironment& environment,
                                      const BlockRange& range, const Behaviour& behaviour) {
  StoreResult<ReplicaReader> reader = environment.store.open(range.block_id);
  if (!reader) return Error{reader.error().message};
  const ReplicaInfo& info = reader->info();
  if (info.generation_stamp < range.generation_stamp) {
    return Error{"the replica's generation stamp " + std::to_string(info.generation_stamp) +
                 " is earlier than that of " + described(range)};
  }
  if (range.offset > info.length || range.length > info.length - range.offset) {
    return Error{"offset " + std::to_string(range.offset) + " and length " +
                 std::to_string(range.length) + " don't match " + described(range) + " of " +
                 std::to_string(info.length) + " bytes"};
  }
  return BlockSender(environment, std::move(*reader), range, behaviour);
}

BlockSender::BlockSender(const TransferEnvironment& environment, ReplicaReader reader,
                         const BlockRange& range, const Behaviour& behaviour)
    : environment_(&environment),
      reader_(std::move(reader)),
      range_(range),
      behaviour_(behaviour),
      first_offset_(range.offset / chunk_bytes * chunk_bytes) {
  const std::uint64_t end = range.offset + range.length;
  end_ = std::min((end + chunk_bytes - 1) / chunk_bytes * chunk_bytes, reader_.info().length);
}

hdfs::ChunkChecksums BlockSender::checksums() const {
  hdfs::ChunkChecksums checksums = replica_checksums;
  if (!behaviour_.sends_checksums) checksums.type = hdfs::ChecksumType::none;
  return checksums;
}

TransferStatus BlockSender::send(TransferSocket& socket, TransferRate& rate,
                                 const std::function<void(std::uint64_t)>& on_sent) {
  Batch batch(static_cast<std::size_t>(std::min<std::uint64_t>(batch_bytes, end_ - first_offset_)));
  for (std::uint64_t offset = first_offset_; offset < end_;) {
    if (TransferStatus status = read(batch, offset); !status) return status;
    if (!rate.acquire(batch.data_bytes)) {
      return TransferError{TransferFailure::failed, "the datanode ends"};
    }
    const hdfs::Bytes data(batch.data.get(), batch.data_bytes);
    const hdfs::Bytes checksums = hdfs::Bytes(batch.checksums).first(batch.checksum_bytes);
    std::size_t parts = 0;
    std::size_t packets = 0;
    for (std::size_t at = 0; at < data.size(); at += packet_bytes) {
      const hdfs::Bytes of_packet = data.subspan(at, std::min(packet_bytes, data.size() - at));
      hdfs::Bytes sums;
      if (!checksums.empty()) {
        sums = checksums.subspan(at / chunk_bytes * checksum_bytes,
                                 replica_checksums.bytes(of_packet.size()));
      }
      hdfs::PacketPrefix& prefix = batch.prefixes[packets++];
      prefix = hdfs::packet_prefix({.offset_in_block = static_cast<std::int64_t>(offset + at),
                                    .sequence_number = sequence_number_++,
                                    .data_bytes = static_cast<std::int32_t>(of_packet.size())},
                                   sums.size());
      batch.parts[parts++] = part_of(prefix.view());
      batch.parts[parts++] = part_of(sums);
      batch.parts[parts++] = part_of(of_packet);
    }
    const auto& options = environment_->options;
    if (TransferStatus sent =
            socket.send(std::span(batch.parts).first(parts), options.write_timeout);
        !sent) {
      return sent;
    }
    const std::uint64_t end = offset + data.size();
    const std::uint64_t range_end = range_.offset + range_.length;
    on_sent(std::min(end, range_end) - std::max(offset, range_.offset));
    offset = end;
  }
  return send_last(socket);
}

TransferStatus BlockSender::read(Batch& batch, std::uint64_t offset) {
  batch.data_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(batch_bytes, end_ - offset));
  const std::span<std::byte> data(batch.data.get(), batch.data_bytes);
  const bool needs_checksums = behaviour_.sends_checksums || behaviour_.ends_at_corrupt;
  batch.checksum_bytes = needs_checksums ? replica_checksums.bytes(data.size()) : 0;
  const StoreStatus read =
      reader_.read(offset, data, std::span(batch.checksums).first(batch.checksum_bytes));
  if (!read) return TransferError{TransferFailure::failed, read.error().message};
  if (!is_reported_ && is_corrupt(batch, offset)) {
    is_reported_ = true;
    (void)environment_->store.mark_corrupt(range_.block_id);
    environment_->reports.corrupt(reader_.info());
  }
  if (is_reported_ && behaviour_.ends_at_corrupt) {
    return TransferError{TransferFailure::failed, described(range_) + " is corrupt"};
  }
  if (!behaviour_.sends_checksums) batch.checksum_bytes = 0;
  return transferred();
}

// Files are compared with their checksums as they are read, which costs little beside sending them.
// Of those being written, the last bytes may change meanwhile.
bool BlockSender::is_corrupt(const Batch& batch, std::uint64_t offset) const {
  const ReplicaInfo& info = reader_.info();
  if (info.is_generated) return reader_.is_damaged(offset, batch.data_bytes);
  if (info.stage != ReplicaStage::finalized || batch.checksum_bytes == 0) return false;
  return hdfs::first_bad_chunk(replica_checksums, {batch.data.get(), batch.data_bytes},
                               hdfs::Bytes(batch.checksums).first(batch.checksum_bytes))
      .has_value();
}

TransferStatus BlockSender::send_last(TransferSocket& socket) {
  const hdfs::PacketPrefix prefix =
      hdfs::packet_prefix({.offset_in_block = static_cast<std::int64_t>(end_),
                           .sequence_number = sequence_number_,
                           .is_last_in_block = true},
                          0);
  return socket.send(prefix.view(), environment_->options.write_timeout);
}

}  // namespace tracebed
