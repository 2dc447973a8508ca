#include "coordinator/namenode_server/wire_values.h"

#include <limits>

namespace tracebed {
namespace {

namespace pb = hdfs::pb;

std::uint64_t count(std::int64_t bytes) {
  return static_cast<std::uint64_t>(bytes);
}

pb::DatanodeInfo::AdminState to_wire(AdminState state) {
  switch (state) {
    case AdminState::normal:
      return pb::DatanodeInfo::NORMAL;
    case AdminState::decommission_in_progress:
      return pb::DatanodeInfo::DECOMMISSION_INPROGRESS;
    case AdminState::decommissioned:
      return pb::DatanodeInfo::DECOMMISSIONED;
  }
  return pb::DatanodeInfo::NORMAL;
}

void add_node(const HdfsCallContext& context, const pb::DatanodeId& id,
              std::vector<NodeId>& nodes) {
  const auto node = node_of_uuid(context.view.pool, id.datanode_uuid());
  if (node && context.view.datanodes.find(*node) != nullptr) nodes.push_back(*node);
}

}  // namespace

void set_file_status(const HdfsCallContext& context, const FileStatus& status,
                     std::string_view name, pb::HdfsFileStatus& message) {
  message.set_file_type(status.is_directory ? pb::HdfsFileStatus::IS_DIR
                                            : pb::HdfsFileStatus::IS_FILE);
  message.set_path(name.data(), name.size());
  message.set_length(count(status.length));
  message.mutable_permission()->set_perm(status.permission);
  message.set_owner(status.owner);
  message.set_group(status.group);
  message.set_modification_time(count(context.view.times.to_epoch(status.modified)));
  message.set_access_time(
      status.is_directory ? 0 : count(context.view.times.to_epoch(status.accessed)));
  message.set_block_replication(status.replication);
  message.set_blocksize(count(status.block_size));
  message.set_file_id(status.file_id);
  message.set_children_num(static_cast<std::int32_t>(status.children));
  message.set_storage_policy(0);
}

bool set_datanode(const HdfsCallContext& context, NodeId node, pb::DatanodeInfo& message) {
  const DatanodePlace* place = context.view.datanodes.find(node);
  if (place == nullptr) return false;
  pb::DatanodeId& id = *message.mutable_id();
  id.set_ip_addr(place->address);
  id.set_host_name(place->name);
  id.set_datanode_uuid(context.ids.of(context.view.pool, node).uuid);
  id.set_xfer_port(place->transfer_port);
  id.set_info_port(place->http_port);
  id.set_ipc_port(place->transfer_port);  // a datanode serves both there
  message.set_location(place->rack);
  return true;
}

void set_usage(const DatanodeUsage& usage, AdminState state, pb::DatanodeInfo& message) {
  message.set_capacity(count(usage.capacity));
  message.set_dfs_used(count(usage.used));
  message.set_remaining(count(usage.remaining));
  message.set_block_pool_used(count(usage.used));
  message.set_xceiver_count(usage.transfers);
  message.set_admin_state(to_wire(state));
}

void set_located_block(const HdfsCallContext& context, const LocatedBlock& block,
                       pb::LocatedBlock& message) {
  pb::ExtendedBlock& name = *message.mutable_b();
  name.set_pool_id(context.view.pool);
  name.set_block_id(block.block.id);
  name.set_generation_stamp(block.block.generation_stamp);
  name.set_num_bytes(count(block.block.length));
  message.set_offset(count(block.offset));
  message.set_corrupt(block.is_corrupt);
  pb::Token& token = *message.mutable_block_token();
  token.set_identifier("");
  token.set_password("");
  token.set_kind("");
  token.set_service("");
  for (const NodeId node : block.nodes) {
    pb::DatanodeInfo& info = *message.add_locs();
    if (!set_datanode(context, node, info)) {
      message.mutable_locs()->RemoveLast();
      continue;
    }
    if (const Datanode* known = context.view.state.datanodes.find(node)) {
      set_usage(known->usage, known->admin_state, info);
    }
    message.add_is_cached(false);
    message.add_storage_types(pb::STORAGE_DISK);
    message.add_storage_ids(context.ids.of(context.view.pool, node).storage);
  }
}

void set_located_file(const HdfsCallContext& context, const LocatedFile& file,
                      pb::LocatedBlocks& message) {
  message.set_file_length(count(file.length));
  message.set_under_construction(file.is_under_construction);
  message.set_is_last_block_complete(file.is_last_complete);
  for (const LocatedBlock& block : file.blocks) {
    set_located_block(context, block, *message.add_blocks());
  }
  if (file.last) set_located_block(context, *file.last, *message.mutable_last_block());
}

Result<BlockName, hdfs::RpcError> block_name(const HdfsCallContext& context,
                                             const pb::ExtendedBlock& block) {
  if (block.pool_id() != context.view.pool) {
    return hdfs_failure(
        exception_class(StorageFailureKind::io),
        "Unexpected BlockPoolId " + block.pool_id() + " - expected " + context.view.pool);
  }
  constexpr auto bytes_max = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  constexpr auto stamp_max = std::uint64_t{std::numeric_limits<std::uint32_t>::max()};
  if (block.num_bytes() > bytes_max || block.generation_stamp() > stamp_max) {
    return hdfs_failure(hadoop_illegal_argument_class,
                        "no block has the length or the generation stamp of blk_" +
                            std::to_string(block.block_id()));
  }
  return BlockName{block.block_id(), static_cast<std::uint32_t>(block.generation_stamp()),
                   static_cast<std::int64_t>(block.num_bytes())};
}

std::vector<NodeId> nodes_of(const HdfsCallContext& context,
                             const google::protobuf::RepeatedPtrField<pb::DatanodeInfo>& infos) {
  std::vector<NodeId> nodes;
  for (const pb::DatanodeInfo& info : infos) add_node(context, info.id(), nodes);
  return nodes;
}

std::vector<NodeId> nodes_of(const HdfsCallContext& context,
                             const google::protobuf::RepeatedPtrField<pb::DatanodeId>& ids) {
  std::vector<NodeId> nodes;
  for (const pb::DatanodeId& id : ids) add_node(context, id, nodes);
  return nodes;
}

}  // namespace tracebed
