#include "agents/datanode/transfer/rpc_connection.h"

#include <functional>

#include "agents/datanode/transfer/block_op_reply.h"
#include "agents/datanode/transfer/replica_recovery_calls.h"
#include "client_datanode.pb.h"
#include "core/visit.h"
#include "inter_datanode.pb.h"
#include "protocol/hdfs/namenode_method.h"
#include "protocol/hdfs/rpc_reply.h"

namespace tracebed {
namespace {

// The largest request names a block and the datanodes of its pipeline.
constexpr hdfs::RpcLimits limits{.frame_bytes_max = 128 * 1024};

hdfs::RpcError io_exception(std::string message) {
  return {hdfs::RpcErrorCode::application, "java.io.IOException", std::move(message)};
}

hdfs::RpcError exception_of(const StoreError& error) {
  if (error.failure == StoreFailure::under_recovery) {
    return {hdfs::RpcErrorCode::application,
            "org.apache.hadoop.hdfs.protocol.RecoveryInProgressException", error.message};
  }
  return io_exception(error.message);
}

template <class Response>
using Answer = Result<Response, hdfs::RpcError>;

pb::ReplicaState recovery_state_of(ReplicaStage stage) {
  switch (stage) {
    case ReplicaStage::being_written:
      return pb::REPLICA_RBW;
    case ReplicaStage::waiting_to_be_recovered:
      return pb::REPLICA_RWR;
    case ReplicaStage::finalized:
      return pb::REPLICA_FINALIZED;
    case ReplicaStage::temporary:
      return pb::REPLICA_TEMPORARY;
  }
  return pb::REPLICA_TEMPORARY;
}

Answer<pb::GetReplicaVisibleLengthResponse> serve(
    const TransferEnvironment& environment, const pb::GetReplicaVisibleLengthRequest& request) {
  if (auto error = block_error(environment, request.block())) {
    return io_exception(std::move(*error));
  }
  const auto info = environment.store.find(request.block().block_id());
  if (!info || info->stage == ReplicaStage::temporary ||
      info->generation_stamp < request.block().generation_stamp()) {
    return io_exception("Replica not found for " + describe(request.block()));
  }
  pb::GetReplicaVisibleLengthResponse response;
  response.set_length(info->acknowledged);
  return response;
}

Answer<pb::InitReplicaRecoveryResponse> serve(const TransferEnvironment& environment,
                                              const pb::InitReplicaRecoveryRequest& request) {
  const pb::ExtendedBlock& block = request.block().block().b();
  if (auto error = block_error(environment, block)) return io_exception(std::move(*error));
  const auto found = begin_replica_recovery(environment, block.block_id(), block.generation_stamp(),
                                            request.block().new_gen_stamp());
  if (!found) return exception_of(found.error());
  pb::InitReplicaRecoveryResponse response;
  response.set_replica_found(found->has_value());
  if (*found) {
    const ReplicaInfo& info = **found;
    response.set_state(recovery_state_of(info.stage));
    response.mutable_block()->set_block_id(info.block_id);
    response.mutable_block()->set_gen_stamp(info.generation_stamp);
    response.mutable_block()->set_num_bytes(info.length);
  }
  return response;
}

Answer<pb::UpdateReplicaUnderRecoveryResponse> serve(
    const TransferEnvironment& environment, const pb::UpdateReplicaUnderRecoveryRequest& request) {
  if (auto error = block_error(environment, request.block())) {
    return io_exception(std::move(*error));
  }
  const std::uint64_t new_id = request.new_block_id();
  if (new_id != 0 && new_id != request.block().block_id()) {
    return io_exception("a recovery that copies a block is not supported");
  }
  const StoreStatus recovered = end_replica_recovery(environment, request.block().block_id(),
                                                     request.recovery_id(), request.new_length());
  if (!recovered) return exception_of(recovered.error());
  return pb::UpdateReplicaUnderRecoveryResponse();
}

}  // namespace

DatanodeRpcConnection::DatanodeRpcConnection(const TransferEnvironment& environment,
                                             TransferSocket& socket, TransferInput& input)
    : environment_(environment), socket_(socket), input_(input), reader_(limits) {}

void DatanodeRpcConnection::run() {
  const DataTransferOptions& options = environment_.options;
  for (bool goes_on = true; goes_on;) {
    auto next = reader_.next(input_.unread());
    if (const auto* more = std::get_if<hdfs::NeedMore>(&next)) {
      const auto deadline = TransferSocket::Clock::now() + options.read_timeout;
      goes_on = input_.fill(more->bytes, deadline).has_value();
      continue;
    }
    const auto& parsed = std::get<hdfs::Parsed<hdfs::RpcInput>>(next);
    std::string bytes;
    visit_all(
        parsed.value, Ignore<hdfs::RpcNothing, hdfs::RpcConnectionContext>{},
        [&](const hdfs::RpcCall& call) { bytes = answer(call); },
        [&](const hdfs::RpcImmediateReply& reply) {
          bytes = reply.bytes;
          goes_on = !reply.closes_connection;
        });
    input_.consume(parsed.bytes);
    if (!bytes.empty() && !socket_.send(bytes, options.write_timeout)) return;
  }
}

std::string DatanodeRpcConnection::answer(const hdfs::RpcCall& call) {
  std::string bytes;
  const auto serve_as = [&]<class Request>(Request request) {
    if (!hdfs::parse_message(call.request, request)) {
      replies_.failure(bytes, call.key, hdfs::malformed_request(call.method));
    } else if (const auto response = serve(environment_, request)) {
      replies_.success(bytes, call.key, *response);
    } else {
      replies_.failure(bytes, call.key, response.error());
    }
  };
  const bool is_of_client = call.protocol == hdfs::client_datanode_protocol;
  const bool is_of_datanode = call.protocol == hdfs::inter_datanode_protocol;
  if (!is_of_client && !is_of_datanode) {
    replies_.failure(bytes, call.key, hdfs::no_such_protocol(call.protocol));
  } else if (is_of_client && call.method == hdfs::get_replica_visible_length) {
    serve_as(pb::GetReplicaVisibleLengthRequest());
  } else if (is_of_datanode && call.method == hdfs::init_replica_recovery) {
    serve_as(pb::InitReplicaRecoveryRequest());
  } else if (is_of_datanode && call.method == hdfs::update_replica_under_recovery) {
    serve_as(pb::UpdateReplicaUnderRecoveryRequest());
  } else {
    replies_.failure(bytes, call.key, hdfs::no_such_method(call.method, call.protocol));
  }
  return bytes;
}

}  // namespace tracebed
