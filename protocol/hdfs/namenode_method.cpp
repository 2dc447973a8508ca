#include "protocol/hdfs/namenode_method.h"

#include <algorithm>
#include <array>

#include "core/check.h"

namespace tracebed::hdfs {
namespace {

struct NamedMethod {
  std::string_view name;
  NamenodeMethod method;
};

constexpr auto by_name = std::to_array<NamedMethod>({
    {"abandonBlock", NamenodeMethod::abandon_block},
    {"addBlock", NamenodeMethod::add_block},
    {"append", NamenodeMethod::append},
    {"checkAccess", NamenodeMethod::check_access},
    {"complete", NamenodeMethod::complete},
    {"concat", NamenodeMethod::concat},
    {"create", NamenodeMethod::create},
    {"delete", NamenodeMethod::remove},
    {"fsync", NamenodeMethod::fsync},
    {"getAclStatus", NamenodeMethod::get_acl_status},
    {"getAdditionalDatanode", NamenodeMethod::get_additional_datanode},
    {"getBlockLocations", NamenodeMethod::get_block_locations},
    {"getContentSummary", NamenodeMethod::get_content_summary},
    {"getDataEncryptionKey", NamenodeMethod::get_data_encryption_key},
    {"getDatanodeReport", NamenodeMethod::get_datanode_report},
    {"getDelegationToken", NamenodeMethod::get_delegation_token},
    {"getEZForPath", NamenodeMethod::get_ez_for_path},
    {"getErasureCodingPolicy", NamenodeMethod::get_erasure_coding_policy},
    {"getFileInfo", NamenodeMethod::get_file_info},
    {"getFileLinkInfo", NamenodeMethod::get_file_link_info},
    {"getFsECBlockGroupStats", NamenodeMethod::get_fs_ec_block_group_stats},
    {"getFsReplicatedBlockStats", NamenodeMethod::get_fs_replicated_block_stats},
    {"getFsStats", NamenodeMethod::get_fs_stats},
    {"getHAServiceState", NamenodeMethod::get_ha_service_state},
    {"getListing", NamenodeMethod::get_listing},
    {"getLocatedFileInfo", NamenodeMethod::get_located_file_info},
    {"getPreferredBlockSize", NamenodeMethod::get_preferred_block_size},
    {"getQuotaUsage", NamenodeMethod::get_quota_usage},
    {"getServerDefaults", NamenodeMethod::get_server_defaults},
    {"getSnapshottableDirListing", NamenodeMethod::get_snapshottable_dir_listing},
    {"getStoragePolicies", NamenodeMethod::get_storage_policies},
    {"getStoragePolicy", NamenodeMethod::get_storage_policy},
    {"getXAttrs", NamenodeMethod::get_x_attrs},
    {"isFileClosed", NamenodeMethod::is_file_closed},
    {"listCorruptFileBlocks", NamenodeMethod::list_corrupt_file_blocks},
    {"listXAttrs", NamenodeMethod::list_x_attrs},
    {"mkdirs", NamenodeMethod::mkdirs},
    {"msync", NamenodeMethod::msync},
    {"recoverLease", NamenodeMethod::recover_lease},
    {"rename", NamenodeMethod::rename},
    {"rename2", NamenodeMethod::rename2},
    {"renewLease", NamenodeMethod::renew_lease},
    {"reportBadBlocks", NamenodeMethod::report_bad_blocks},
    {"setOwner", NamenodeMethod::set_owner},
    {"setPermission", NamenodeMethod::set_permission},
    {"setReplication", NamenodeMethod::set_replication},
    {"setSafeMode", NamenodeMethod::set_safe_mode},
    {"setTimes", NamenodeMethod::set_times},
    {"truncate", NamenodeMethod::truncate},
    {"updateBlockForPipeline", NamenodeMethod::update_block_for_pipeline},
    {"updatePipeline", NamenodeMethod::update_pipeline},
});
static_assert(std::is_sorted(by_name.begin(), by_name.end(),
                             [](const NamedMethod& a, const NamedMethod& b) {
                               return a.name < b.name;
                             }));

}  // namespace

std::string_view method_name(NamenodeMethod method) {
  const auto* found = std::find_if(by_name.begin(), by_name.end(), [&](const NamedMethod& entry) {
    return entry.method == method;
  });
  TRACEBED_CHECK(found != by_name.end(), "every method has a name");
  return found->name;
}

std::optional<NamenodeMethod> namenode_method(std::string_view name) {
  const auto* found = std::lower_bound(
      by_name.begin(), by_name.end(), name,
      [](const NamedMethod& entry, std::string_view wanted) { return entry.name < wanted; });
  if (found == by_name.end() || found->name != name) return std::nullopt;
  return found->method;
}

}  // namespace tracebed::hdfs
