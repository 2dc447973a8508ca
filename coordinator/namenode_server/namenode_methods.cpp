#include "coordinator/namenode_server/namenode_methods.h"

#include <type_traits>

#include "coordinator/namenode_server/namenode_reads.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed {
namespace {

namespace pb = hdfs::pb;
using Outcome = NamenodeMethods::Outcome;

// What is asked thousands of times a second is parsed and written without an allocation.
template <class Message>
constexpr bool is_kept = std::is_same_v<Message, pb::GetBlockLocationsRequest> ||
                         std::is_same_v<Message, pb::GetBlockLocationsResponse>;

template <class Response>
void finish(const HdfsCallContext& context, const hdfs::RpcCallKey& key, const StorageReply& reply,
            const RpcSink& sink) {
  Response response;
  respond(context, reply, response);
  sink.writer.success(sink.out, key, response);
}

template <class Request, class Response>
Outcome begin_change(const HdfsCallContext& context, const hdfs::RpcCall& call) {
  Request request;
  if (!hdfs::parse_message(call.request, request)) return hdfs::malformed_request(call.method);
  ChangeResult result = change(context, request);
  if (!result) return result.error();
  return NamenodeMethods::Begun{*std::move(result), &finish<Response>};
}

}  // namespace

struct NamenodeMethods::Messages {
  pb::GetBlockLocationsRequest request;
  pb::GetBlockLocationsResponse response;

  template <class Message>
  Message& kept() {
    if constexpr (std::is_same_v<Message, pb::GetBlockLocationsRequest>) {
      return request;
    } else {
      return response;
    }
  }
};

NamenodeMethods::NamenodeMethods() : messages_(std::make_unique<Messages>()) {}
NamenodeMethods::~NamenodeMethods() = default;

template <class Request, class Response>
Outcome NamenodeMethods::answer(const HdfsCallContext& context, const hdfs::RpcCall& call,
                                const RpcSink& sink) {
  const auto answer_with = [&](Request& request, Response& response) -> Outcome {
    if (!hdfs::parse_message(call.request, request)) return hdfs::malformed_request(call.method);
    const HdfsStatus status = read(context, request, response);
    if (!status) return status.error();
    sink.writer.success(sink.out, call.key, response);
    return Answered{};
  };
  if constexpr (is_kept<Request>) {
    auto& response = messages_->kept<Response>();
    response.Clear();
    return answer_with(messages_->kept<Request>(), response);
  } else {
    Request request;
    Response response;
    return answer_with(request, response);
  }
}

Outcome NamenodeMethods::answer_safe_mode(const HdfsCallContext& context, const hdfs::RpcCall& call,
                                          const RpcSink& sink) {
  pb::SetSafeModeRequest request;
  if (!hdfs::parse_message(call.request, request)) return hdfs::malformed_request(call.method);
  if (request.action() != pb::SAFEMODE_GET) {
    return begin_change<pb::SetSafeModeRequest, pb::SetSafeModeResponse>(context, call);
  }
  pb::SetSafeModeResponse response;
  response.set_result(context.view.state.safe_mode.is_on());
  sink.writer.success(sink.out, call.key, response);
  return Answered{};
}

Outcome NamenodeMethods::begin(hdfs::NamenodeMethod method, const HdfsCallContext& context,
                               const hdfs::RpcCall& call, const RpcSink& sink) {
  using enum hdfs::NamenodeMethod;
  switch (method) {
    case get_file_info:
      return answer<pb::GetFileInfoRequest, pb::GetFileInfoResponse>(context, call, sink);
    case get_file_link_info:
      return answer<pb::GetFileLinkInfoRequest, pb::GetFileLinkInfoResponse>(context, call, sink);
    case get_located_file_info:
      return answer<pb::GetLocatedFileInfoRequest, pb::GetLocatedFileInfoResponse>(context, call,
                                                                                   sink);
    case get_listing:
      return answer<pb::GetListingRequest, pb::GetListingResponse>(context, call, sink);
    case get_block_locations:
      return answer<pb::GetBlockLocationsRequest, pb::GetBlockLocationsResponse>(context, call,
                                                                                 sink);
    case get_server_defaults:
      return answer<pb::GetServerDefaultsRequest, pb::GetServerDefaultsResponse>(context, call,
                                                                                 sink);
    case get_fs_stats:
      return answer<pb::GetFsStatsRequest, pb::GetFsStatsResponse>(context, call, sink);
    case get_content_summary:
      return answer<pb::GetContentSummaryRequest, pb::GetContentSummaryResponse>(context, call,
                                                                                 sink);
    case get_preferred_block_size:
      return answer<pb::GetPreferredBlockSizeRequest, pb::GetPreferredBlockSizeResponse>(
          context, call, sink);
    case is_file_closed:
      return answer<pb::IsFileClosedRequest, pb::IsFileClosedResponse>(context, call, sink);
    case check_access:
      return answer<pb::CheckAccessRequest, pb::CheckAccessResponse>(context, call, sink);
    case get_storage_policies:
      return answer<pb::GetStoragePoliciesRequest, pb::GetStoragePoliciesResponse>(context, call,
                                                                                   sink);
    case get_ez_for_path:
      return answer<pb::GetEZForPathRequest, pb::GetEZForPathResponse>(context, call, sink);
    case get_erasure_coding_policy:
      return answer<pb::GetErasureCodingPolicyRequest, pb::GetErasureCodingPolicyResponse>(
          context, call, sink);
    case get_data_encryption_key:
      return answer<pb::GetDataEncryptionKeyRequest, pb::GetDataEncryptionKeyResponse>(context,
                                                                                       call, sink);
    case list_corrupt_file_blocks:
      return answer<pb::ListCorruptFileBlocksRequest, pb::ListCorruptFileBlocksResponse>(
          context, call, sink);
    case get_datanode_report:
      return answer<pb::GetDatanodeReportRequest, pb::GetDatanodeReportResponse>(context, call,
                                                                                 sink);
    case get_additional_datanode:
      return answer<pb::GetAdditionalDatanodeRequest, pb::GetAdditionalDatanodeResponse>(
          context, call, sink);
    case get_quota_usage:
      return answer<pb::GetQuotaUsageRequest, pb::GetQuotaUsageResponse>(context, call, sink);
    case get_acl_status:
      return answer<pb::GetAclStatusRequest, pb::GetAclStatusResponse>(context, call, sink);
    case get_x_attrs:
      return answer<pb::GetXAttrsRequest, pb::GetXAttrsResponse>(context, call, sink);
    case list_x_attrs:
      return answer<pb::ListXAttrsRequest, pb::ListXAttrsResponse>(context, call, sink);
    case get_storage_policy:
      return answer<pb::GetStoragePolicyRequest, pb::GetStoragePolicyResponse>(context, call, sink);
    case get_snapshottable_dir_listing:
      return answer<pb::GetSnapshottableDirListingRequest, pb::GetSnapshottableDirListingResponse>(
          context, call, sink);
    case get_delegation_token:
      return answer<pb::GetDelegationTokenRequest, pb::GetDelegationTokenResponse>(context, call,
                                                                                   sink);
    case get_fs_replicated_block_stats:
      return answer<pb::GetFsReplicatedBlockStatsRequest, pb::GetFsReplicatedBlockStatsResponse>(
          context, call, sink);
    case get_fs_ec_block_group_stats:
      return answer<pb::GetFsECBlockGroupStatsRequest, pb::GetFsECBlockGroupStatsResponse>(
          context, call, sink);
    case get_ha_service_state:
      return answer<pb::HAServiceStateRequest, pb::HAServiceStateResponse>(context, call, sink);
    case msync:
      return answer<pb::MsyncRequest, pb::MsyncResponse>(context, call, sink);
    case set_safe_mode:
      return answer_safe_mode(context, call, sink);
    case create:
      return begin_change<pb::CreateRequest, pb::CreateResponse>(context, call);
    case append:
      return begin_change<pb::AppendRequest, pb::AppendResponse>(context, call);
    case add_block:
      return begin_change<pb::AddBlockRequest, pb::AddBlockResponse>(context, call);
    case abandon_block:
      return begin_change<pb::AbandonBlockRequest, pb::AbandonBlockResponse>(context, call);
    case update_block_for_pipeline:
      return begin_change<pb::UpdateBlockForPipelineRequest, pb::UpdateBlockForPipelineResponse>(
          context, call);
    case update_pipeline:
      return begin_change<pb::UpdatePipelineRequest, pb::UpdatePipelineResponse>(context, call);
    case complete:
      return begin_change<pb::CompleteRequest, pb::CompleteResponse>(context, call);
    case fsync:
      return begin_change<pb::FsyncRequest, pb::FsyncResponse>(context, call);
    case renew_lease:
      return begin_change<pb::RenewLeaseRequest, pb::RenewLeaseResponse>(context, call);
    case recover_lease:
      return begin_change<pb::RecoverLeaseRequest, pb::RecoverLeaseResponse>(context, call);
    case report_bad_blocks:
      return begin_change<pb::ReportBadBlocksRequest, pb::ReportBadBlocksResponse>(context, call);
    case mkdirs:
      return begin_change<pb::MkdirsRequest, pb::MkdirsResponse>(context, call);
    case rename:
      return begin_change<pb::RenameRequest, pb::RenameResponse>(context, call);
    case rename2:
      return begin_change<pb::Rename2Request, pb::Rename2Response>(context, call);
    case remove:
      return begin_change<pb::DeleteRequest, pb::DeleteResponse>(context, call);
    case truncate:
      return begin_change<pb::TruncateRequest, pb::TruncateResponse>(context, call);
    case concat:
      return begin_change<pb::ConcatRequest, pb::ConcatResponse>(context, call);
    case set_replication:
      return begin_change<pb::SetReplicationRequest, pb::SetReplicationResponse>(context, call);
    case set_permission:
      return begin_change<pb::SetPermissionRequest, pb::SetPermissionResponse>(context, call);
    case set_owner:
      return begin_change<pb::SetOwnerRequest, pb::SetOwnerResponse>(context, call);
    case set_times:
      return begin_change<pb::SetTimesRequest, pb::SetTimesResponse>(context, call);
  }
  return hdfs::no_such_method(call.method, call.protocol);
}

}  // namespace tracebed
