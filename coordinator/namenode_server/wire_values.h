// The namenode's values as the messages that clients read, and back.
#pragma once

#include <google/protobuf/repeated_field.h>
#include <vector>

#include "client_namenode.pb.h"
#include "coordinator/namenode_server/hdfs_call_context.h"
#include "coordinator/storage/namenode_queries.h"
#include "core/storage_reply.h"

namespace tracebed {

// ---- for clients; messages are empty before ----

// `name`: what the status calls it; empty where the client knows its path.
void set_file_status(const HdfsCallContext& context, const FileStatus& status,
                     std::string_view name, hdfs::pb::HdfsFileStatus& message);
// Datanodes that have no address yet are left out.
void set_located_block(const HdfsCallContext& context, const LocatedBlock& block,
                       hdfs::pb::LocatedBlock& message);
void set_located_file(const HdfsCallContext& context, const LocatedFile& file,
                      hdfs::pb::LocatedBlocks& message);
// False, and nothing is set, if it has no address yet.
bool set_datanode(const HdfsCallContext& context, NodeId node, hdfs::pb::DatanodeInfo& message);
void set_usage(const DatanodeUsage& usage, AdminState state, hdfs::pb::DatanodeInfo& message);

// ---- from clients ----

// Fails for a block of another pool.
Result<BlockName, hdfs::RpcError> block_name(const HdfsCallContext& context,
                                             const hdfs::pb::ExtendedBlock& block);
// Those that are no datanodes of the run are left out.
std::vector<NodeId> nodes_of(
    const HdfsCallContext& context,
    const google::protobuf::RepeatedPtrField<hdfs::pb::DatanodeInfo>& infos);
std::vector<NodeId> nodes_of(const HdfsCallContext& context,
                             const google::protobuf::RepeatedPtrField<hdfs::pb::DatanodeId>& ids);

}  // namespace tracebed
