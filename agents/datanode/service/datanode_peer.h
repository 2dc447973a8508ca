// Another datanode, as orders of the namenode name it.
#pragma once

#include <cstdint>
#include <string>

#include "agents/datanode/transfer/block_op_reply.h"
#include "core/ids.h"

namespace tracebed {

struct DatanodePeer {
  NodeId node;
  std::string name;     // of its machine
  std::string address;  // IPv4
  std::string rack;
  // Of data transfers and of Hadoop RPC, which a datanode serves at one port.
  std::uint16_t transfer_port = 0;

  SocketPlace place() const { return {address, transfer_port}; }
};

// As operations and calls of HDFS name it.
pb::DatanodeInfo datanode_info(const DatanodePeer& peer);

}  // namespace tracebed
