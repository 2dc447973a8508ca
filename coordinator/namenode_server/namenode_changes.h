// Methods of ClientProtocol that change something: from a request to the call that the run's
// namenode executes, and from its reply to the response.
#pragma once

#include <string>

#include "client_namenode.pb.h"
#include "coordinator/namenode_server/hdfs_call_context.h"
#include "core/storage_call.h"
#include "core/storage_reply.h"

namespace tracebed {

struct Change {
  std::string client;  // the caller's name for leases; empty for calls that need none
  StorageOperation operation;
};
using ChangeResult = Result<Change, hdfs::RpcError>;

// ---- files that are written ----
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::CreateRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::AppendRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::AddBlockRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::AbandonBlockRequest& request);
ChangeResult change(const HdfsCallContext& context,
                    const hdfs::pb::UpdateBlockForPipelineRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::UpdatePipelineRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::CompleteRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::FsyncRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::RenewLeaseRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::RecoverLeaseRequest& request);
ChangeResult change(const HdfsCallContext& context,
                    const hdfs::pb::ReportBadBlocksRequest& request);

// ---- the namespace ----
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::MkdirsRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::RenameRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::Rename2Request& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::DeleteRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::TruncateRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::ConcatRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::SetReplicationRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::SetPermissionRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::SetOwnerRequest& request);
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::SetTimesRequest& request);
// Not to be called for SAFEMODE_GET.
ChangeResult change(const HdfsCallContext& context, const hdfs::pb::SetSafeModeRequest& request);

// ---- responses, from replies that are no failures ----
void respond(const HdfsCallContext& context, const StorageReply& reply,
             hdfs::pb::CreateResponse& response);
void respond(const HdfsCallContext& context, const StorageReply& reply,
             hdfs::pb::AppendResponse& response);
void set_block_of(const HdfsCallContext& context, const StorageReply& reply,
                  hdfs::pb::LocatedBlock& message);
// To methods that return a block.
template <class Response>
requires requires(Response response) {
  response.mutable_block();
}
void respond(const HdfsCallContext& context, const StorageReply& reply, Response& response) {
  set_block_of(context, reply, *response.mutable_block());
}
// To those that return a boolean.
template <class Response>
requires requires(Response response) {
  response.set_result(true);
}
void respond(const HdfsCallContext&, const StorageReply& reply, Response& response) {
  const Answer* answer = std::get_if<Answer>(&reply);
  response.set_result(answer == nullptr || answer->is_true);
}
// To those that return nothing.
template <class Response>
void respond(const HdfsCallContext&, const StorageReply&, Response&) {}

}  // namespace tracebed
