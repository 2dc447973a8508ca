// Serves one connection of a client or of another datanode
// (org.apache.hadoop.hdfs.server.datanode.DataXceiver): operations of the data transfer protocol
// one after the other, or calls of Hadoop RPC, which the first byte tells apart.
//
// An operation that fails is answered with HDFS' status and a message, after which the connection
// is closed, as after every write.
#pragma once

#include "agents/datanode/transfer/block_op_reply.h"
#include "agents/datanode/transfer/transfer_environment.h"
#include "agents/datanode/transfer/transfer_input.h"
#include "protocol/hdfs/transfer_operation.h"

namespace tracebed {

class DataXceiver {
 public:
  DataXceiver(const TransferEnvironment& environment, TransferSocket& socket)
      : environment_(environment), socket_(socket), input_(socket) {}

  // Returns when the connection is of no more use.
  void run();

 private:
  enum class Next : std::uint8_t { operation, close };

  Next serve_next(std::chrono::milliseconds timeout);
  Next serve(const pb::OpReadBlock& read);
  Next serve(const pb::OpWriteBlock& write);
  Next serve(const pb::OpTransferBlock& transfer);
  Next serve(const pb::OpBlockChecksum& checksum);
  Next serve(const hdfs::UnsupportedOperation& operation);
  Next refuse(const std::string& message);
  // Some clients say how they found the bytes; others send their next operation, or nothing.
  Next read_client_status();
  bool is_next_operation();

  const TransferEnvironment& environment_;
  TransferSocket& socket_;
  TransferInput input_;
};

}  // namespace tracebed
