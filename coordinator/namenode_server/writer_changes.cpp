#include "coordinator/namenode_server/namenode_changes.h"
#include "coordinator/namenode_server/wire_values.h"

namespace tracebed {
namespace {

namespace pb = hdfs::pb;

constexpr std::uint32_t permission_bits = 01777;

bool has(std::uint32_t flags, pb::CreateFlag flag) {
  return (flags & static_cast<std::uint32_t>(flag)) != 0;
}

}  // namespace

ChangeResult change(const HdfsCallContext&, const pb::CreateRequest& request) {
  const std::string& policy = request.ec_policy_name();
  if (!policy.empty() && policy != "replication") {
    return hdfs_failure(hadoop_illegal_argument_class,
                        "Policy '" + policy + "' does not match any enabled erasure coding " +
                            "policies: []. An erasure coding policy can be enabled by " +
                            "enableErasureCodingPolicy");
  }
  if (!request.storage_policy().empty() && request.storage_policy() != "HOT") {
    return hdfs_failure(hadoop_illegal_argument_class,
                        "Cannot find a block policy with the name " + request.storage_policy());
  }
  CreateFile call{
      .path = request.src(),
      .permission = static_cast<std::uint16_t>(request.masked().perm() & permission_bits),
      .may_create = has(request.create_flag(), pb::CREATE_FLAG_CREATE),
      .may_overwrite = has(request.create_flag(), pb::CREATE_FLAG_OVERWRITE),
      .makes_parents = request.create_parent(),
      .replication = request.replication(),
      .block_size = static_cast<std::int64_t>(request.block_size())};
  return Change{request.client_name(), std::move(call)};
}

ChangeResult change(const HdfsCallContext&, const pb::AppendRequest& request) {
  return Change{request.client_name(),
                AppendFile{request.src(), has(request.flag(), pb::CREATE_FLAG_NEW_BLOCK)}};
}

// Favoured nodes are a hint, which HDFS itself need not follow.
ChangeResult change(const HdfsCallContext& context, const pb::AddBlockRequest& request) {
  AddBlock call{.file = {request.src(), request.file_id()},
                .previous = {},
                .excluded = nodes_of(context, request.exclude_nodes())};
  if (request.has_previous()) {
    const auto previous = block_name(context, request.previous());
    if (!previous) return previous.error();
    call.previous = *previous;
  }
  for (const int flag : request.flags()) {
    if (flag == pb::ADD_BLOCK_IGNORE_CLIENT_LOCALITY) call.ignores_client_locality = true;
    const bool avoids_own = flag == pb::ADD_BLOCK_NO_LOCAL_WRITE && context.reader.node.is_valid();
    if (avoids_own) call.excluded.push_back(context.reader.node);
  }
  return Change{request.client_name(), std::move(call)};
}

ChangeResult change(const HdfsCallContext& context, const pb::AbandonBlockRequest& request) {
  const auto block = block_name(context, request.b());
  if (!block) return block.error();
  return Change{request.holder(), AbandonBlock{{request.src(), request.file_id()}, *block}};
}

ChangeResult change(const HdfsCallContext& context,
                    const pb::UpdateBlockForPipelineRequest& request) {
  const auto block = block_name(context, request.block());
  if (!block) return block.error();
  return Change{request.client_name(), UpdateBlockForPipeline{*block}};
}

ChangeResult change(const HdfsCallContext& context, const pb::UpdatePipelineRequest& request) {
  const auto old_block = block_name(context, request.old_block());
  if (!old_block) return old_block.error();
  const auto new_block = block_name(context, request.new_block());
  if (!new_block) return new_block.error();
  return Change{request.client_name(),
                UpdatePipeline{*old_block, *new_block, nodes_of(context, request.new_nodes())}};
}

ChangeResult change(const HdfsCallContext& context, const pb::CompleteRequest& request) {
  CompleteFile call{.file = {request.src(), request.file_id()}, .last = {}};
  if (request.has_last()) {
    const auto last = block_name(context, request.last());
    if (!last) return last.error();
    call.last = *last;
  }
  return Change{request.client_name(), std::move(call)};
}

ChangeResult change(const HdfsCallContext&, const pb::FsyncRequest& request) {
  return Change{request.client(),
                SyncFile{{request.src(), request.file_id()}, request.last_block_length()}};
}

ChangeResult change(const HdfsCallContext&, const pb::RenewLeaseRequest& request) {
  return Change{request.client_name(), RenewLease{}};
}

ChangeResult change(const HdfsCallContext&, const pb::RecoverLeaseRequest& request) {
  return Change{request.client_name(), RecoverLease{request.src()}};
}

ChangeResult change(const HdfsCallContext& context, const pb::ReportBadBlocksRequest& request) {
  ReportBadBlocks call;
  for (const pb::LocatedBlock& reported : request.blocks()) {
    const auto block = block_name(context, reported.b());
    if (!block) return block.error();
    call.blocks.push_back({*block, nodes_of(context, reported.locs())});
  }
  return Change{{}, std::move(call)};
}

void respond(const HdfsCallContext& context, const StorageReply& reply,
             pb::CreateResponse& response) {
  if (const auto* status = std::get_if<FileStatus>(&reply)) {
    set_file_status(context, *status, {}, *response.mutable_fs());
  }
}

void respond(const HdfsCallContext& context, const StorageReply& reply,
             pb::AppendResponse& response) {
  const auto* appended = std::get_if<AppendedFile>(&reply);
  if (appended == nullptr) return;
  set_file_status(context, appended->status, {}, *response.mutable_stat());
  if (appended->last) set_located_block(context, *appended->last, *response.mutable_block());
}

void set_block_of(const HdfsCallContext& context, const StorageReply& reply,
                  pb::LocatedBlock& message) {
  const auto* block = std::get_if<LocatedBlock>(&reply);
  set_located_block(context, block == nullptr ? LocatedBlock() : *block, message);
}

}  // namespace tracebed
