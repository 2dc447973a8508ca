// Each request of the client protocol with its method and its response.
#pragma once

#include "client_namenode.pb.h"
#include "protocol/hdfs/namenode_method.h"

namespace tracebed::hdfs {

template <NamenodeMethod called, class Answer>
struct NamenodeCall {
  static constexpr NamenodeMethod method = called;
  using Response = Answer;
};

// The NamenodeCall of a request.
template <class Request>
struct CallOf;

template <>
struct CallOf<pb::GetFileInfoRequest>
    : NamenodeCall<NamenodeMethod::get_file_info, pb::GetFileInfoResponse> {};
template <>
struct CallOf<pb::GetFileLinkInfoRequest>
    : NamenodeCall<NamenodeMethod::get_file_link_info, pb::GetFileLinkInfoResponse> {};
template <>
struct CallOf<pb::GetLocatedFileInfoRequest>
    : NamenodeCall<NamenodeMethod::get_located_file_info, pb::GetLocatedFileInfoResponse> {};
template <>
struct CallOf<pb::GetListingRequest>
    : NamenodeCall<NamenodeMethod::get_listing, pb::GetListingResponse> {};
template <>
struct CallOf<pb::GetBlockLocationsRequest>
    : NamenodeCall<NamenodeMethod::get_block_locations, pb::GetBlockLocationsResponse> {};
template <>
struct CallOf<pb::GetServerDefaultsRequest>
    : NamenodeCall<NamenodeMethod::get_server_defaults, pb::GetServerDefaultsResponse> {};
template <>
struct CallOf<pb::GetFsStatsRequest>
    : NamenodeCall<NamenodeMethod::get_fs_stats, pb::GetFsStatsResponse> {};
template <>
struct CallOf<pb::GetContentSummaryRequest>
    : NamenodeCall<NamenodeMethod::get_content_summary, pb::GetContentSummaryResponse> {};
template <>
struct CallOf<pb::GetPreferredBlockSizeRequest>
    : NamenodeCall<NamenodeMethod::get_preferred_block_size, pb::GetPreferredBlockSizeResponse> {};
template <>
struct CallOf<pb::IsFileClosedRequest>
    : NamenodeCall<NamenodeMethod::is_file_closed, pb::IsFileClosedResponse> {};
template <>
struct CallOf<pb::CheckAccessRequest>
    : NamenodeCall<NamenodeMethod::check_access, pb::CheckAccessResponse> {};
template <>
struct CallOf<pb::GetStoragePoliciesRequest>
    : NamenodeCall<NamenodeMethod::get_storage_policies, pb::GetStoragePoliciesResponse> {};
template <>
struct CallOf<pb::ListCorruptFileBlocksRequest>
    : NamenodeCall<NamenodeMethod::list_corrupt_file_blocks, pb::ListCorruptFileBlocksResponse> {};
template <>
struct CallOf<pb::GetDatanodeReportRequest>
    : NamenodeCall<NamenodeMethod::get_datanode_report, pb::GetDatanodeReportResponse> {};
template <>
struct CallOf<pb::SetSafeModeRequest>
    : NamenodeCall<NamenodeMethod::set_safe_mode, pb::SetSafeModeResponse> {};

template <>
struct CallOf<pb::CreateRequest> : NamenodeCall<NamenodeMethod::create, pb::CreateResponse> {};
template <>
struct CallOf<pb::AppendRequest> : NamenodeCall<NamenodeMethod::append, pb::AppendResponse> {};
template <>
struct CallOf<pb::AddBlockRequest> : NamenodeCall<NamenodeMethod::add_block, pb::AddBlockResponse> {
};
template <>
struct CallOf<pb::AbandonBlockRequest>
    : NamenodeCall<NamenodeMethod::abandon_block, pb::AbandonBlockResponse> {};
template <>
struct CallOf<pb::GetAdditionalDatanodeRequest>
    : NamenodeCall<NamenodeMethod::get_additional_datanode, pb::GetAdditionalDatanodeResponse> {};
template <>
struct CallOf<pb::UpdateBlockForPipelineRequest>
    : NamenodeCall<NamenodeMethod::update_block_for_pipeline, pb::UpdateBlockForPipelineResponse> {
};
template <>
struct CallOf<pb::UpdatePipelineRequest>
    : NamenodeCall<NamenodeMethod::update_pipeline, pb::UpdatePipelineResponse> {};
template <>
struct CallOf<pb::CompleteRequest> : NamenodeCall<NamenodeMethod::complete, pb::CompleteResponse> {
};
template <>
struct CallOf<pb::FsyncRequest> : NamenodeCall<NamenodeMethod::fsync, pb::FsyncResponse> {};
template <>
struct CallOf<pb::RenewLeaseRequest>
    : NamenodeCall<NamenodeMethod::renew_lease, pb::RenewLeaseResponse> {};
template <>
struct CallOf<pb::RecoverLeaseRequest>
    : NamenodeCall<NamenodeMethod::recover_lease, pb::RecoverLeaseResponse> {};
template <>
struct CallOf<pb::ReportBadBlocksRequest>
    : NamenodeCall<NamenodeMethod::report_bad_blocks, pb::ReportBadBlocksResponse> {};

template <>
struct CallOf<pb::MkdirsRequest> : NamenodeCall<NamenodeMethod::mkdirs, pb::MkdirsResponse> {};
template <>
struct CallOf<pb::RenameRequest> : NamenodeCall<NamenodeMethod::rename, pb::RenameResponse> {};
template <>
struct CallOf<pb::Rename2Request> : NamenodeCall<NamenodeMethod::rename2, pb::Rename2Response> {};
template <>
struct CallOf<pb::DeleteRequest> : NamenodeCall<NamenodeMethod::remove, pb::DeleteResponse> {};
template <>
struct CallOf<pb::TruncateRequest> : NamenodeCall<NamenodeMethod::truncate, pb::TruncateResponse> {
};
template <>
struct CallOf<pb::ConcatRequest> : NamenodeCall<NamenodeMethod::concat, pb::ConcatResponse> {};
template <>
struct CallOf<pb::SetReplicationRequest>
    : NamenodeCall<NamenodeMethod::set_replication, pb::SetReplicationResponse> {};
template <>
struct CallOf<pb::SetPermissionRequest>
    : NamenodeCall<NamenodeMethod::set_permission, pb::SetPermissionResponse> {};
template <>
struct CallOf<pb::SetOwnerRequest> : NamenodeCall<NamenodeMethod::set_owner, pb::SetOwnerResponse> {
};
template <>
struct CallOf<pb::SetTimesRequest> : NamenodeCall<NamenodeMethod::set_times, pb::SetTimesResponse> {
};

}  // namespace tracebed::hdfs
