// Operations of the data transfer protocol, version 28: what a connection to a datanode begins
// with, and what follows each operation on a connection that is used again
// (org.apache.hadoop.hdfs.protocol.datatransfer.Receiver).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "data_transfer.pb.h"
#include "protocol/hdfs/parse_result.h"

namespace tracebed::hdfs {

constexpr std::uint16_t data_transfer_version = 28;

// org.apache.hadoop.hdfs.protocol.datatransfer.Op
enum class TransferOpcode : std::uint8_t {
  write_block = 80,
  read_block = 81,
  read_metadata = 82,
  replace_block = 83,
  copy_block = 84,
  block_checksum = 85,
  transfer_block = 86,
  request_short_circuit_fds = 87,
  release_short_circuit_fds = 88,
  request_short_circuit_shm = 89,
  block_group_checksum = 90,
};

// An operation of Hadoop's that this testbed does not have; its message was skipped.
struct UnsupportedOperation {
  TransferOpcode opcode = TransferOpcode::read_metadata;
};
using TransferOperation = std::variant<pb::OpReadBlock, pb::OpWriteBlock, pb::OpTransferBlock,
                                       pb::OpBlockChecksum, UnsupportedOperation>;

struct TransferLimits {
  std::size_t operation_bytes_max = std::size_t{1} << 20;
};
// Owns its bytes.
ParseResult<TransferOperation> parse_operation(Bytes unread, const TransferLimits& limits = {});

// ERROR_UNSUPPORTED, in the message that the operation's client reads.
std::string unsupported_reply(const UnsupportedOperation& operation);

// For clients, and for datanodes that are clients of the next one.
void append_operation(std::string& out, const pb::OpReadBlock& operation);
void append_operation(std::string& out, const pb::OpWriteBlock& operation);
void append_operation(std::string& out, const pb::OpTransferBlock& operation);
void append_operation(std::string& out, const pb::OpBlockChecksum& operation);

}  // namespace tracebed::hdfs
