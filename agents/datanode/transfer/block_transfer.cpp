#include "agents/datanode/transfer/block_transfer.h"

#include "agents/datanode/transfer/block_sender.h"
#include "agents/datanode/transfer/transfer_input.h"
#include "protocol/hdfs/transfer_operation.h"

namespace tracebed {
namespace {

pb::OpWriteBlock write_operation(const TransferEnvironment& environment,
                                 const ReplicaTransfer& transfer) {
  pb::OpWriteBlock write;
  pb::ClientOperationHeader& header = *write.mutable_header();
  header.set_client_name(transfer.client);
  pb::ExtendedBlock& block = *header.mutable_base_header()->mutable_block();
  block.set_pool_id(environment.pool);
  block.set_block_id(transfer.block_id);
  block.set_generation_stamp(transfer.generation_stamp);
  block.set_num_bytes(transfer.length);
  for (std::size_t i = 1; i < transfer.targets.size(); ++i) {
    *write.add_targets() = transfer.targets[i];
  }
  write.set_stage(transfer.stage);
  write.set_pipeline_size(0);
  write.set_min_bytes_rcvd(0);
  write.set_max_bytes_rcvd(0);
  write.set_latest_generation_stamp(0);
  write.mutable_requested_checksum()->set_type(
      static_cast<pb::ChecksumTypeNumber>(replica_checksums.type));
  write.mutable_requested_checksum()->set_bytes_per_checksum(replica_checksums.bytes_per_checksum);
  return write;
}

Error failed(const SocketPlace& place, const TransferError& error) {
  return {place.to_string() + ": " + error.message};
}

}  // namespace

Status send_replica(const TransferEnvironment& environment, const ReplicaTransfer& transfer) {
  const BlockRange range{transfer.block_id, transfer.generation_stamp, 0, transfer.length};
  Result<BlockSender> sender = BlockSender::open(environment, range, {.ends_at_corrupt = true});
  if (!sender) return sender.error();
  const SocketPlace place = transfer_place(transfer.targets.front());
  auto rate = TransferRate::open(environment.rates, Traffic::passing_on, place.address);
  if (!rate) return Error{"there are too many transfers"};

  const DataTransferOptions& options = environment.options;
  const auto read_timeout = options.read_timeout + options.read_timeout_extension *
                                                       static_cast<int>(transfer.targets.size());
  TransferSocket socket(environment.sockets);
  if (const auto connected = socket.connect(place, environment.address, read_timeout); !connected) {
    return failed(place, connected.error());
  }
  std::string operation;
  hdfs::append_operation(operation, write_operation(environment, transfer));
  TransferStatus sent = socket.send(operation, options.write_timeout);
  // Counted where it is received: it is no read of a client's.
  if (sent) sent = sender->send(socket, *rate, [](std::uint64_t) {});
  if (!sent) return failed(place, sent.error());
  if (transfer.client.empty()) return success();
  TransferInput input(socket);
  const auto reply = input.next_message<pb::BlockOpResponse>(
      reply_bytes_max, TransferSocket::Clock::now() + read_timeout);
  if (!reply) return failed(place, reply.error());
  if (reply->status() != pb::STATUS_SUCCESS) {
    return Error{place.to_string() + " has refused it: " + reply->message()};
  }
  return success();
}

std::optional<std::string> transfer_for_recovery(const TransferEnvironment& environment,
                                                 const pb::OpTransferBlock& operation) {
  const pb::ExtendedBlock& block = operation.header().base_header().block();
  const std::optional<ReplicaInfo> info = environment.store.find(block.block_id());
  if (!info || info->generation_stamp < block.generation_stamp()) {
    return "there is no replica of " + describe(block);
  }
  ReplicaTransfer transfer{.block_id = info->block_id,
                           .generation_stamp = info->generation_stamp,
                           .length = info->acknowledged,
                           .client = operation.header().client_name()};
  switch (info->stage) {
    case ReplicaStage::being_written:
      transfer.stage = pb::OpWriteBlock::TRANSFER_RBW;
      break;
    case ReplicaStage::finalized:
      transfer.stage = pb::OpWriteBlock::TRANSFER_FINALIZED;
      break;
    case ReplicaStage::waiting_to_be_recovered:
    case ReplicaStage::temporary:
      return "the replica of " + describe(block) + " is in no stage to be transferred";
  }
  transfer.targets.assign(operation.targets().begin(), operation.targets().end());
  if (transfer.targets.size() != 1) return "a client's transfer has one target";
  if (transfer.client.empty()) return "a client's transfer names the client";
  const Status sent = send_replica(environment, transfer);
  return sent ? std::nullopt : std::optional(sent.error().message);
}

}  // namespace tracebed
