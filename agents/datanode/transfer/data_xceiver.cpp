#include "agents/datanode/transfer/data_xceiver.h"

#include "agents/datanode/transfer/block_checksum.h"
#include "agents/datanode/transfer/block_receiver.h"
#include "agents/datanode/transfer/block_sender.h"
#include "agents/datanode/transfer/block_transfer.h"
#include "agents/datanode/transfer/rpc_connection.h"
#include "core/visit.h"

namespace tracebed {
namespace {

using Clock = TransferSocket::Clock;

// With the longest pipeline; what it takes is held for each connection that sends so much.
constexpr hdfs::TransferLimits operation_limits{.operation_bytes_max = 128 * 1024};

}  // namespace

void DataXceiver::run() {
  const DataTransferOptions& options = environment_.options;
  if (!input_.fill(1, Clock::now() + options.read_timeout)) return;
  if (DatanodeRpcConnection::begins_with(input_.unread().front())) {
    DatanodeRpcConnection(environment_, socket_, input_).run();
    return;
  }
  if (serve_next(options.read_timeout) == Next::close) return;
  while (serve_next(options.keepalive) == Next::operation) {
  }
}

DataXceiver::Next DataXceiver::serve_next(std::chrono::milliseconds timeout) {
  input_.release();
  if (!input_.fill(1, Clock::now() + timeout)) return Next::close;
  const auto parser = [](hdfs::Bytes unread) {
    return hdfs::parse_operation(unread, operation_limits);
  };
  auto parsed = input_.next<hdfs::TransferOperation>(
      parser, Clock::now() + environment_.options.read_timeout);
  if (!parsed) {
    const TransferError& error = parsed.error();
    return error.failure == TransferFailure::malformed ? refuse(error.message) : Next::close;
  }
  input_.consume(parsed->bytes);
  return visit_all(parsed->value, [this](const auto& operation) { return serve(operation); });
}

DataXceiver::Next DataXceiver::refuse(const std::string& message) {
  if (send_error(socket_, environment_, message)) socket_.drain(environment_.options.drain_timeout);
  return Next::close;
}

DataXceiver::Next DataXceiver::serve(const hdfs::UnsupportedOperation& operation) {
  const TransferStatus sent =
      socket_.send(hdfs::unsupported_reply(operation), environment_.options.write_timeout);
  return sent ? Next::operation : Next::close;
}

DataXceiver::Next DataXceiver::serve(const pb::OpReadBlock& read) {
  const pb::ExtendedBlock& block = read.header().base_header().block();
  const std::string& client = read.header().client_name();
  const Distance distance = environment_.neighbours.distance_of(socket_.peer());
  environment_.counters.begun(client);
  const auto fail = [&](const std::string& message) {
    environment_.counters.failed(client);
    return refuse(message);
  };
  if (const auto error = block_error(environment_, block)) return fail(*error);
  auto sender = BlockSender::open(
      environment_, {block.block_id(), block.generation_stamp(), read.offset(), read.len()},
      {.sends_checksums = read.send_checksums()});
  if (!sender) return fail(sender.error().message);
  auto rate = TransferRate::open(environment_.rates, Traffic::sending, socket_.peer(),
                                 {.weight = read.header().transfer_weight()});
  if (!rate) return fail("there are too many transfers");

  pb::BlockOpResponse reply;
  reply.set_status(pb::STATUS_SUCCESS);
  pb::ReadOpChecksumInfo& info = *reply.mutable_read_op_checksum_info();
  info.set_chunk_offset(sender->first_offset());
  const hdfs::ChunkChecksums checksums = sender->checksums();
  info.mutable_checksum()->set_type(static_cast<pb::ChecksumTypeNumber>(checksums.type));
  info.mutable_checksum()->set_bytes_per_checksum(checksums.bytes_per_checksum);
  const auto on_sent = [&](std::uint64_t bytes) {
    environment_.counters.read(client, distance, bytes);
  };
  if (!send_reply(socket_, environment_, reply) || !sender->send(socket_, *rate, on_sent)) {
    environment_.counters.failed(client);
    return Next::close;
  }
  return read_client_status();
}

bool DataXceiver::is_next_operation() {
  // The length of a status is not zero, but the first byte of the protocol's version is.
  return input_.unread().front() == std::byte{0};
}

DataXceiver::Next DataXceiver::read_client_status() {
  const auto deadline = Clock::now() + environment_.options.read_timeout;
  if (!input_.fill(1, deadline)) return Next::close;
  if (is_next_operation()) return Next::operation;
  const auto status = input_.next_message<pb::ClientReadStatus>(reply_bytes_max, deadline);
  return status ? Next::operation : Next::close;
}

DataXceiver::Next DataXceiver::serve(const pb::OpWriteBlock& write) {
  BlockReceiver(environment_, socket_, input_, write).run();
  return Next::close;
}

DataXceiver::Next DataXceiver::serve(const pb::OpTransferBlock& transfer) {
  const std::string& client = transfer.header().client_name();
  environment_.counters.begun(client);
  const pb::ExtendedBlock& block = transfer.header().base_header().block();
  std::optional<std::string> error = block_error(environment_, block);
  if (!error) error = transfer_for_recovery(environment_, transfer);
  if (error) {
    environment_.counters.failed(client);
    return refuse(*error);
  }
  pb::BlockOpResponse reply;
  reply.set_status(pb::STATUS_SUCCESS);
  return send_reply(socket_, environment_, reply) ? Next::operation : Next::close;
}

DataXceiver::Next DataXceiver::serve(const pb::OpBlockChecksum& checksum) {
  const pb::ExtendedBlock& block = checksum.header().block();
  if (const auto error = block_error(environment_, block)) return refuse(*error);
  const Result<hdfs::BlockChecksum> sum = block_checksum(environment_, block);
  if (!sum) return refuse(sum.error().message);
  pb::BlockOpResponse reply;
  reply.set_status(pb::STATUS_SUCCESS);
  pb::OpBlockChecksumResponse& response = *reply.mutable_checksum_response();
  response.set_bytes_per_crc(replica_checksums.bytes_per_checksum);
  response.set_crc_per_block(sum->crcs);
  response.set_md5(sum->md5.data(), sum->md5.size());
  response.set_crc_type(static_cast<pb::ChecksumTypeNumber>(replica_checksums.type));
  return send_reply(socket_, environment_, reply) ? Next::operation : Next::close;
}

}  // namespace tracebed
