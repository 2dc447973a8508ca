#include "hdfs_client/remote_checksum.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "hdfs_client/datanode_connection.h"
#include "hdfs_client/located_file.h"
#include "hdfs_client/replica_attempts.h"

namespace tracebed::hdfs {
namespace {

struct ChecksumOfBlock {
  BlockChecksum checksum;
  ChunkChecksums chunks;
};

ClientResult<ChecksumOfBlock> checksum_of_response(const pb::OpBlockChecksumResponse& response,
                                                   const std::string& peer) {
  const auto chunks = chunk_checksums(response.crc_type(), response.bytes_per_crc());
  ChecksumOfBlock result;
  if (!chunks || chunks->type == ChecksumType::none ||
      response.md5().size() != result.checksum.md5.size()) {
    return ClientFailure{
        ClientFailureKind::protocol, peer + ": that is no checksum of a block", {}};
  }
  result.chunks = *chunks;
  result.checksum.crcs = response.crc_per_block();
  std::transform(response.md5().begin(), response.md5().end(), result.checksum.md5.begin(),
                 [](char byte) { return static_cast<std::byte>(byte); });
  return result;
}

ClientResult<ChecksumOfBlock> ask_datanode(const pb::DatanodeInfo& datanode,
                                           const pb::LocatedBlock& block,
                                           const ConnectionOptions& options) {
  ClientResult<DatanodeConnection> connection = DatanodeConnection::open(datanode.id(), options);
  if (!connection) return connection.error();
  pb::OpBlockChecksum operation;
  *operation.mutable_header()->mutable_block() = block.b();
  *operation.mutable_header()->mutable_token() = block.block_token();
  const auto response = connection->expect_success(operation, options.read_timeout);
  if (!response) return response.error();
  return checksum_of_response(response->checksum_response(), transfer_address(datanode.id()));
}

ClientResult<ChecksumOfBlock> checksum_of_block(const pb::LocatedBlock& block, DeadDatanodes& dead,
                                                const std::string& path,
                                                const ConnectionOptions& options) {
  ReplicaAttempts attempts;
  while (const pb::DatanodeInfo* datanode = attempts.choose(block, dead)) {
    ClientResult<ChecksumOfBlock> checksum = ask_datanode(*datanode, block, options);
    if (checksum || checksum.error().kind == ClientFailureKind::interrupted) return checksum;
    attempts.give_up(*datanode, checksum.error());
  }
  return ClientFailure{
      ClientFailureKind::exhausted,
      path + ": no datanode has a checksum of " + block_text(block.b()) + attempts.text(),
      {}};
}

}  // namespace

ClientResult<FileChecksum> remote_file_checksum(NamenodeClient& namenode, DeadDatanodes& dead,
                                                const std::string& path,
                                                const ConnectionOptions& options) {
  ClientResult<LocatedFile> file =
      LocatedFile::open(namenode, path, 0, std::numeric_limits<std::int64_t>::max());
  if (!file) return file.error();
  std::optional<ChunkChecksums> chunks;
  std::vector<BlockChecksum> blocks;
  for (std::uint64_t offset = 0; offset < file->length();) {
    const ClientResult<const pb::LocatedBlock*> block = file->block_at(offset);
    if (!block) return block.error();
    offset = (*block)->offset() + (*block)->b().num_bytes();
    const ClientResult<ChecksumOfBlock> of_block = checksum_of_block(**block, dead, path, options);
    if (!of_block) return of_block.error();
    if (chunks && *chunks != of_block->chunks) {
      return ClientFailure{
          ClientFailureKind::remote, path + ": its blocks have checksums of different kinds", {}};
    }
    chunks = of_block->chunks;
    blocks.push_back(of_block->checksum);
  }
  return file_checksum(chunks.value_or(ChunkChecksums{}), blocks);
}

}  // namespace tracebed::hdfs
