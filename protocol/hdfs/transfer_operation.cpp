#include "protocol/hdfs/transfer_operation.h"

#include <optional>
#include <utility>

#include "core/visit.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed::hdfs {
namespace {

constexpr std::size_t opcode_bytes = 3;  // int16 and one byte

std::optional<TransferOpcode> opcode_of(std::byte byte) {
  const auto number = std::to_integer<std::uint8_t>(byte);
  if (number < static_cast<std::uint8_t>(TransferOpcode::write_block) ||
      number > static_cast<std::uint8_t>(TransferOpcode::block_group_checksum)) {
    return std::nullopt;
  }
  return static_cast<TransferOpcode>(number);
}

template <class Message>
std::optional<TransferOperation> parsed(Bytes bytes) {
  std::optional<TransferOperation> operation(std::in_place, Message());
  if (!parse_message(bytes, std::get<Message>(*operation))) return std::nullopt;
  return operation;
}

std::optional<TransferOperation> parsed(TransferOpcode opcode, Bytes bytes) {
  switch (opcode) {
    case TransferOpcode::read_block:
      return parsed<pb::OpReadBlock>(bytes);
    case TransferOpcode::write_block:
      return parsed<pb::OpWriteBlock>(bytes);
    case TransferOpcode::transfer_block:
      return parsed<pb::OpTransferBlock>(bytes);
    case TransferOpcode::block_checksum:
      return parsed<pb::OpBlockChecksum>(bytes);
    case TransferOpcode::read_metadata:
    case TransferOpcode::replace_block:
    case TransferOpcode::copy_block:
    case TransferOpcode::request_short_circuit_fds:
    case TransferOpcode::release_short_circuit_fds:
    case TransferOpcode::request_short_circuit_shm:
    case TransferOpcode::block_group_checksum:
      return UnsupportedOperation{opcode};
  }
  return std::nullopt;
}

void append(std::string& out, TransferOpcode opcode, const google::protobuf::MessageLite& message) {
  out += static_cast<char>(data_transfer_version >> 8);
  out += static_cast<char>(data_transfer_version & 0xff);
  out += static_cast<char>(opcode);
  append_delimited(out, message);
}

}  // namespace

ParseResult<TransferOperation> parse_operation(Bytes unread, const TransferLimits& limits) {
  if (unread.size() < opcode_bytes) return NeedMore{opcode_bytes};
  const std::uint16_t version = big_endian16(unread.data());
  if (version != data_transfer_version) {
    return Malformed{"the version of data transfer is " + std::to_string(version) + ", not " +
                     std::to_string(data_transfer_version)};
  }
  const std::optional<TransferOpcode> opcode = opcode_of(unread[2]);
  if (!opcode) {
    return Malformed{"there is no operation " +
                     std::to_string(std::to_integer<unsigned>(unread[2]))};
  }
  const auto with_message = [&](const Parsed<Bytes>& message) -> ParseResult<TransferOperation> {
    std::optional<TransferOperation> operation = parsed(*opcode, message.value);
    if (operation) {
      return Parsed<TransferOperation>{std::move(*operation), opcode_bytes + message.bytes};
    }
    return Malformed{"the message of operation " + std::to_string(static_cast<unsigned>(*opcode)) +
                     " cannot be parsed"};
  };
  return visit_all(
      parse_delimited(unread.subspan(opcode_bytes), limits.operation_bytes_max), with_message,
      [](const NeedMore& more) -> ParseResult<TransferOperation> {
        return NeedMore{opcode_bytes + more.bytes};
      },
      [](const Malformed& error) -> ParseResult<TransferOperation> { return error; });
}

std::string unsupported_reply(const UnsupportedOperation& operation) {
  const std::string reason =
      "operation " + std::to_string(static_cast<unsigned>(operation.opcode)) + " is not supported";
  std::string reply;
  if (operation.opcode == TransferOpcode::release_short_circuit_fds ||
      operation.opcode == TransferOpcode::request_short_circuit_shm) {
    pb::ShortCircuitResponse response;
    response.set_status(pb::STATUS_ERROR_UNSUPPORTED);
    response.set_error(reason);
    append_delimited(reply, response);
  } else {
    pb::BlockOpResponse response;
    response.set_status(pb::STATUS_ERROR_UNSUPPORTED);
    response.set_message(reason);
    append_delimited(reply, response);
  }
  return reply;
}

void append_operation(std::string& out, const pb::OpReadBlock& operation) {
  append(out, TransferOpcode::read_block, operation);
}
void append_operation(std::string& out, const pb::OpWriteBlock& operation) {
  append(out, TransferOpcode::write_block, operation);
}
void append_operation(std::string& out, const pb::OpTransferBlock& operation) {
  append(out, TransferOpcode::transfer_block, operation);
}
void append_operation(std::string& out, const pb::OpBlockChecksum& operation) {
  append(out, TransferOpcode::block_checksum, operation);
}

}  // namespace tracebed::hdfs
