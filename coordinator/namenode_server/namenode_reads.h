// Methods of ClientProtocol that change nothing: request to response (org.apache.hadoop.hdfs.
// protocolPB.ClientNamenodeProtocolServerSideTranslatorPB, NameNodeRpcServer). A response is empty
// before, and is not to be sent if the method fails. Permissions are kept and shown, but not
// enforced, as where dfs.permissions.enabled is false.
#pragma once

#include "client_namenode.pb.h"
#include "client_namenode_features.pb.h"
#include "coordinator/namenode_server/hdfs_call_context.h"

namespace tracebed {

// ---- the namespace ----
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetFileInfoRequest& request,
                hdfs::pb::GetFileInfoResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetFileLinkInfoRequest& request,
                hdfs::pb::GetFileLinkInfoResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetLocatedFileInfoRequest& request,
                hdfs::pb::GetLocatedFileInfoResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetListingRequest& request,
                hdfs::pb::GetListingResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetBlockLocationsRequest& request,
                hdfs::pb::GetBlockLocationsResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetContentSummaryRequest& request,
                hdfs::pb::GetContentSummaryResponse& response);
HdfsStatus read(const HdfsCallContext& context,
                const hdfs::pb::GetPreferredBlockSizeRequest& request,
                hdfs::pb::GetPreferredBlockSizeResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::IsFileClosedRequest& request,
                hdfs::pb::IsFileClosedResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::CheckAccessRequest& request,
                hdfs::pb::CheckAccessResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetEZForPathRequest& request,
                hdfs::pb::GetEZForPathResponse& response);
HdfsStatus read(const HdfsCallContext& context,
                const hdfs::pb::GetErasureCodingPolicyRequest& request,
                hdfs::pb::GetErasureCodingPolicyResponse& response);
HdfsStatus read(const HdfsCallContext& context,
                const hdfs::pb::ListCorruptFileBlocksRequest& request,
                hdfs::pb::ListCorruptFileBlocksResponse& response);

// ---- the cluster ----
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetServerDefaultsRequest& request,
                hdfs::pb::GetServerDefaultsResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetFsStatsRequest& request,
                hdfs::pb::GetFsStatsResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetStoragePoliciesRequest& request,
                hdfs::pb::GetStoragePoliciesResponse& response);
HdfsStatus read(const HdfsCallContext& context,
                const hdfs::pb::GetDataEncryptionKeyRequest& request,
                hdfs::pb::GetDataEncryptionKeyResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetDatanodeReportRequest& request,
                hdfs::pb::GetDatanodeReportResponse& response);
HdfsStatus read(const HdfsCallContext& context,
                const hdfs::pb::GetAdditionalDatanodeRequest& request,
                hdfs::pb::GetAdditionalDatanodeResponse& response);

// ---- features that are not there ----
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetQuotaUsageRequest& request,
                hdfs::pb::GetQuotaUsageResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetAclStatusRequest& request,
                hdfs::pb::GetAclStatusResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetXAttrsRequest& request,
                hdfs::pb::GetXAttrsResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::ListXAttrsRequest& request,
                hdfs::pb::ListXAttrsResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetStoragePolicyRequest& request,
                hdfs::pb::GetStoragePolicyResponse& response);
HdfsStatus read(const HdfsCallContext& context,
                const hdfs::pb::GetSnapshottableDirListingRequest& request,
                hdfs::pb::GetSnapshottableDirListingResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::GetDelegationTokenRequest& request,
                hdfs::pb::GetDelegationTokenResponse& response);
HdfsStatus read(const HdfsCallContext& context,
                const hdfs::pb::GetFsReplicatedBlockStatsRequest& request,
                hdfs::pb::GetFsReplicatedBlockStatsResponse& response);
HdfsStatus read(const HdfsCallContext& context,
                const hdfs::pb::GetFsECBlockGroupStatsRequest& request,
                hdfs::pb::GetFsECBlockGroupStatsResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::HAServiceStateRequest& request,
                hdfs::pb::HAServiceStateResponse& response);
HdfsStatus read(const HdfsCallContext& context, const hdfs::pb::MsyncRequest& request,
                hdfs::pb::MsyncResponse& response);

}  // namespace tracebed
