#include "agents/datanode/transfer/block_checksum.h"

#include <algorithm>
#include <vector>

#include "agents/datanode/transfer/block_sender.h"

namespace tracebed {
namespace {

constexpr std::size_t pass_bytes = 256 * 1024;

}  // namespace

Result<hdfs::BlockChecksum> block_checksum(const TransferEnvironment& environment,
                                           const pb::ExtendedBlock& block) {
  const StoreResult<ReplicaReader> reader = environment.store.open(block.block_id());
  if (!reader) return Error{reader.error().message};
  const ReplicaInfo& info = reader->info();
  if (info.generation_stamp < block.generation_stamp()) {
    return Error{"the replica's generation stamp " + std::to_string(info.generation_stamp) +
                 " is earlier than that of " + describe(block)};
  }
  auto rate = TransferRate::open(environment.rates, Traffic::none, environment.address);
  if (!rate) return Error{"there are too many transfers"};
  const std::uint64_t asked = block.num_bytes();
  const std::uint64_t length = asked == 0 ? info.length : std::min(asked, info.length);
  const std::uint64_t chunks = (length + chunk_bytes - 1) / chunk_bytes;
  const bool ends_within_chunk = length != info.length && length % chunk_bytes != 0;

  hdfs::Md5Digest digest;
  const std::uint64_t end = std::min(chunks * chunk_bytes, info.length);
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(pass_bytes, end)));
  std::vector<std::byte> checksums(replica_checksums.bytes(bytes.size()));
  for (std::uint64_t offset = 0; offset < end; offset += bytes.size()) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), end - offset));
    const auto data = std::span(bytes).first(count);
    const auto sums = std::span(checksums).first(replica_checksums.bytes(count));
    if (!rate->acquire(sums.size())) return Error{"the datanode ends"};
    const StoreStatus read = reader->read(offset, data, sums);
    if (!read) return Error{read.error().message};
    if (ends_within_chunk && offset + count == end) {
      const auto kept = static_cast<std::size_t>(length % chunk_bytes);
      const auto last =
          data.subspan(count - (count % chunk_bytes == 0 ? chunk_bytes : count % chunk_bytes));
      hdfs::write_checksums(replica_checksums, last.first(kept), sums.last(checksum_bytes));
    }
    digest.update(sums);
  }
  return hdfs::BlockChecksum{chunks, digest.finish()};
}

}  // namespace tracebed
