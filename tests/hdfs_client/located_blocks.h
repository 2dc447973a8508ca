// Blocks and datanodes as messages name them.
#pragma once

#include <string>
#include <vector>

#include "client_namenode.pb.h"
#include "hdfs_client/connection.h"

namespace tracebed::hdfs::test {

inline pb::ExtendedBlock extended_block(std::uint64_t id, std::uint64_t bytes) {
  pb::ExtendedBlock block;
  block.set_pool_id("run-1");
  block.set_block_id(id);
  block.set_generation_stamp(1'001);
  block.set_num_bytes(bytes);
  return block;
}

inline pb::DatanodeInfo datanode_at(const Endpoint& endpoint) {
  pb::DatanodeInfo datanode;
  pb::DatanodeId& id = *datanode.mutable_id();
  id.set_ip_addr(endpoint.address);
  id.set_host_name("node");
  id.set_datanode_uuid(endpoint.text());
  id.set_xfer_port(endpoint.port);
  id.set_info_port(0);
  id.set_ipc_port(endpoint.port);
  datanode.set_location("/rack");
  return datanode;
}

inline void set_empty_token(pb::Token& token) {
  token.set_identifier("");
  token.set_password("");
  token.set_kind("");
  token.set_service("");
}

inline pb::LocatedBlock located_block(const pb::ExtendedBlock& block, std::uint64_t offset,
                                      const std::vector<Endpoint>& datanodes) {
  pb::LocatedBlock located;
  *located.mutable_b() = block;
  located.set_offset(offset);
  located.set_corrupt(false);
  set_empty_token(*located.mutable_block_token());
  for (const Endpoint& datanode : datanodes) {
    *located.add_locs() = datanode_at(datanode);
    located.add_storage_types(pb::STORAGE_DISK);
    located.add_storage_ids("DS-" + datanode.text());
  }
  return located;
}

}  // namespace tracebed::hdfs::test
