#include "agents/datanode/service/inter_datanode_client.h"

#include "inter_datanode.pb.h"
#include "protocol/hdfs/namenode_method.h"

namespace tracebed {
namespace {

constexpr std::string_view user = "hdfs";
constexpr std::size_t reply_frame_bytes_max = 64 * 1024;

InterDatanodeError error_of(const TransferError& error) {
  return {.message = error.message};
}

InterDatanodeError error_of(const hdfs::RpcError& error) {
  return {error.exception_class.ends_with("RecoveryInProgressException"), error.message};
}

std::optional<ReplicaStage> stage_of(pb::ReplicaState state) {
  switch (state) {
    case pb::REPLICA_FINALIZED:
      return ReplicaStage::finalized;
    case pb::REPLICA_RBW:
      return ReplicaStage::being_written;
    case pb::REPLICA_RWR:
      return ReplicaStage::waiting_to_be_recovered;
    case pb::REPLICA_RUR:
    case pb::REPLICA_TEMPORARY:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

InterDatanodeClient::InterDatanodeClient(const TransferEnvironment& environment, DatanodePeer peer)
    : environment_(environment),
      peer_(std::move(peer)),
      socket_(environment.sockets),
      input_(socket_) {
  key_.call_id = 0;
  // Calls of a connection need no more than a number that differs from those of other connections
  // to tell retries; there are none.
  key_.client_id.size = hdfs::RpcClientId::bytes_max;
}

TransferStatus InterDatanodeClient::connect() {
  const DataTransferOptions& options = environment_.options;
  TransferStatus connected =
      socket_.connect(peer_.place(), environment_.address, options.read_timeout);
  if (!connected) return connected;
  std::string bytes;
  hdfs::append_connection(bytes, user, hdfs::inter_datanode_protocol, key_.client_id);
  return socket_.send(bytes, options.write_timeout);
}

template <class Response>
InterDatanodeResult<Response> InterDatanodeClient::call(
    std::string_view method, const google::protobuf::MessageLite& request) {
  if (!connected_) connected_ = connect();
  if (!*connected_) return error_of(connected_->error());
  const DataTransferOptions& options = environment_.options;
  ++key_.call_id;
  std::string bytes;
  hdfs::append_call(bytes, key_, method, hdfs::inter_datanode_protocol, request);
  if (TransferStatus sent = socket_.send(bytes, options.write_timeout); !sent) {
    return error_of(sent.error());
  }
  const auto parser = [](hdfs::Bytes unread) {
    return hdfs::parse_reply(unread, reply_frame_bytes_max);
  };
  // The other one may wait for a writer of its own to end before it answers.
  const auto deadline = TransferSocket::Clock::now() + 2 * options.read_timeout;
  const auto reply = input_.next<hdfs::RpcReply>(parser, deadline);
  if (!reply) return error_of(reply.error());
  if (reply->value.key.call_id != key_.call_id) {
    return InterDatanodeError{.message = "the reply is to another call"};
  }
  if (const auto* error = std::get_if<hdfs::RpcError>(&reply->value.result)) {
    return error_of(*error);
  }
  Response response;
  if (!hdfs::parse_message(std::get<hdfs::Bytes>(reply->value.result), response)) {
    return InterDatanodeError{.message = "the reply cannot be parsed"};
  }
  input_.consume(reply->bytes);
  return response;
}

pb::ExtendedBlock InterDatanodeClient::extended(const BlockName& block) const {
  pb::ExtendedBlock extended;
  extended.set_pool_id(environment_.pool);
  extended.set_block_id(block.id);
  extended.set_generation_stamp(block.generation_stamp);
  extended.set_num_bytes(static_cast<std::uint64_t>(block.length));
  return extended;
}

InterDatanodeResult<std::optional<ReplicaInfo>> InterDatanodeClient::begin_recovery(
    const BlockName& block, std::uint64_t recovery_stamp) {
  using Found = std::optional<ReplicaInfo>;
  pb::InitReplicaRecoveryRequest request;
  request.mutable_block()->set_new_gen_stamp(recovery_stamp);
  pb::LocatedBlock& located = *request.mutable_block()->mutable_block();
  *located.mutable_b() = extended(block);
  located.set_offset(0);
  located.set_corrupt(false);
  pb::Token& token = *located.mutable_block_token();
  token.set_identifier("");
  token.set_password("");
  token.set_kind("");
  token.set_service("");
  const auto response = call<pb::InitReplicaRecoveryResponse>(hdfs::init_replica_recovery, request);
  if (!response) return response.error();
  if (!response->replica_found()) return Found();
  const auto stage = stage_of(response->state());
  if (!stage) return Found();
  ReplicaInfo info;
  info.block_id = response->block().block_id();
  info.generation_stamp = response->block().gen_stamp();
  info.length = response->block().num_bytes();
  info.stage = *stage;
  return Found(info);
}

InterDatanodeResult<std::monostate> InterDatanodeClient::end_recovery(const BlockName& block,
                                                                      std::uint64_t recovery_stamp,
                                                                      std::uint64_t length) {
  pb::UpdateReplicaUnderRecoveryRequest request;
  *request.mutable_block() = extended(block);
  request.set_recovery_id(recovery_stamp);
  request.set_new_length(length);
  const auto response =
      call<pb::UpdateReplicaUnderRecoveryResponse>(hdfs::update_replica_under_recovery, request);
  if (!response) return response.error();
  return std::monostate();
}

}  // namespace tracebed
