// A connection to a datanode, on which one operation of the data transfer protocol is made.
#pragma once

#include <string>

#include "data_transfer.pb.h"
#include "hdfs_client/connection.h"
#include "hdfs_client/receive_buffer.h"
#include "protocol/hdfs/transfer_operation.h"

namespace tracebed::hdfs {

class DatanodeConnection {
 public:
  // The buffer's size at first; data comes in packets of some 64 KiB.
  static constexpr std::size_t buffer_bytes = std::size_t{256} << 10;

  static ClientResult<DatanodeConnection> open(const pb::DatanodeId& datanode,
                                               const ConnectionOptions& options);

  // Sends an operation, and receives its response, whatever its status.
  template <class Operation>
  ClientResult<pb::BlockOpResponse> request(const Operation& operation,
                                            std::chrono::milliseconds answer_timeout) {
    std::string bytes;
    append_operation(bytes, operation);
    return exchange(bytes, answer_timeout);
  }
  // As above; a status other than success is a failure of the kind `remote`.
  template <class Operation>
  ClientResult<pb::BlockOpResponse> expect_success(const Operation& operation,
                                                   std::chrono::milliseconds answer_timeout) {
    return successful(request(operation, answer_timeout));
  }

  Connection& connection() { return connection_; }
  const Connection& connection() const { return connection_; }
  ReceiveBuffer& received() { return received_; }

 private:
  DatanodeConnection(Connection connection, std::chrono::milliseconds write_timeout)
      : connection_(std::move(connection)), write_timeout_(write_timeout) {}

  ClientResult<pb::BlockOpResponse> exchange(const std::string& operation,
                                             std::chrono::milliseconds answer_timeout);
  ClientResult<pb::BlockOpResponse> successful(ClientResult<pb::BlockOpResponse> response) const;

  Connection connection_;
  ReceiveBuffer received_{buffer_bytes};
  std::chrono::milliseconds write_timeout_;
};

// "ip:port" of its data transfer server, as pipelines name a datanode.
std::string transfer_address(const pb::DatanodeId& datanode);

// "block 1073741825 with generation stamp 1001"
std::string block_text(const pb::ExtendedBlock& block);

}  // namespace tracebed::hdfs
