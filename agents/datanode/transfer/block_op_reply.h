// Answers to operations (BlockOpResponseProto), and what they say about blocks.
#pragma once

#include <optional>
#include <string>

#include "agents/datanode/transfer/transfer_environment.h"
#include "agents/datanode/transfer/transfer_socket.h"
#include "data_transfer.pb.h"

namespace tracebed {

namespace pb = hdfs::pb;

inline constexpr std::size_t reply_bytes_max = 64 * 1024;

// "blk_1073741825_1001"
std::string describe(const pb::ExtendedBlock& block);

// Why the datanode has nothing to do with the block: it is of another pool, or its numbers are
// those of none.
std::optional<std::string> block_error(const TransferEnvironment& environment,
                                       const pb::ExtendedBlock& block);

TransferStatus send_reply(TransferSocket& socket, const TransferEnvironment& environment,
                          const pb::BlockOpResponse& reply);
// ERROR, or another status, with a message.
TransferStatus send_error(TransferSocket& socket, const TransferEnvironment& environment,
                          const std::string& message, pb::Status status = pb::STATUS_ERROR);

// Where a client or another datanode is reached.
SocketPlace transfer_place(const pb::DatanodeInfo& datanode);

}  // namespace tracebed
