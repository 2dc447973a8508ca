#include "hdfs_client/located_file.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "client_datanode.pb.h"
#include "hdfs_client/datanode_connection.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed::hdfs {
namespace {

constexpr std::string_view replica_not_found =
    "org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException";

// Not negative as a signed number, so that sums of two are far from an overflow.
bool is_length(std::uint64_t number) {
  return number <= std::uint64_t{std::numeric_limits<std::int64_t>::max()} / 2;
}

bool is_well_formed(const pb::LocatedBlocks& blocks) {
  const auto has_place = [](const pb::LocatedBlock& block) {
    return is_length(block.offset()) && is_length(block.b().num_bytes());
  };
  return is_length(blocks.file_length()) &&
         std::all_of(blocks.blocks().begin(), blocks.blocks().end(), has_place) &&
         has_place(blocks.last_block());
}

}  // namespace

ClientResult<LocatedFile> LocatedFile::open(NamenodeClient& namenode, std::string path,
                                            std::uint64_t offset, std::uint64_t length) {
  LocatedFile file(namenode, std::move(path));
  const ClientStatus fetched = file.fetch(offset, std::min(length, prefetch_bytes));
  if (!fetched) return fetched.error();
  return file;
}

ClientStatus LocatedFile::refresh(std::uint64_t offset) {
  return fetch(offset, prefetch_bytes);
}

ClientStatus LocatedFile::fetch(std::uint64_t offset, std::uint64_t length) {
  pb::GetBlockLocationsRequest request;
  request.set_src(path_);
  request.set_offset(offset);
  request.set_length(length);
  auto response = namenode_->call(request);
  if (!response) return response.error();
  if (!response->has_locations()) {
    return ClientFailure{ClientFailureKind::protocol,
                         namenode_->endpoint().text() + ": " + path_ + " has no locations",
                         {}};
  }
  blocks_ = std::move(*response->mutable_locations());
  if (!is_well_formed(blocks_)) {
    return ClientFailure{ClientFailureKind::protocol,
                         namenode_->endpoint().text() + ": " + path_ + " has impossible lengths",
                         {}};
  }
  length_ = blocks_.file_length();
  if (!blocks_.has_last_block() || blocks_.is_last_block_complete()) return client_success();
  const ClientResult<std::uint64_t> visible = visible_length(blocks_.last_block());
  if (!visible) return visible.error();
  length_ += *visible;
  blocks_.mutable_last_block()->mutable_b()->set_num_bytes(*visible);
  for (pb::LocatedBlock& block : *blocks_.mutable_blocks()) {
    if (block.b().block_id() != blocks_.last_block().b().block_id()) continue;
    block.mutable_b()->set_num_bytes(*visible);
  }
  return client_success();
}

// ClientDatanodeProtocol.getReplicaVisibleLength
ClientResult<std::uint64_t> LocatedFile::visible_length_at(const pb::DatanodeId& datanode,
                                                           const pb::ExtendedBlock& block) const {
  const Endpoint endpoint{datanode.ip_addr(), static_cast<std::uint16_t>(datanode.ipc_port())};
  if (datanode.ipc_port() == 0 || datanode.ipc_port() != endpoint.port) {
    return ClientFailure{
        ClientFailureKind::protocol, transfer_address(datanode) + ": has no port for calls", {}};
  }
  RpcOptions options = namenode_->options();
  options.attempts_max = 1;
  RpcChannel channel(endpoint, std::string(client_datanode_protocol), std::move(options));
  pb::GetReplicaVisibleLengthRequest request;
  *request.mutable_block() = block;
  const ClientResult<Bytes> answer = channel.call(get_replica_visible_length, request);
  if (!answer) return answer.error();
  pb::GetReplicaVisibleLengthResponse response;
  if (parse_message(*answer, response) && is_length(response.length())) return response.length();
  return ClientFailure{ClientFailureKind::protocol, endpoint.text() + ": that is no length", {}};
}

// org.apache.hadoop.hdfs.DFSInputStream.readBlockLength. A block that no datanode has yet is empty.
ClientResult<std::uint64_t> LocatedFile::visible_length(const pb::LocatedBlock& block) const {
  std::string failures;
  int without_replica = 0;
  for (const pb::DatanodeInfo& datanode : block.locs()) {
    const ClientResult<std::uint64_t> length = visible_length_at(datanode.id(), block.b());
    if (length || length.error().kind == ClientFailureKind::interrupted) return length;
    without_replica += length.error().exception_class == replica_not_found;
    failures += "; " + length.error().message;
  }
  if (without_replica == block.locs_size()) return std::uint64_t{0};
  return ClientFailure{
      ClientFailureKind::exhausted,
      path_ + ": the length of " + block_text(block.b()) + " cannot be obtained" + failures,
      {}};
}

const pb::LocatedBlock* LocatedFile::known_block_at(std::uint64_t offset) const {
  const auto has_offset = [&](const pb::LocatedBlock& block) {
    return block.offset() <= offset && offset - block.offset() < block.b().num_bytes();
  };
  const auto& blocks = blocks_.blocks();
  const auto found = std::find_if(blocks.begin(), blocks.end(), has_offset);
  if (found != blocks.end()) return &*found;
  const bool is_in_last = blocks_.has_last_block() && has_offset(blocks_.last_block());
  return is_in_last ? &blocks_.last_block() : nullptr;
}

ClientResult<const pb::LocatedBlock*> LocatedFile::block_at(std::uint64_t offset) {
  if (const pb::LocatedBlock* known = known_block_at(offset)) return known;
  if (const ClientStatus refreshed = refresh(offset); !refreshed) return refreshed.error();
  if (const pb::LocatedBlock* found = known_block_at(offset)) return found;
  return ClientFailure{ClientFailureKind::protocol,
                       namenode_->endpoint().text() + ": no block of " + path_ + " has byte " +
                           std::to_string(offset),
                       {}};
}

}  // namespace tracebed::hdfs
