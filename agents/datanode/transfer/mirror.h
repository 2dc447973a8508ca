// The next datanode of a write pipeline, to which a datanode passes on what it receives.
#pragma once

#include <memory>
#include <string>

#include "agents/datanode/transfer/block_op_reply.h"
#include "agents/datanode/transfer/transfer_input.h"

namespace tracebed {

class Mirror {
 public:
  // Of the operation's first target, which exists.
  Mirror(const TransferEnvironment& environment, const pb::OpWriteBlock& write);

  // Connects, and passes the operation on with the targets after the first.
  TransferStatus open();
  // What the rest of the pipeline answers to a client's operation.
  TransferResult<pb::BlockOpResponse> read_reply();

  // One thread sends packets, and one reads acks.
  TransferStatus send(hdfs::Bytes packets);
  TransferResult<pb::PipelineAck> read_ack();
  // Whether the next is there to be read without waiting.
  bool has_ack() const;
  bool passes_freely() const { return network_ && network_->passes_freely(); }
  // Any thread: both ends.
  void shut_down() { socket_.shut_down(); }

  // "ip:port", as clients know it from the namenode (firstBadLink).
  const std::string& name() const { return name_; }
  // How many datanodes there are from this one on.
  std::size_t size() const { return static_cast<std::size_t>(write_.targets_size()); }

 private:
  std::chrono::milliseconds read_timeout() const;

  const TransferEnvironment& environment_;
  const pb::OpWriteBlock& write_;
  SocketPlace place_;
  std::string name_;
  TransferSocket socket_;
  TransferInput input_;
  std::optional<NetworkRate> network_;
};

}  // namespace tracebed
