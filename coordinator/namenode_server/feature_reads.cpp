#include "coordinator/namenode_server/namenode_reads.h"
#include "coordinator/storage/file_lookup.h"
#include "coordinator/storage/namenode_queries.h"

namespace tracebed {
namespace {

namespace pb = hdfs::pb;

constexpr auto no_quota = static_cast<std::uint64_t>(-1);

HdfsStatus check_path(const HdfsCallContext& context, const std::string& path) {
  const auto found =
      existing_inode(context.view.state, path, "File/Directory does not exist: " + path);
  return found ? hdfs_success() : HdfsStatus(hdfs_failure(found.error()));
}

// The default one, which every file has (BlockStoragePolicySuite).
void set_hot(pb::BlockStoragePolicy& policy) {
  constexpr std::uint32_t hot = 7;
  policy.set_policy_id(hot);
  policy.set_name("HOT");
  policy.mutable_creation_policy()->add_storage_types(pb::STORAGE_DISK);
  policy.mutable_creation_fallback_policy();
  policy.mutable_replication_fallback_policy()->add_storage_types(pb::STORAGE_ARCHIVE);
}

}  // namespace

HdfsStatus read(const HdfsCallContext& context, const pb::GetQuotaUsageRequest& request,
                pb::GetQuotaUsageResponse& response) {
  const auto found = content_summary(context.view.state, request.path());
  if (!found) return hdfs_failure(found.error());
  pb::QuotaUsage& usage = *response.mutable_usage();
  usage.set_file_and_directory_count(found->files + found->directories);
  usage.set_quota(no_quota);
  usage.set_space_consumed(static_cast<std::uint64_t>(found->space_consumed));
  usage.set_space_quota(no_quota);
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetAclStatusRequest& request,
                pb::GetAclStatusResponse& response) {
  constexpr std::uint16_t sticky = 01000;
  const HdfsStatus there = check_path(context, request.src());
  if (!there) return there;
  const auto info = file_info(context.view.state, request.src());
  const FileStatus& status = **info;
  pb::AclStatus& result = *response.mutable_result();
  result.set_owner(status.owner);
  result.set_group(status.group);
  result.set_sticky((status.permission & sticky) != 0);
  result.mutable_permission()->set_perm(status.permission);
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetXAttrsRequest& request,
                pb::GetXAttrsResponse&) {
  const HdfsStatus there = check_path(context, request.src());
  if (!there || request.x_attrs_size() == 0) return there;
  return hdfs_failure(exception_class(StorageFailureKind::io),
                      "At least one of the attributes provided was not found.");
}

HdfsStatus read(const HdfsCallContext& context, const pb::ListXAttrsRequest& request,
                pb::ListXAttrsResponse&) {
  return check_path(context, request.src());
}

HdfsStatus read(const HdfsCallContext&, const pb::GetStoragePoliciesRequest&,
                pb::GetStoragePoliciesResponse& response) {
  set_hot(*response.add_policies());
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetStoragePolicyRequest& request,
                pb::GetStoragePolicyResponse& response) {
  set_hot(*response.mutable_storage_policy());
  return check_path(context, request.path());
}

HdfsStatus read(const HdfsCallContext&, const pb::GetSnapshottableDirListingRequest&,
                pb::GetSnapshottableDirListingResponse&) {
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext&, const pb::GetDelegationTokenRequest&,
                pb::GetDelegationTokenResponse&) {
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext& context, const pb::GetFsReplicatedBlockStatsRequest&,
                pb::GetFsReplicatedBlockStatsResponse& response) {
  const StorageStatistics figures = statistics(context.view.state);
  response.set_low_redundancy(figures.under_replicated);
  response.set_corrupt_blocks(figures.missing);
  response.set_missing_blocks(figures.missing);
  response.set_missing_repl_one_blocks(0);
  response.set_blocks_in_future(0);
  response.set_pending_deletion_blocks(figures.pending_deletions);
  return hdfs_success();
}

// Nothing is erasure-coded.
HdfsStatus read(const HdfsCallContext&, const pb::GetFsECBlockGroupStatsRequest&,
                pb::GetFsECBlockGroupStatsResponse& response) {
  response.set_low_redundancy(0);
  response.set_corrupt_blocks(0);
  response.set_missing_blocks(0);
  response.set_blocks_in_future(0);
  response.set_pending_deletion_blocks(0);
  return hdfs_success();
}

HdfsStatus read(const HdfsCallContext&, const pb::HAServiceStateRequest&,
                pb::HAServiceStateResponse& response) {
  response.set_state(pb::HA_ACTIVE);
  return hdfs_success();
}

// What is read is never behind.
HdfsStatus read(const HdfsCallContext&, const pb::MsyncRequest&, pb::MsyncResponse&) {
  return hdfs_success();
}

}  // namespace tracebed
