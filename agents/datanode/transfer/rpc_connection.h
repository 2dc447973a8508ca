// A connection that begins as one of Hadoop RPC does. It comes to the port of data transfers, which
// is the datanode's IPC port, too: clients ask for the length of a block that is being written
// (ClientDatanodeProtocol), and the primary datanode of a recovery asks the others for their
// replicas (InterDatanodeProtocol).
#pragma once

#include <string>

#include "agents/datanode/transfer/transfer_environment.h"
#include "agents/datanode/transfer/transfer_input.h"
#include "protocol/hdfs/rpc_reply.h"
#include "protocol/hdfs/rpc_server_reader.h"

namespace tracebed {

class DatanodeRpcConnection {
 public:
  // "hrpc"; operations of data transfer begin with a zero.
  static bool begins_with(std::byte first) { return first == std::byte{'h'}; }

  DatanodeRpcConnection(const TransferEnvironment& environment, TransferSocket& socket,
                        TransferInput& input);

  // Answers calls one after the other, until the client closes or is silent for too long.
  void run();

 private:
  // What is to be sent.
  std::string answer(const hdfs::RpcCall& call);

  const TransferEnvironment& environment_;
  TransferSocket& socket_;
  TransferInput& input_;
  hdfs::RpcServerReader reader_;
  hdfs::RpcReplyWriter replies_;
};

}  // namespace tracebed
