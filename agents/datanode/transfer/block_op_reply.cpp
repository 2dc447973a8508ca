#include "agents/datanode/transfer/block_op_reply.h"

#include <limits>

#include "protocol/hdfs/delimited.h"

namespace tracebed {

std::string describe(const pb::ExtendedBlock& block) {
  return "blk_" + std::to_string(block.block_id()) + "_" + std::to_string(block.generation_stamp());
}

std::optional<std::string> block_error(const TransferEnvironment& environment,
                                       const pb::ExtendedBlock& block) {
  if (block.pool_id() != environment.pool) {
    // What a client sends is not repeated at any length.
    return "block pool " + block.pool_id().substr(0, 64) + " is not registered here";
  }
  // Those of the namenode (core/storage_call.h); with any length that a file can have, none of the
  // sums made of them overflows.
  constexpr std::uint64_t length_max = std::uint64_t{1} << 53;
  if (block.generation_stamp() > std::numeric_limits<std::uint32_t>::max() ||
      block.num_bytes() > length_max) {
    return describe(block) + " is no block";
  }
  return std::nullopt;
}

TransferStatus send_reply(TransferSocket& socket, const TransferEnvironment& environment,
                          const pb::BlockOpResponse& reply) {
  std::string bytes;
  hdfs::append_delimited(bytes, reply);
  return socket.send(bytes, environment.options.write_timeout);
}

TransferStatus send_error(TransferSocket& socket, const TransferEnvironment& environment,
                          const std::string& message, pb::Status status) {
  pb::BlockOpResponse reply;
  reply.set_status(status);
  reply.set_message(message);
  return send_reply(socket, environment, reply);
}

SocketPlace transfer_place(const pb::DatanodeInfo& datanode) {
  return {datanode.id().ip_addr(), static_cast<std::uint16_t>(datanode.id().xfer_port())};
}

}  // namespace tracebed
