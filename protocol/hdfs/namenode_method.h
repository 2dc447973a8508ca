// The methods of Hadoop's protocols that this testbed serves, by their names in requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebed::hdfs {

constexpr std::string_view client_protocol = "org.apache.hadoop.hdfs.protocol.ClientProtocol";
constexpr std::string_view client_datanode_protocol =
    "org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol";
constexpr std::uint64_t protocol_version = 1;  // of all

// Of the client protocol; the request of `get_file_info` is pb::GetFileInfoRequest, its response
// pb::GetFileInfoResponse (client_namenode.proto), and so on.
enum class NamenodeMethod : std::uint8_t {
  get_file_info,
  get_file_link_info,
  get_located_file_info,
  get_listing,
  get_block_locations,
  get_server_defaults,
  get_fs_stats,
  get_content_summary,
  get_preferred_block_size,
  is_file_closed,
  check_access,
  get_storage_policies,
  get_ez_for_path,
  get_erasure_coding_policy,
  get_data_encryption_key,
  list_corrupt_file_blocks,
  get_datanode_report,
  // client_namenode_features.proto
  get_quota_usage,
  get_acl_status,
  get_x_attrs,
  list_x_attrs,
  get_storage_policy,
  get_snapshottable_dir_listing,
  get_delegation_token,
  get_fs_replicated_block_stats,
  get_fs_ec_block_group_stats,
  get_ha_service_state,
  msync,

  set_safe_mode,
  create,
  append,
  add_block,
  abandon_block,
  get_additional_datanode,
  update_block_for_pipeline,
  update_pipeline,
  complete,
  fsync,
  renew_lease,
  recover_lease,
  report_bad_blocks,
  mkdirs,
  rename,
  rename2,
  remove,  // "delete"
  truncate,
  concat,
  set_replication,
  set_permission,
  set_owner,
  set_times,
};

std::string_view method_name(NamenodeMethod method);
std::optional<NamenodeMethod> namenode_method(std::string_view name);

constexpr std::string_view get_replica_visible_length = "getReplicaVisibleLength";

// Between datanodes.
constexpr std::string_view inter_datanode_protocol =
    "org.apache.hadoop.hdfs.server.protocol.InterDatanodeProtocol";
constexpr std::string_view init_replica_recovery = "initReplicaRecovery";
constexpr std::string_view update_replica_under_recovery = "updateReplicaUnderRecovery";

}  // namespace tracebed::hdfs
